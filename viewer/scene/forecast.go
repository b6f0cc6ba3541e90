package scene

import "genussink/core/job"

// Patience is how many seconds work may be expected to take that begins without a word about it.
const Patience = 20.0

// ForecastState is work that was not begun, since it would take long or more memory than there is, and what could be
// done in its place. Figures hold to a factor of two.
type ForecastState struct {
	Asked  OutlookState   `json:"asked"`
	Tree   bool           `json:"tree"`   // it is the separator tree that would take so long
	Others []OutlookState `json:"others"` // that fit, what is closest to the exact answer first
	Limit  int64          `json:"limit"`  // bytes that may be held
}

// OutlookState is what a method is expected to take.
type OutlookState struct {
	Method  string  `json:"method"`
	Delta   float64 `json:"delta"` // fraction of the diagonal, 0 where the method has none
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

// forecasted keeps what is said in answer to a separation or a solve: nothing goes on by itself.
func (s *Scene) forecasted(asked job.Body, id uint32, e *job.Forecasted) {
	behind := id == s.flight[toRefine]
	s.ended(asked, id)
	if solve, ok := asked.(*job.Solve); ok && behind && solve.Patience > 0 {
		s.instead(solve, e)
		return
	}
	state := func(o job.Outlook) OutlookState {
		return OutlookState{o.Method, finite(o.Delta), o.Bytes, finite(o.Seconds)}
	}
	_, tree := asked.(*job.Separate)
	s.forecast = &ForecastState{Asked: state(e.Asked), Tree: tree, Others: []OutlookState{}, Limit: e.Limit}
	for _, o := range e.Others {
		s.forecast.Others = append(s.forecast.Others, state(o))
	}
}

// endForecast takes back what waits for a word. What is said of the tree stays true of the automatic method, which does not need it.
func (s *Scene) endForecast() {
	if s.forecast != nil && (!s.forecast.Tree || !s.automatic()) {
		s.forecast = nil
	}
}

// Proceed begins what the forecast is about: what was asked for, or with 0, 1, ... the other that it names.
func (s *Scene) Proceed(other int) {
	f := s.forecast
	if f == nil || other >= len(f.Others) {
		return
	}
	if s.forecast = nil; f.Tree {
		s.separateWithin(0)
		return
	}
	if other >= 0 {
		s.transport.Method = f.Others[other].Method
		if d := f.Others[other].Delta; d > 0 {
			s.transport.Delta = min(max(d, MinDelta), MaxDelta)
		}
	}
	s.solveWithin(0)
}
