//go:build e2e && !js

package e2e

import "testing"

// The whole matrix of 13,000 vertices would take minutes in a browser: the page says so before it begins, and solves by what is
// offered in its place.
func TestForecastIsOffered(t *testing.T) {
	t.Parallel()
	p := open(t, "?make=torus&p.segments=130&p.sides=100&method=dense&eps=0.1", small)
	s := p.wait("s.transport.forecast")
	f := s.Transport.Forecast
	if f.Asked.Method != "dense" || f.Asked.Seconds <= 20 || f.Asked.Bytes < 1_000_000_000 || len(f.Others) == 0 {
		t.Fatalf("forecast %+v", f)
	}
	if s.Transport.Result != nil || s.Transport.Solving || s.Error != "" {
		t.Errorf("work has begun: %+v", s.Transport)
	}
	t.Logf("%s %d bytes may be held", p.text("forecast-text"), f.Limit)
	p.picture("forecast")
	p.press("Not now")
	p.until("document.getElementById('forecast').hidden")
	p.press("Solve")
	p.wait("s.transport.forecast && !s.transport.forecast.putOff")
	const last = "[...document.querySelectorAll('[role=group][aria-label=Forecast] button')].at(-2)" // before Not now
	p.until(last)
	choice := eval[string](p, last+".textContent")
	p.press(choice)
	s = p.wait("s.transport.result && !s.transport.solving")
	if r := s.Transport.Result; r.Method != f.Others[len(f.Others)-1].Method || s.Transport.Forecast != nil {
		t.Errorf("pressed %q: %s, forecast %+v", choice, r.Method, s.Transport.Forecast)
	}
	seconds := 0.0
	for _, x := range s.Transport.Result.Timings {
		seconds += x.Seconds
	}
	t.Logf("%q took %.1f s", choice, seconds)
}
