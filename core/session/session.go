// Package session is what a person has made of a page, as data: which mesh, the
// settings, the camera, and the painting as the steps that made it. It has one
// form with two envelopes. A link (Link, ParseLink) is a query string: it names
// the mesh, and carries the painting where that fits. A file (Encode, Decode)
// holds the same text, the whole painting with its way back, and the mesh's own
// bytes, so that it stands alone.
//
// The same steps on the same mesh make the same densities: bit for bit in the
// program that painted them, to 1e-12 of the largest value in another, where
// exp may differ in the last place. Densities that no steps make anew, and
// those of very long paintings, travel as values.
package session

import (
	"fmt"
	"math"

	"genussink/core/job"
)

// Session is what a person has made of a page. Zero values mean "not said",
// but for Level, where that is -1.
type Session struct {
	Mesh   string      // what names the mesh: one of the gallery, an address; "" if Kind says it, or for an own file
	Kind   string      // the generator that makes it
	Params []job.Param // of the generator
	File   *job.Load   // the mesh's own bytes, in files only; nil for a generator's

	Repairs []string // that the mesh's bytes need before they are this mesh: job.RepairWeld and so on
	Unit    string   // what one mesh unit is, in a person's words; "": what the format says

	Level   int // of the separator tree that is shown
	Finder  string
	Balance float64 // no side has more than 1-Balance of the vertices; 0 the default, a third
	Cut     Cut     // of the separation taken from the Pareto list, zero: none was

	Method  string
	Kernel  string  // its function of distance over epsilon, as core/kernel reads it; "": exp
	Epsilon float64 // fraction of the diagonal
	Reach   float64 // of unbalanced transport, fraction of the diagonal; 0: balanced
	Debias  bool    // find the Sinkhorn divergence too
	Delta   float64 // fraction of the diagonal
	Depth   int     // most levels of the separators that products go along; 0: until pieces are small

	Radius   float64 // of the brush, fraction of the diagonal
	Strength float64 // of the brush, 0 to 1
	On, Off  []string
	Mass     string  // how moving mass is shown
	Speed    float64 // of playback
	Moment   float64 // at which mass stands still on its way, 0 to 1; 0: it is played
	Cell     int     // of the separator tree, that is in focus; 0, the whole mesh's, is not
	Bag      string  // of the tree decomposition that a search finds, that is shown: "centroid" or "widest"; "": none
	Gone     int     // vertices that its elimination order has taken away, where that is shown; 0: it is not
	Field    Field   // that colours the mesh
	Camera   *Camera
	Task     string // the tab; "": what On and Off suggest
	Section  Section

	Painting *Painting // nil: the densities that a mesh begins with, First

	Kept []Kept // the densities that a barycentre lies between

	Odd []string // what the link says besides, which nobody knows: sentences
}

// Own says whether the mesh is a file of a person's own, which no link names.
func (s *Session) Own() bool { return s.Mesh == "" && s.Kind == "" }

// Kept is a density that a barycentre lies between.
type Kept struct {
	Painting *Painting // the last of its states is meant
	Target   bool      // the painting's target, else its source
	Weight   float64   // 0 to 1
}

// LeastBetween is the least epsilon of the page's barycentres, a fraction of the diagonal: with less they take minutes.
const LeastBetween = 0.05

// MaxKept is how many a session keeps at most.
const MaxKept = 4

// First is the preset that a mesh begins with.
const First = "paper"

// Toggles are the names that On and Off may hold.
var Toggles = []string{"wireframe", "smooth", "split", "densities", "flow", "arrows", "loop", "hidden"}

// Cut tells the separations of a Pareto list apart: each is larger and better
// balanced than the one before. A mesh has the same list everywhere.
type Cut struct{ S, Smaller int } // vertices in the separator and in the smaller side

// Section is a plane that cuts the mesh.
type Section struct {
	Axis     string  // that it is normal to, one of Axes; "": none cuts it
	Position float64 // along the mesh's extent, 0 to 1
}

// Field is a number of every vertex that colours the mesh.
type Field struct {
	Name string // in the page's words; "": none
	From int    // the vertex that distances are measured from
}

// Axes are what a Section may be normal to: the mesh's axes, and the direction of view.
var Axes = []string{"x", "y", "z", "view"}

// Camera is where the camera stands, in view units: the mesh's bounding box is
// centred at the origin and has a half diagonal of 1.
type Camera struct {
	Yaw, Pitch   float64 // radians
	Size         float64 // half the shorter side of the view
	Target       [3]float64
	Orthographic bool
	Up           int // the axis that points up: 0, 1, 2 for x, y, z
}

// Painting is the steps that made the densities, and where among them they
// stand.
type Painting struct {
	Vertices int // of the mesh
	Steps    []job.Step
	First    int // undo reaches back to the densities after Steps[:First]
	Now      int // the densities are those after Steps[:Now]; the further ones can be redone

	packed  []byte    // as a file has it, once asked for
	outcome *Painting // once asked for
}

// Since is the place of the step that the densities after steps begin with:
// those before it do not matter.
func Since(steps []job.Step) int {
	for i := len(steps) - 1; i > 0; i-- {
		if steps[i].Begins() {
			return i
		}
	}
	return 0
}

// Outcome is a painting of the same densities, without the way back and forth.
// As with a session's link and file, the painting must not change after it has
// been asked for.
func (p *Painting) Outcome() *Painting {
	if p.outcome == nil {
		from := Since(p.Steps[:p.Now])
		steps := p.Steps[from:p.Now:p.Now]
		p.outcome = &Painting{Vertices: p.Vertices, Steps: steps, First: len(steps), Now: len(steps)}
	}
	return p.outcome
}

// first says whether the densities are those that a mesh begins with.
func (p *Painting) first() bool {
	steps := p.Outcome().Steps
	return len(steps) == 1 && steps[0].Kind == job.StepMeasure && steps[0].Measure == job.Measure{Preset: First}
}

// Request asks an engine to make the densities anew, from those that undo
// reaches back to.
func (p *Painting) Request() *job.Paint {
	return &job.Paint{Vertices: p.Vertices, Steps: p.Steps, First: p.First}
}

func (p *Painting) check() error {
	if p.Vertices < 1 || p.Vertices > math.MaxInt32 {
		return fmt.Errorf("a painting on %d vertices", p.Vertices)
	}
	if p.First < 0 || p.First > p.Now || p.Now > len(p.Steps) {
		return fmt.Errorf("a painting of %d steps that stands at %d and goes back to %d", len(p.Steps), p.Now, p.First)
	}
	for i := range p.Steps {
		if err := checkStep(&p.Steps[i], p.Vertices); err != nil {
			return fmt.Errorf("step %d of the painting: %w", i+1, err)
		}
	}
	return nil
}

func checkStep(s *job.Step, n int) error {
	switch {
	case s.Stroke():
		if !(s.Radius >= 0) || math.IsInf(s.Radius, 1) {
			return fmt.Errorf("a brush of radius %g", s.Radius)
		}
		if !(s.Strength >= 0 && s.Strength <= 1) {
			return fmt.Errorf("a brush of strength %g", s.Strength)
		}
		if len(s.Pressures) != 0 && len(s.Pressures) != len(s.Centres) {
			return fmt.Errorf("%d pressures for %d dabs", len(s.Pressures), len(s.Centres))
		}
		for _, v := range s.Centres {
			if v < 0 || int(v) >= n {
				return fmt.Errorf("a dab at vertex %d of %d", v, n)
			}
		}
	case s.Kind == job.StepValues:
		for k, values := range [][]float64{s.Source, s.Target} {
			name := [2]string{"source", "target"}[k]
			if len(values) != n {
				return fmt.Errorf("%d values of the %s for %d vertices", len(values), name, n)
			}
			for v, x := range values {
				if !(x >= 0) || math.IsInf(x, 1) {
					return fmt.Errorf("the %s at vertex %d is %g", name, v, x)
				}
			}
		}
	case s.Kind == job.StepMeasure, s.Kind == job.StepClear, s.Kind == job.StepSwap, s.Kind == job.StepBalance:
	default:
		return fmt.Errorf("the kind %q is unknown", s.Kind)
	}
	return nil
}
