//go:build e2e && !js

package e2e

import "testing"

// The whole matrix of 11,751 vertices would take minutes in a browser: the page says so before it begins, and solves by what is
// offered in its place.
func TestForecastIsOffered(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=gear&method=dense&eps=0.2", small)
	s := p.wait("s.transport.forecast")
	f := s.Transport.Forecast
	if f.Asked.Method != "dense" || f.Asked.Seconds <= 20 || f.Asked.Bytes < 1_000_000_000 || len(f.Others) == 0 {
		t.Fatalf("forecast %+v", f)
	}
	if s.Transport.Result != nil || s.Transport.Solving || s.Error != "" {
		t.Errorf("work has begun: %+v", s.Transport)
	}
	t.Logf("%s", p.text("forecast-text"))
	p.picture("forecast")
	choice := eval[string](p, "document.querySelectorAll('[role=group][aria-label=Forecast] button')[1].textContent")
	p.press(choice)
	s = p.wait("s.transport.result && !s.transport.solving")
	if r := s.Transport.Result; r.Method != f.Others[0].Method || s.Transport.Forecast != nil {
		t.Errorf("pressed %q: %s, forecast %+v", choice, r.Method, s.Transport.Forecast)
	}
	seconds := 0.0
	for _, x := range s.Transport.Result.Timings {
		seconds += x.Seconds
	}
	t.Logf("%q took %.1f s", choice, seconds)
}
