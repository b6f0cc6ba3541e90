package main

import (
	"errors"
	"flag"
	"fmt"
	"math"

	"genussink/core/job"
	kernels "genussink/core/method"
	"genussink/core/session"
)

// method is the flags that say how the kernel is made and multiplied with.
type method struct {
	job.KernelSpec
	epsilon, delta length
	portals        string
	accuracy       float64
}

// defaultAccuracy is a tenth of a per cent of the cost.
const defaultAccuracy = 1e-3

func (m *method) declare(fs *flag.FlagSet) {
	fs.Var(&m.epsilon, "epsilon", "how much the plan is blurred: a fraction of the bounding box's diagonal (0.2), or mesh units with a u (0.5u)")
	fs.Var(&m.delta, "delta", "certified and embedded: by how much a distance may be wrong, written as epsilon is")
	fs.StringVar(&m.Method, "method", job.Exact, methodHelp)
	fs.StringVar(&m.Host, "host", "", hostHelp)
	fs.StringVar(&m.Precision, "precision", "", precisionHelp)
	fs.StringVar(&m.portals, "portals", "random", "sampled: which separator vertices are kept: random ones, or those farthest from one another")
	fs.IntVar(&m.Sample.Keep, "keep", 0, "sampled: how many separator vertices are kept; 0: log log n")
	fs.IntVar(&m.Levels, "levels", 0, "tree and sampled: most levels of separators, the paper's depth h; 0: until pieces are small")
	fs.Uint64Var(&m.Sample.Seed, "seed", 0, "seed of random choices")
	fs.Float64Var(&m.accuracy, "accuracy", defaultAccuracy, "quantized and auto: the error that the cost may have by its estimate, as a share of the cost")
	fs.IntVar(&m.Representatives, "representatives", 0, "quantized: how many cells, whatever the accuracy; 0: as many as the accuracy needs")
	fs.StringVar(&m.Function, "kernel", job.Exp, kernelHelp)
}

// A method a line.
const methodHelp = `how the kernel is computed:
exact      all distances, by hub labels; along a tree decomposition where one of width 16 or less is found at once
certified  each distance wrong by at most -delta; exact in its place where that is no slower
embedded   distances of a host, a graph of small treewidth: too long by at most -delta
sampled    the paper's practical variant: approximate, without a bound
quantized  mass gathered in cells, with an estimate of the exact cost
support    exact, with distances between vertices that have mass alone
auto       support, quantized or exact: the quickest that is accurate enough
tree       exact, by the paper's recursion; along a tree decomposition where one of width 32 or less is found at once
dense      all pairs, in a matrix
`

const hostHelp = `embedded: how the host is made. With n vertices and delta a fraction of the diameter:
nested     of width O(log n / delta); the default
emulated   of width O((log log n)^2 / delta), the paper's Theorem 3.3; wider on all meshes measured`

const precisionHelp = `exact and certified: how distances are kept.
float32    a distance gets longer by at most 1e-6 of the longest
float64    up to twice the memory
The default is float32. It is float64 where float32 cannot hold the lengths or delta. For exact it is float64, too, where rounding could
exceed 1e-5 epsilon and there is memory.`

// What is proved and what is not is said here.
const kernelHelp = `function f of x, which is distance over epsilon; plans are u f v. Others than exp take -method exact, certified or embedded.
exp        exp(-x), of entropic transport
inverse    1/(x+1)
cauchy:lambda=L,c=C,p=P
           exp(L x)/(x+C)^P, L <= 0; L and P are 0 and 1 if left out
rational:P0,P1,.../Q0,Q1,...
           a quotient of polynomials that is a sum of terms w/(x+c), w and c positive
squared    exp(-x^2), of squared distance: W2; gauss:s=S is exp(-x^2/S). Take certified: a product takes 6 to 8 times as long as one of
           exp at 3,000 to 9,000 vertices, and grows with their square. With exact it takes some ten times as long again
poly:C0,C1,...
           C0 + C1 x + ..., which must fall and be positive up to the longest distance. As long as squared
features:count=N,seed=S,f=F
           what N random features make of F, exp or gauss:s=S: scaled so that f(0) is right. As long as squared
inverse, cauchy and rational are sums of exponentials. kernel_error is proved: by what share of itself f may be off. f must be positive up to the
longest distance, but for squared distance, whose entries may be as small as they are.
Proved: the iteration converges for every positive f; its plan has the least cost -epsilon log f(x)/f(0), plus epsilon KL(P | a b^T).
Observed only: how fast, and that such plans are short for the distance itself. cost is of the distance.`

// check completes the specification.
func (m *method) check() error {
	switch {
	case !m.epsilon.set:
		return usagef("needs -epsilon E")
	case m.portals == "farthest" && m.Method != job.Sampled:
		return usagef("-portals %s: is of the method sampled", m.portals)
	case m.portals != "random" && m.portals != "farthest":
		return usagef("-portals %s: must be random or farthest", m.portals)
	case !(m.accuracy > 0):
		return usagef("-accuracy %g: must be positive", m.accuracy)
	case m.accuracy != defaultAccuracy && m.Method != job.Quantized && m.Method != job.Auto:
		return usagef("-accuracy %g: only the methods quantized and auto have an estimate to keep to", m.accuracy)
	}
	m.Epsilon, m.Delta, m.Sample.Farthest = m.epsilon.Length, m.delta.Length, m.portals == "farthest"
	if _, err := m.Complete(); err != nil {
		return usagef("-%v", err)
	}
	if _, err := kernels.Function(m.Function); err != nil {
		return usagef("-%v", err)
	}
	return nil
}

// take is a session's settings where no flag was typed.
func (m *method) take(typed map[string]bool, s *session.Session) {
	if !typed["epsilon"] && s.Epsilon > 0 {
		m.epsilon = length{job.Fraction(s.Epsilon), true}
	}
	if !typed["method"] && s.Method != "" {
		m.Method = s.Method
	}
	if !typed["kernel"] && s.Kernel != "" {
		m.Function = s.Kernel
	}
	if !typed["delta"] && s.Delta > 0 && job.Bounded(m.Method) {
		m.delta = length{job.Fraction(s.Delta), true}
	}
	if !typed["levels"] && job.Layered(m.Method) {
		m.Levels = s.Depth
	}
}

// solveFlags is the flags of a solve, which query shares.
type solveFlags struct {
	method
	source, target, measures string
	components               string
	balance                  bool
	reach                    length
	debias, debiased         bool // of solve alone; what a session says
	tolerance                float64
	iterations               int
	painting                 *session.Painting // of a session, unless flags name densities
}

func (f *solveFlags) declare(fs *flag.FlagSet) {
	f.method.declare(fs)
	fs.StringVar(&f.source, "source", "", "source density: a file of one number per vertex, in vertex order; - is standard input")
	fs.StringVar(&f.target, "target", "", "target density, likewise")
	fs.StringVar(&f.measures, "measures", "", "a pair of densities by name instead: paper, two-spots, uniform, area")
	fs.StringVar(&f.components, "components", "each", "-measures on a mesh in several components: each has its own source and target, or only the largest has mass")
	fs.BoolVar(&f.balance, "balance", false, "in every component, scale the target to the mass of the source; mass without a counterpart is left out")
	fs.Var(&f.reach, "reach", "unbalanced: how far mass moves rather than be destroyed here and created there, written as epsilon is; totals may differ; of the kernel exp alone")
	fs.Float64Var(&f.tolerance, "tolerance", 1e-9, "marginal error (L1, of a total mass of 1) to stop at")
	fs.IntVar(&f.iterations, "iterations", 0, "most iterations; 0: 10000")
}

func (f *solveFlags) check() error {
	if err := f.method.check(); err != nil {
		return err
	}
	switch {
	case (f.source == "") != (f.target == "") || (f.source == "") == (f.measures == "" && f.painting == nil):
		return usagef("needs either -source FILE and -target FILE, or -measures NAME")
	case f.components != "each" && f.components != "largest":
		return usagef("-components %s: must be each or largest", f.components)
	case f.components != "each" && f.measures == "":
		return usagef("-components needs -measures")
	case f.balance && f.measures != "":
		return usagef("-balance needs -source and -target; densities of -measures are balanced already")
	case f.reach.set && f.reach.Value == 0:
		return usagef("-reach 0: must be positive")
	case f.reach.set && !job.Whole(f.Method):
		return usagef("-reach needs another -method than %s, whose kernel is of balanced densities", f.Method)
	case f.debias && f.reach.set:
		return usagef("-debias is of balanced transport, it has no -reach")
	case f.debias && !job.Whole(f.Method):
		return usagef("-debias needs another -method than %s, whose kernel is of the two densities", f.Method)
	case f.reach.set && f.balance:
		return usagef("-reach needs no -balance: masses may differ")
	case f.source == "-" && f.target == "-":
		return usagef("-source and -target cannot both be standard input")
	case !(f.tolerance > 0) || math.IsInf(f.tolerance, 1):
		return usagef("-tolerance %g: must be positive and finite", f.tolerance)
	case f.iterations < 0:
		return usagef("-iterations %d: must not be negative", f.iterations)
	}
	return nil
}

// about are the fields that say which kernel was made.
func about(k *job.Kernel) []field {
	return []field{
		{"epsilon", k.Epsilon},
		{"delta", k.Delta},
		{"method", k.Method},
		{"requested_method", orNil(k.Requested)},
		{"note", orNil(k.Note)},
		{"host", orNil(k.Host)},
		{"kernel", k.Function},
		{"kernel_error", k.Share},
	}
}

// begin opens a mesh, and notes what a share of its diagonal is of.
func (m *method) begin(c *call, in *input) (*engineSession, *job.Loaded, error) {
	s, loaded, err := c.begin(in)
	if err == nil && !m.epsilon.Units && job.Laid(loaded.Timings) {
		s.notes = append(s.notes, "The file has no coordinates: the diagonal is that of a computed drawing. A u behind a number, as in -epsilon 5u, means lengths of the file.")
	}
	return s, loaded, err
}

// take is a session's settings and densities where no flag was typed.
func (f *solveFlags) take(typed map[string]bool, s *session.Session) {
	f.method.take(typed, s)
	if !typed["reach"] && s.Reach > 0 {
		f.reach = length{job.Fraction(s.Reach), true}
	}
	f.debiased = s.Debias && !typed["debias"]
	switch {
	case typed["source"] || typed["target"] || typed["measures"]:
	case s.Painting != nil:
		f.painting = s.Painting.Outcome()
	default:
		f.measures = session.First
	}
}

// open opens the mesh and reads or makes the densities.
func (f *solveFlags) open(c *call) (*engineSession, *job.Loaded, *job.Measured, error) {
	in, err := c.readInput(f.take, f.check)
	if err != nil {
		return nil, nil, nil, err
	}
	s, loaded, err := f.begin(c, &in)
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
		if made.Source, err = c.readDensity(f.source, loaded.Report.Vertices); err != nil {
			return nil, nil, nil, err
		}
		if made.Target, err = c.readDensity(f.target, loaded.Report.Vertices); err != nil {
			return nil, nil, nil, err
		}
	}
	if f.balance {
		if made, err = ask[*job.Measured](s, &job.Balance{Source: made.Source, Target: made.Target}); err != nil {
			return nil, nil, nil, err
		}
	}
	if made.Note != "" {
		s.notes = append([]string{made.Note}, s.notes...)
	}
	return s, loaded, made, nil
}

// plan solves.
func (f *solveFlags) plan(s *engineSession, made *job.Measured) (*job.Solved, error) {
	solved, err := ask[*job.Solved](s, &job.Solve{
		KernelSpec: f.KernelSpec, Source: made.Source, Target: made.Target, Reach: f.reach.Length, Debias: f.debias,
		Tolerance: f.tolerance, MaxIterations: f.iterations, Accuracy: f.accuracy,
	})
	var failed *failure
	if errors.As(err, &failed) && failed.Kind == "unequal" {
		err = fmt.Errorf("%w; -balance scales the target to the source's mass in every component, -reach lets them differ", err)
	}
	return solved, err
}
