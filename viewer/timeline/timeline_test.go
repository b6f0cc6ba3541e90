package timeline

import (
	"math"
	"testing"
)

func TestSteps(t *testing.T) {
	line := Timeline{End: 3, Pace: 0.5}
	line.Back()
	if line.At() != 0 {
		t.Error("a step back from the start")
	}
	for want := 1; want <= 4; want++ {
		line.Forward()
		if line.Step() != min(want, 3) {
			t.Errorf("step %d is %d", want, line.Step())
		}
	}
	line.Seek(1.7)
	if line.At() != 1 {
		t.Errorf("sought 1.7, at %v", line.At())
	}
	line.Seek(math.NaN())
	if line.At() != 1 {
		t.Error("NaN moved it")
	}
}

func TestPlay(t *testing.T) {
	line := Timeline{End: 3, Pace: 0.5}
	line.Play()
	for i, want := range []float64{0, 1, 1, 2, 2, 3} {
		line.Tick(0.25)
		if line.At() != want {
			t.Errorf("tick %d: at %v, not %v", i, line.At(), want)
		}
	}
	if line.Playing() {
		t.Error("it plays on at the end")
	}
	line.Play()
	if line.At() != 0 || !line.Playing() {
		t.Error("play at the end does not begin again")
	}
	line.SetSpeed(100)
	if line.Speed() != MaxSpeed {
		t.Errorf("speed %v", line.Speed())
	}
	line.Tick(10)
	if line.At() != 3 {
		t.Errorf("past the end: %v", line.At())
	}
}

func TestSmooth(t *testing.T) {
	line := Timeline{End: 1, Pace: 2, Smooth: true, Loop: true}
	line.Play()
	line.Tick(0.5)
	if line.At() != 0.25 {
		t.Errorf("at %v", line.At())
	}
	line.Tick(2)
	if line.At() != 0.25 || !line.Playing() {
		t.Errorf("a loop comes to %v", line.At())
	}
	line.Back()
	if line.At() != 0 || line.Playing() {
		t.Errorf("back from the middle is %v", line.At())
	}
	var empty Timeline
	empty.Play()
	if empty.Playing() || empty.Tick(1) {
		t.Error("nothing plays")
	}
}
