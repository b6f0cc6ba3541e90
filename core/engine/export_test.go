package engine

import (
	"maps"

	"genussink/core/linop"
	"genussink/core/method"
	"genussink/core/team"
	"genussink/core/transport"
)

// PlanKernels are the kernel of the plan solved last, as it is and as whoever asks the plan or solves has it, and the plan's problem.
func PlanKernels(e *Engine) (map[string]linop.Kernel, transport.Problem) {
	sc := e.scene.Load()
	last := sc.plan.Load()
	k := last.kernel.Kernel
	all := map[string]linop.Kernel{"own": k, "counted": &method.Tally{Kernel: k, Now: e.now}}
	if !knowsRows(last.kernel) {
		all["with rows of the graph"] = rows{k, sc}
	}
	if shared, ok := k.(*team.Kernel); ok {
		maps.Copy(all, map[string]linop.Kernel{"beside others": shared.Beside()})
	}
	return all, last.problem
}

// AllOwn reports whether every part of the plan's kernel, of which members had some, is the lead's.
func AllOwn(e *Engine) bool {
	k := e.scene.Load().plan.Load().kernel
	_, shared := k.Kernel.(*team.Kernel)
	return shared && k.Cover.Members() == 0
}
