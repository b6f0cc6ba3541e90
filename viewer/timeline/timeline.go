// Package timeline is the one control of everything that happens in time: a
// position between 0 and an end, which can be stepped, sought, and played at a
// speed. What is shown is a function of the position alone, so that a step back
// restores what was there exactly.
package timeline

import "math"

// Speeds that can be chosen.
const (
	MinSpeed = 0.05
	MaxSpeed = 8
)

// Timeline is the control. Steps lie at whole positions; what moves evenly,
// such as mass on its way, has one step.
type Timeline struct {
	End     float64 // the last position, a whole number
	Pace    float64 // seconds from one whole position to the next, at speed 1
	Smooth  bool    // play passes through all positions, not whole ones alone
	Loop    bool    // play begins again at the end
	at      float64
	speed   float64 // 0: 1
	playing bool
	rest    float64 // share of a step that has passed, where play is not smooth
}

// At is the position.
func (t *Timeline) At() float64 { return t.at }

// Step is the last whole position reached.
func (t *Timeline) Step() int { return int(math.Floor(t.at)) }

// Playing says whether time passes.
func (t *Timeline) Playing() bool { return t.playing }

// Speed is how fast play is.
func (t *Timeline) Speed() float64 {
	if t.speed == 0 {
		return 1
	}
	return t.speed
}

// SetSpeed makes play faster or slower, from MinSpeed to MaxSpeed.
func (t *Timeline) SetSpeed(x float64) {
	if !math.IsNaN(x) {
		t.speed = min(max(x, MinSpeed), MaxSpeed)
	}
}

// Seek goes to a position.
func (t *Timeline) Seek(x float64) {
	if math.IsNaN(x) {
		return
	}
	t.at, t.rest = min(max(x, 0), t.End), 0
	if !t.Smooth {
		t.at = math.Floor(t.at)
	}
}

// Forward goes to the next whole position, and pauses.
func (t *Timeline) Forward() {
	t.Pause()
	t.Seek(math.Floor(t.at) + 1)
}

// Back goes to the whole position before, and pauses.
func (t *Timeline) Back() {
	t.Pause()
	t.Seek(math.Ceil(t.at) - 1)
}

// Play lets time pass, from the start where the end was reached.
func (t *Timeline) Play() {
	if t.End <= 0 {
		return
	}
	if t.at >= t.End {
		t.at = 0
	}
	t.playing, t.rest = true, 0
}

// Toggle plays, or pauses.
func (t *Timeline) Toggle() {
	if t.playing {
		t.Pause()
	} else {
		t.Play()
	}
}

// To pauses and goes to a position, as whoever drags a slider wants.
func To(x float64) func(t *Timeline) {
	return func(t *Timeline) {
		t.Pause()
		t.Seek(x)
	}
}

// Pause stops.
func (t *Timeline) Pause() { t.playing, t.rest = false, 0 }

// Tick lets seconds pass, and says whether the position changed.
func (t *Timeline) Tick(seconds float64) bool {
	if !t.playing || !(seconds > 0) || !(t.Pace > 0) {
		return false
	}
	before := t.at
	t.rest += seconds * t.Speed() / t.Pace
	move := t.rest
	if !t.Smooth {
		move = math.Floor(t.rest)
	}
	t.rest -= move
	t.at += move
	if t.at >= t.End {
		if t.Loop {
			t.at = math.Mod(t.at, t.End)
		} else {
			t.at = t.End
			t.Pause()
		}
	}
	return t.at != before
}
