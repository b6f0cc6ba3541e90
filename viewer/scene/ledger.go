package scene

import (
	"slices"

	"genussink/core/job"
)

// ledger is what every stage took since the mesh was opened, request by request
// in the order in which they first came.
type ledger []StageState

// StageState is one stage of one kind of request. A stage that was not repeated
// stays as it is; one that was done again says what it took last and first.
type StageState struct {
	Request string  `json:"request"` // "open", "separate", "solve", "flow" ...
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"` // the last time
	First   float64 `json:"first"`   // the first time
	Runs    int     `json:"runs"`    // how often it was done
}

// note enters the stages of an answer. A stage that an answer names twice took
// the sum.
func (l *ledger) note(answer job.Body) {
	request, list := timed(answer)
	begun := map[string]bool{} // stages that this answer has named
	for _, t := range list {
		at, end := -1, len(*l) // the stage's place; else that behind its request's
		for i, s := range *l {
			if s.Request == request {
				end = i + 1
				if s.Stage == t.Stage {
					at = i
				}
			}
		}
		if at < 0 {
			at = end
			*l = slices.Insert(*l, at, StageState{Request: request, Stage: t.Stage})
		}
		s := &(*l)[at]
		if !begun[t.Stage] {
			begun[t.Stage] = true
			s.Seconds = 0
			s.Runs++
		}
		if s.Seconds += finite(t.Seconds); s.Runs == 1 {
			s.First = s.Seconds
		}
	}
}

// timed returns the stages of an answer and what asked for them.
func timed(answer job.Body) (request string, list []job.Timing) {
	switch e := answer.(type) {
	case *job.Loaded:
		return "open", e.Timings
	case *job.Separated:
		return "separate", e.Timings
	case *job.Swept:
		return "sweep", e.Timings
	case *job.Decomposed:
		return "treewidth", e.Timings
	case *job.Solved:
		return "solve", e.Timings
	case *job.Barycentred:
		return "barycentre", e.Timings
	case *job.Flowed:
		return "flow", e.Timings
	case *job.Polished:
		return "polish", e.Timings
	}
	return "", nil
}
