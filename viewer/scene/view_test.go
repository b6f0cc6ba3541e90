package scene

import (
	"testing"

	"genussink/viewer/timeline"
)

// The fill has one meaning at a time, and what lies over it is told.
func TestShowing(t *testing.T) {
	var v View
	v.looks.Split, v.looks.Densities, v.looks.Flow = true, true, true
	var p Separation
	var w Treewidth
	p.reset()
	w.reset()
	b := Playback{mass: MassParticles, line: timeline.Timeline{End: 1, Smooth: true}}
	task := TaskSeparators
	see := func(what string, want Showing) {
		t.Helper()
		want.Moving = MassParticles
		if got := v.showing(task, &p, &w, &b, &Inspection{}, &Query{}, &Transport{}, false); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	see("without a tree", Showing{Densities: true})
	p.tree = tree(9, 2)
	see("a split", Showing{Fill: FillSeparation, Dots: true, Outlines: true})
	b.flow, b.shown = &paths{}, true
	b.line.Seek(0.5)
	see("in motion", Showing{Fill: FillSeparation, Dots: true, Outlines: true, Mass: InMotion})
	b.line.Seek(1)
	see("arrived", Showing{Fill: FillSeparation, Dots: true, Outlines: true, Mass: AtTarget})
	task = TaskTransport
	see("a split under transport", Showing{Hairline: true, Dots: true, Densities: true, Mass: AtTarget})
	task = TaskSeparators
	if on := v.showing(task, &p, &w, &b, &Inspection{}, &Query{}, &Transport{}, true); on.Mass != AtRest {
		t.Errorf("while a person paints: %+v", on)
	}
	p.focus(0)
	see("a cell", Showing{Fill: FillSeparation, Dots: true})
	p.focus(-1)
	w.bag = 3
	see("a bag", Showing{Fill: FillBag, Dots: true})
	v.taught = true
	see("a lesson's split over a bag", Showing{Fill: FillSeparation, Dots: true, Densities: true, Mass: AtTarget})
	v.taught = false
	w.elimination = &elimination{}
	see("an elimination", Showing{Fill: FillElimination, Dots: true})
	w.reset()
	v.looks.Split, v.looks.Densities, v.looks.Flow = false, false, false
	see("nothing asked for", Showing{})
}
