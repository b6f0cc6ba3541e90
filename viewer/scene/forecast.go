package scene

import (
	"slices"

	"genussink/core/job"
)

// Patience is how many seconds work may be expected to take that begins without a word about it.
const Patience = 20.0

// behindSeconds limits what follows a quick answer by itself: a better answer is computed without being asked for if its forecast is at most
// so many seconds.
const behindSeconds = 10.0

// ForecastState is work that was not begun, since it would take long or more memory than there is, and what could be
// done in its place. Figures hold to a factor of two.
type ForecastState struct {
	Asked  OutlookState   `json:"asked"`
	Tree   bool           `json:"tree"`   // it is the separator tree that would take so long
	Others []OutlookState `json:"others"` // that fit, what is closest to the exact answer first
	Limit  int64          `json:"limit"`  // bytes that may be held
	PutOff bool           `json:"putOff"` // a person does not want to choose now
}

// OutlookState is what a method is expected to take.
type OutlookState struct {
	Method  string  `json:"method"`
	Delta   float64 `json:"delta"` // fraction of the diagonal, 0 where the method has none
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

func (t *Transport) forecastState() *ForecastState {
	f := t.forecast
	if f == nil {
		return nil
	}
	state := func(o job.Outlook) OutlookState {
		return OutlookState{o.Method, finite(o.Delta.Value), o.Bytes, finite(o.Seconds)}
	}
	st := &ForecastState{Asked: state(f.Asked), Tree: t.tree, Others: []OutlookState{}, Limit: f.Limit, PutOff: t.putOff}
	for _, o := range f.Others {
		st.Others = append(st.Others, state(o))
	}
	return st
}

// endForecast takes back what waits for a word. What is said of the tree stays true of the automatic method, which does not need it.
func (t *Transport) endForecast() {
	if t.forecast != nil && (!t.tree || !t.automatic()) {
		t.forecast = nil
	}
}

// proceed ends the forecast, since a person has decided: with -1 for what was asked for, with 0, 1, ... for one of the other methods that
// the forecast offers. ok is false if there was no such choice. tree is true if the forecast was of the separator tree.
func (t *Transport) proceed(other int) (tree, ok bool) {
	f := t.forecast
	if f == nil || other >= len(f.Others) {
		return false, false
	}
	t.forecast = nil
	if other >= 0 && !t.tree {
		t.by(f.Others[other].Method)
		if d := finite(f.Others[other].Delta.Value); d > 0 {
			t.delta = min(max(d, MinDelta), MaxDelta)
		}
	}
	return t.tree, true
}

// instead is what takes less time than the exact answer: certified or, where that takes long too, one by an estimate
// that is within the usual accuracy. "" in place of another answer than the exact one.
func (t *Transport) instead(asked *job.Solve, e *job.Forecasted) (method string) {
	switch {
	case asked.Method != job.Exact:
		return ""
	case slices.ContainsFunc(e.Others, func(o job.Outlook) bool {
		return o.Method == job.Certified && o.Seconds <= behindSeconds && o.Bytes <= e.Limit
	}):
		return job.Certified
	}
	return Automatic
}
