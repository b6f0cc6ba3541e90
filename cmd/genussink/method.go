package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"

	"genussink/core/job"
	"genussink/core/session"
)

// method is the flags that say how the kernel is made and multiplied with.
type method struct {
	name, kernel   string
	host           string
	precision      string
	epsilon, delta length
	sample         job.Sample
	portals        string

	accuracy        float64
	representatives int
}

func (m *method) declare(fs *flag.FlagSet) {
	fs.Var(&m.epsilon, "epsilon", "regularisation: a fraction of the bounding box's diagonal, or with a u behind it mesh units: 0.2, 0.5u")
	fs.Var(&m.delta, "delta", "certified and embedded: by how much a distance may be wrong, written as epsilon is")
	fs.StringVar(&m.name, "method", "exact", "exact (hub labels; the tree of a tree decomposition where one of width 16 or less is found at once), certified (hub labels, each distance within delta; exact is taken instead, and said, where that is no slower), embedded (hub labels of a graph of small treewidth, a host, no distance more than delta too long), sampled (the paper's practical variant, approximate), quantized (mass gathered in cells, with an estimate of the exact cost), support (true distances between the vertices that have mass alone, exact), auto (of support, quantized and exact the quickest that is accurate enough), tree (the paper's recursion, along a tree decomposition where one of width 32 or less is found at once) or dense (all pairs)")
	fs.StringVar(&m.host, "host", "nested", "embedded: how the graph of small treewidth is made: nested (width O(log n / delta)) or emulated (the paper's Theorem 3.3, O((log log n)^2 / delta), which is wider on all meshes measured)")
	fs.StringVar(&m.precision, "precision", "", "exact and certified: how distances are kept, float32, which makes a distance longer by at most 1e-6 of the longest, or float64, which takes up to twice the memory; by default float32, but float64 where float32 cannot express the lengths or delta, and for exact where its rounding could exceed 1e-5 epsilon and there is room")
	fs.StringVar(&m.portals, "portals", "random", "sampled: which separator vertices are kept: random, or farthest from one another")
	fs.IntVar(&m.sample.Keep, "keep", 0, "sampled: how many separator vertices are kept; 0: log log n")
	fs.IntVar(&m.sample.Levels, "levels", 0, "sampled: most levels of separators; 0: until pieces are small")
	fs.Uint64Var(&m.sample.Seed, "seed", 0, "seed of random choices")
	fs.Float64Var(&m.accuracy, "accuracy", 1e-3, "quantized and auto: how wrong the cost may be by its estimate, as a share of it")
	fs.IntVar(&m.representatives, "representatives", 0, "quantized: so many cells and no more, whatever the accuracy; 0: as many as that needs")
	fs.StringVar(&m.kernel, "kernel", "exp", "function of distance over epsilon: exp")
}

func (m *method) check() error {
	switch {
	case !m.epsilon.set:
		return usagef("needs -epsilon E")
	case m.epsilon.value == 0:
		return usagef("-epsilon 0: must be positive")
	case !slices.Contains([]string{"auto", "support", "quantized", "exact", "certified", "embedded", "sampled", "tree", "dense"}, m.name):
		return usagef("-method %s: there are auto, support, quantized, exact, certified, embedded, sampled, tree and dense", m.name)
	case !(m.accuracy > 0):
		return usagef("-accuracy %g: must be positive", m.accuracy)
	case m.representatives < 0:
		return usagef("-representatives %d: must not be negative", m.representatives)
	case m.representatives > 0 && m.name != "quantized":
		return usagef("-representatives %d: the method %s has none", m.representatives, m.name)
	case m.portals != "random" && m.portals != "farthest":
		return usagef("-portals %s: there are random and farthest", m.portals)
	case m.sample.Keep < 0 || m.sample.Levels < 0:
		return usagef("-keep and -levels must not be negative")
	case m.name != "sampled" && (m.portals != "random" || m.sample.Keep != 0 || m.sample.Levels != 0):
		return usagef("-portals, -keep and -levels: the method %s samples nothing", m.name)
	case !slices.Contains([]string{"nested", "emulated"}, m.host):
		return usagef("-host %s: there are nested and emulated", m.host)
	case m.host != "nested" && m.name != "embedded":
		return usagef("-host %s: only the method embedded has one", m.host)
	case !slices.Contains([]string{"", "float64", "float32"}, m.precision):
		return usagef("-precision %s: there are float64 and float32", m.precision)
	case m.precision != "" && m.name != "exact" && m.name != "certified":
		return usagef("-precision %s: the method %s has no choice", m.precision, m.name)
	case m.kernel != "exp":
		return usagef("-kernel %s: there is exp", m.kernel)
	case m.bounded() && m.delta.value == 0:
		return usagef("-method %s needs -delta D, more than 0", m.name)
	case !m.bounded() && m.delta.value != 0:
		return usagef("-delta %v: the method %s has no error to allow", &m.delta, m.name)
	}
	if m.name != "embedded" {
		m.host = ""
	}
	m.sample.Farthest = m.portals == "farthest"
	return nil
}

// take is a session's settings where no flag was typed.
func (m *method) take(typed map[string]bool, s *session.Session) {
	if !typed["epsilon"] && s.Epsilon > 0 {
		m.epsilon = length{value: s.Epsilon, set: true}
	}
	if !typed["method"] && s.Method != "" {
		m.name = s.Method
	}
	if !typed["delta"] && s.Delta > 0 && m.bounded() {
		m.delta = length{value: s.Delta, set: true}
	}
}

// bounded says whether the method's distances may be off by delta.
func (m *method) bounded() bool { return m.name == "certified" || m.name == "embedded" }

// solveFlags is the flags of a solve, which query shares.
type solveFlags struct {
	method
	source, target, measures string
	components               string
	balance                  bool
	tolerance                float64
	iterations               int
	painting                 *session.Painting // of a session, unless flags name densities
}

func (f *solveFlags) declare(fs *flag.FlagSet) {
	f.method.declare(fs)
	fs.StringVar(&f.source, "source", "", "source density: a file of one number per vertex, in vertex order; - is standard input")
	fs.StringVar(&f.target, "target", "", "target density, likewise")
	fs.StringVar(&f.measures, "measures", "", "a pair of densities by name instead: paper, two-spots, uniform, area")
	fs.StringVar(&f.components, "components", "each", "-measures, of a mesh in several components, between which mass cannot move: each has its own source and target, or the largest alone")
	fs.BoolVar(&f.balance, "balance", false, "scale the target in every component to the mass that the source has there, and leave out what has no counterpart")
	fs.Float64Var(&f.tolerance, "tolerance", 1e-9, "marginal error (L1, of a total mass of 1) to stop at")
	fs.IntVar(&f.iterations, "iterations", 0, "most iterations; 0: 10000")
}

func (f *solveFlags) check() error {
	if err := f.method.check(); err != nil {
		return err
	}
	switch {
	case (f.source == "") != (f.target == "") || (f.source == "") == (f.measures == "" && f.painting == nil):
		return usagef("needs either -source FILE and -target FILE or -measures NAME")
	case f.components != "each" && f.components != "largest":
		return usagef("-components %s: there are each and largest", f.components)
	case f.components != "each" && f.measures == "":
		return usagef("-components goes with -measures")
	case f.balance && f.measures != "":
		return usagef("-balance goes with -source and -target: those of -measures are balanced")
	case f.source == "-" && f.target == "-":
		return usagef("-source and -target cannot both be standard input")
	case !(f.tolerance > 0) || math.IsInf(f.tolerance, 1):
		return usagef("-tolerance %g: must be positive and finite", f.tolerance)
	case f.iterations < 0:
		return usagef("-iterations %d: must not be negative", f.iterations)
	}
	return nil
}

// take is a session's settings and densities where no flag was typed.
func (f *solveFlags) take(typed map[string]bool, s *session.Session) {
	f.method.take(typed, s)
	switch {
	case typed["source"] || typed["target"] || typed["measures"]:
	case s.Painting != nil:
		f.painting = s.Painting.Outcome()
	default:
		f.measures = session.First
	}
}

// solve opens the mesh and solves; the commands that ask a plan begin with it.
func (f *solveFlags) solve(c *call) (*engineSession, *job.Loaded, *job.Solved, error) {
	s, loaded, made, err := f.open(c)
	if err != nil {
		return nil, nil, nil, err
	}
	solved, err := f.plan(s, made)
	return s, loaded, solved, err
}

// open opens the mesh and reads or makes the densities.
func (f *solveFlags) open(c *call) (*engineSession, *job.Loaded, *job.Measured, error) {
	in, err := c.readInput(f.take, f.check)
	if err != nil {
		return nil, nil, nil, err
	}
	s, loaded, err := c.begin(&in)
	if err != nil {
		return nil, nil, nil, err
	}
	made := &job.Measured{}
	switch {
	case f.painting != nil:
		painted, err := ask[*job.Painted](s, f.painting.Request())
		if err != nil {
			return nil, nil, nil, err
		}
		made = &painted.States[len(painted.States)-1]
	case f.measures != "":
		if made, err = ask[*job.Measured](s, &job.Measure{Preset: f.measures, Components: f.components}); err != nil {
			return nil, nil, nil, err
		}
	default:
		if made.Source, err = c.readVector(f.source, loaded.Report.Vertices); err != nil {
			return nil, nil, nil, err
		}
		if made.Target, err = c.readVector(f.target, loaded.Report.Vertices); err != nil {
			return nil, nil, nil, err
		}
	}
	if f.balance {
		if made, err = ask[*job.Measured](s, &job.Balance{Source: made.Source, Target: made.Target}); err != nil {
			return nil, nil, nil, err
		}
	}
	if made.Note != "" {
		s.notes = []string{made.Note}
	}
	return s, loaded, made, nil
}

// plan solves.
func (f *solveFlags) plan(s *engineSession, made *job.Measured) (*job.Solved, error) {
	solved, err := ask[*job.Solved](s, &job.Solve{
		Source: made.Source, Target: made.Target,
		Epsilon: f.epsilon.value, EpsilonUnits: f.epsilon.units, Method: f.name, Kernel: f.kernel,
		Delta: f.delta.value, DeltaUnits: f.delta.units, Host: f.host, Precision: f.precision,
		Tolerance: f.tolerance, MaxIterations: f.iterations, Sample: f.sample,
		Accuracy: f.accuracy, Representatives: f.representatives,
	})
	var failed *failure
	if errors.As(err, &failed) && failed.Kind == "unequal" {
		err = fmt.Errorf("%w; -balance scales the target to the source's mass in every component", err)
	}
	return solved, err
}
