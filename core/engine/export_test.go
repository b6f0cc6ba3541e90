package engine

import (
	"maps"

	"genussink/core/linop"
	"genussink/core/transport"
)

// PlanKernels are the kernel of the plan solved last, as it is and as whoever asks the plan or solves has it, and the plan's problem.
func PlanKernels(e *Engine) (map[string]linop.Kernel, transport.Problem) {
	sc := e.scene.Load()
	last := sc.plan.Load()
	k := last.kernel.Kernel
	all := map[string]linop.Kernel{"own": k, "counted": &tally{Kernel: k, now: e.now}}
	if !last.kernel.knowsRows() {
		all["with rows of the graph"] = rows{k, sc}
	}
	if shared, ok := k.(*teamKernel); ok {
		maps.Copy(all, map[string]linop.Kernel{"beside others": lines{shared}})
	}
	return all, last.problem
}

// AllOwn reports whether every part of the plan's kernel is the lead's.
func AllOwn(e *Engine) bool {
	k, ok := e.scene.Load().plan.Load().kernel.Kernel.(*teamKernel)
	if !ok {
		return false
	}
	for _, own := range k.own {
		if own == nil {
			return false
		}
	}
	return true
}
