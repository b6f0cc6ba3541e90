package engine

import (
	"genussink/core/linop"
	"genussink/core/method"
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
	return all, last.problem
}
