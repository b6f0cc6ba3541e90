package main

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/viewer/scene"
	"genussink/viewer/timeline"
)

// fills are what a mesh's colours can mean.
var fills = append([]string{"split", "source", "target", "densities", "transport", "displacement", "defects", "bag", "elimination", "field", "plain"}, pageFields...)

// dense are those that show densities, or what becomes of them.
var dense = []string{"source", "target", "densities", "transport", "displacement"}

// pageFields are what the page finds of each vertex, in its words.
var pageFields = []string{string(scene.FieldMean), string(scene.FieldGaussian), string(scene.FieldDegree), string(scene.FieldDistance), string(scene.FieldLevel), string(scene.FieldOcclusion)}

// fillHelp says so of each.
const fillHelp = "what the colours mean: split (the separators' sides down to -level), source, target or densities (mass), transport (mass on its way), displacement (how far the mean of what a vertex sends is away), mean or gaussian (curvature), degree (edges at the vertex), distance (along edges from -vertex), level (of the separator tree), occlusion (share of the sky that the mesh hides), field (the numbers of -field), defects (drawn on a plain mesh), bag (of a tree decomposition, -bag says which, with the components that it leaves), elimination (of the first -gone vertices of its order) or plain"

// viewFlags is the flags that say what of a mesh is shown.
type viewFlags struct {
	solveFlags
	what, field string
	finder      string
	level       int
	vertex      int
	bag         string
	gone        int
	search      time.Duration
	theme       string
}

func (v *viewFlags) declare(fs *flag.FlagSet) {
	v.solveFlags.declare(fs)
	// As the page has them.
	v.epsilon = length{job.Fraction(scene.DefaultEpsilon), true}
	v.Method = scene.Automatic
	fs.Lookup("epsilon").DefValue = v.epsilon.String()
	fs.Lookup("method").DefValue = v.Method
	fs.StringVar(&v.what, "what", "split", fillHelp)
	fs.StringVar(&v.field, "field", "", "-what field: a file of one number per vertex, in vertex order; nan where there is none")
	fs.StringVar(&v.finder, "finder", "", "how separators are found; by default the best for its time")
	fs.IntVar(&v.level, "level", 0, "last level of the separator tree that is shown; 0: the first separation alone")
	fs.IntVar(&v.vertex, "vertex", 0, "-what distance: the vertex that distances are measured from")
	fs.StringVar(&v.bag, "bag", "centroid", "-what bag: which of the narrowest decomposition found, centroid or widest")
	fs.IntVar(&v.gone, "gone", 0, "-what elimination: how many vertices are eliminated")
	fs.DurationVar(&v.search, "search", bestTimeout, "-what bag or elimination: most time for the search for a tree decomposition")
	fs.StringVar(&v.theme, "theme", "dark", "the colours' theme: dark or light")
}

func (v *viewFlags) check() error {
	switch {
	case !slices.Contains(fills, v.what):
		return usagef("-what %s: must be one of %s", v.what, strings.Join(fills, ", "))
	case (v.source != "" || v.target != "") && !slices.Contains(dense, v.what):
		return usagef("-source and -target are not seen with -what %s: take one of %s", v.what, strings.Join(dense, ", "))
	case (v.what == "field") != (v.field != ""):
		return usagef("-what field needs -field FILE, and -field needs -what field")
	case v.level < 0 || v.level > 64:
		return usagef("-level %d: must be 0 to 64", v.level)
	case v.vertex < 0:
		return usagef("-vertex %d: must be 0 or more", v.vertex)
	case v.bag != "centroid" && v.bag != "widest":
		return usagef("-bag %s: must be centroid or widest", v.bag)
	case v.gone < 0:
		return usagef("-gone %d: must be 0 or more", v.gone)
	case v.search <= 0 || v.search > time.Hour:
		return usagef("-search %v: must be more than 0 and at most an hour", v.search)
	case v.vertex != 0 && v.what != string(scene.FieldDistance):
		return usagef("-vertex is not seen with -what %s: take %s", v.what, scene.FieldDistance)
	case v.bag == "widest" && v.what != "bag":
		return usagef("-bag is not seen with -what %s: take bag", v.what)
	case v.gone != 0 && v.what != "elimination":
		return usagef("-gone is not seen with -what %s: take elimination", v.what)
	case v.theme != "dark" && v.theme != "light":
		return usagef("-theme %s: must be dark or light", v.theme)
	}
	if v.source == "" && v.target == "" && v.measures == "" && v.painting == nil {
		v.measures = session.First
	}
	solve := v.solveFlags // what a check settles is settled for each mesh anew
	return solve.check()
}

// view is a mesh with what is known of it, as far as that was asked for.
type view struct {
	flags     *viewFlags
	s         *engineSession
	loaded    *job.Loaded
	densities *job.Measured
	separated *job.Separated
	solved    *job.Solved
	moved     []float64 // by vertex, 3 numbers: from it to the mean of what it sends
	field     []float64
}

// needs is what a view has to know.
type needs struct{ cells, densities, plan, moved bool }

// needs of what is shown.
func (v *viewFlags) needs() needs {
	moved := v.what == "displacement"
	plan := moved || v.what == "transport"
	return needs{cells: v.what == "split" || v.what == string(scene.FieldLevel), densities: plan || v.what == "source" || v.what == "target" || v.what == "densities", plan: plan, moved: moved}
}

// look opens a mesh and finds out what is needed.
func (v *viewFlags) look(c *call, n needs) (w *view, err error) {
	w = &view{flags: v}
	solve := v.solveFlags
	if n.densities {
		w.s, w.loaded, w.densities, err = solve.open(c)
	} else {
		w.s, w.loaded, err = c.openMesh(c.args[0])
	}
	if err != nil {
		return nil, err
	}
	if n.cells {
		depth := v.level + 1
		if v.what == string(scene.FieldLevel) {
			depth = 0 // all of it
		}
		if w.separated, err = ask[*job.Separated](w.s, &job.Separate{Finder: v.finder, Depth: depth}); err != nil {
			return nil, err
		}
		if levels := w.levels(); v.level > 0 && v.level >= levels {
			return nil, fmt.Errorf("%s: -level %d: the separator tree has the levels 0 to %d", c.args[0], v.level, levels-1)
		}
	}
	if v.what == string(scene.FieldDistance) && v.vertex >= w.vertices() {
		return nil, fmt.Errorf("%s: -vertex %d: the vertices are 0 to %d", c.args[0], v.vertex, w.vertices()-1)
	}
	if n.plan {
		if w.solved, err = solve.plan(w.s, w.densities); err != nil {
			return nil, err
		}
	}
	if n.moved {
		centred, err := ask[*job.Centred](w.s, &job.Centres{})
		if err != nil {
			return nil, err
		}
		w.moved = centred.Positions
		for i := range w.moved {
			w.moved[i] -= w.loaded.Positions[i]
		}
	}
	switch v.what {
	case "field":
		w.field, err = c.readNumbers(v.field, w.vertices(), func(x float64) error {
			if math.IsInf(x, 0) {
				return fmt.Errorf("%g is not a finite number", x)
			}
			return nil
		})
		if err == nil && len(w.field) != w.vertices() {
			err = fmt.Errorf("%s: %d numbers, the mesh has %d vertices", v.field, len(w.field), w.vertices())
		}
	case "displacement":
		w.field = make([]float64, w.vertices())
		for k := range w.field {
			w.field[k] = math.NaN()
			if w.densities.Source[k] > 0 {
				w.field[k] = math.Hypot(math.Hypot(w.moved[3*k], w.moved[3*k+1]), w.moved[3*k+2])
			}
		}
	}
	return w, err
}

func (w *view) vertices() int { return len(w.loaded.Positions) / 3 }

// levels is how many the tree has.
func (w *view) levels() int {
	levels := 0
	for _, n := range w.separated.Nodes {
		if n.Left >= 0 || n.Right >= 0 {
			levels = max(levels, int(n.Depth)+1)
		}
	}
	return levels
}

// bounds are the field's smallest and largest value; a length begins at 0.
func (w *view) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range w.field {
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	switch {
	case low > high:
		return 0, 0
	case w.flags.what == "displacement":
		low = 0
	}
	return low, high
}

// scene is the page's state that shows the view. Its requests are answered with
// what is known already, and the engine is asked for the particles' paths.
func (w *view) scene() (*scene.Scene, error) {
	s := scene.New()
	s.View.ReducedMotion(true)
	s.View.Light(w.flags.theme == "light")
	s.OpenFile(w.loaded.Name, nil, nil, "")
	if err := w.answer(s); err != nil {
		return nil, err
	}
	if w.flags.what == "split" {
		s.Task(scene.TaskSeparators)
	}
	s.View.Flow(w.flags.what == "transport")
	s.Separation.Level(w.flags.level)
	if w.flags.what == "transport" {
		s.Play()
		if err := w.answer(s); err != nil {
			return nil, err
		}
		s.Playback.Pause()
	}
	return s, nil
}

// scale is what the colours of a field are read off.
type scale struct {
	low, high float64
	label     string
}

// fieldLabels are what the page's fields are in.
var fieldLabels = map[scene.Field]string{
	scene.FieldMean: "per mesh unit", scene.FieldGaussian: "per square mesh unit", scene.FieldDegree: "edges", scene.FieldDistance: "mesh units",
	scene.FieldLevel: "0 at the root", scene.FieldOcclusion: "share of the sky",
}

// color colours the scene by the field that is asked for, nil of none, or draws the defects.
func (w *view) color(s *scene.Scene) (*scale, error) {
	switch what := w.flags.what; {
	case w.field != nil:
		low, high := w.bounds()
		s.ShowValues(w.field, low, high)
		if what == "displacement" {
			return &scale{low, high, "displacement, mesh units"}, nil
		}
		return &scale{low, high, w.flags.field}, nil
	case slices.Contains(pageFields, what):
		f := scene.Field(what)
		s.ShowField(f)
		s.MeasureFrom(int32(w.flags.vertex))
		if err := w.answer(s); err != nil {
			return nil, err
		}
		st := s.State().Field
		if !st.Shown {
			return nil, fmt.Errorf("%s: %s", w.loaded.Name, st.Missing)
		}
		return &scale{st.From, st.To, f.Name() + ", " + fieldLabels[f]}, nil
	case what == "defects":
		s.Task(scene.TaskInspect)
		s.Inspect()
		return nil, w.answer(s)
	case what == "bag", what == "elimination":
		return nil, w.study(s)
	}
	return nil, nil
}

// study searches for a tree decomposition, and shows a bag of it or its elimination order.
func (w *view) study(s *scene.Scene) error {
	s.Task(scene.TaskTreewidth)
	s.FindTreewidth()
	if err := w.answer(s); err != nil {
		return err
	}
	d := s.State().Treewidth
	switch gone := w.flags.gone; {
	case w.flags.what == "bag" && w.flags.bag == "widest":
		s.ShowBag(d.Widest)
	case w.flags.what == "bag":
		s.ShowBag(d.Centroid)
	case gone > w.vertices():
		return fmt.Errorf("%s: -gone %d: the mesh has %d vertices", w.loaded.Name, gone, w.vertices())
	default:
		s.Eliminate(timeline.To(float64(gone)))
		if !s.State().Treewidth.Elimination.Shown {
			return fmt.Errorf("%s: -what elimination: the mesh is too large for it", w.loaded.Name)
		}
	}
	return nil
}

// answer answers the scene's requests until there are none.
func (w *view) answer(s *scene.Scene) error {
	shown := w.flags.needs()
	for requests := s.Outbox(); len(requests) > 0; requests = s.Outbox() {
		for _, r := range requests {
			if d, ok := r.Body.(*job.Decompose); ok {
				d.Seconds = w.flags.search.Seconds()
			}
			var answer job.Body
			switch r.Body.(type) {
			case *job.Load:
				answer = w.loaded
			case *job.Measure:
				answer = &job.Cancelled{}
				if shown.densities {
					d := *w.densities
					if w.flags.what == "source" || w.flags.what == "target" {
						d.Source, d.Target = w.alone(w.flags.what)
					}
					answer = &d
				}
			case *job.Separate:
				if !shown.cells {
					continue
				}
				answer = w.separated
			case *job.Solve:
				if !shown.plan {
					continue
				}
				answer = w.solved
			case *job.Flow, *job.Shade, *job.Inspect, *job.Brush, *job.Decompose:
				if err := w.forward(s, r); err != nil {
					return err
				}
				continue
			default:
				continue
			}
			s.Handle(job.Event{ID: r.ID, Body: answer})
		}
		s.Drawn()
	}
	return nil
}

// alone is one density with nothing in the place of the other.
func (w *view) alone(which string) (source, target []float64) {
	none := make([]float64, w.vertices())
	if which == "source" {
		return w.densities.Source, none
	}
	return none, w.densities.Target
}

// forward has the engine answer a request of the scene's.
func (w *view) forward(s *scene.Scene, r job.Request) (err error) {
	w.s.e.Run(w.s.c.ctx, r, func(e job.Event) {
		switch b := e.Body.(type) {
		case *job.Progress:
			w.s.c.progress.show(b.Stage, b.Fraction)
		case *job.Failed:
			err = &failure{w.s.file, b}
		case *job.Cancelled:
			err = w.s.c.ctx.Err()
			if err == nil {
				err = fmt.Errorf("%T was cancelled", r.Body)
			}
		default:
			s.Handle(e)
		}
	})
	return err
}
