package job

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The methods.
const (
	Exact     = "exact"     // hub labels, or a tree decomposition where one of small width is found at once
	Certified = "certified" // hub labels, every distance within delta
	Embedded  = "embedded"  // hub labels of a host of small treewidth, every distance at most delta too long
	Sampled   = "sampled"   // the paper's recursion on thinned separators, approximate
	Tree      = "tree"      // the paper's recursion, along a tree decomposition where one of small width is found at once
	Dense     = "dense"     // the matrix

	// These look at the densities first: their kernels are of these alone.
	Support   = "support"   // true distances between the vertices that have mass
	Quantized = "quantized" // mass gathered in cells
	Auto      = "auto"      // of support, quantized and exact the quickest that is accurate enough
)

// Methods are the names of all methods.
var Methods = []string{Auto, Support, Quantized, Exact, Certified, Embedded, Sampled, Tree, Dense}

// Exp is exp(-d/epsilon) of a distance d, Sinkhorn's own function.
const Exp = "exp"

// Functions are the names of all functions of a distance, without parameters: see core/kernel.
var Functions = []string{Exp, "inverse", "poly", "rational", "cauchy", "squared", "gauss", "features"}

// The hosts of the method embedded.
const (
	Nested   = "nested"   // treewidth O(log n / delta)
	Emulated = "emulated" // as the paper does, O((log log n)^2 / delta), which is wider on all meshes measured
)

// How exact and certified keep distances.
const (
	Float32 = "float32"
	Float64 = "float64"
)

// Length is a length: a fraction of the diagonal of the mesh's bounding box or, with Units, a number of mesh units.
type Length struct {
	Value float64
	Units bool
}

// Fraction is a length as a fraction of the diagonal.
func Fraction(x float64) Length { return Length{Value: x} }

// Units is a length in mesh units.
func Units(x float64) Length { return Length{Value: x, Units: true} }

// String writes a length as the tool reads it: 0.2, or 0.5u in mesh units.
func (l Length) String() string {
	s := strconv.FormatFloat(l.Value, 'g', -1, 64)
	if l.Units {
		s += "u"
	}
	return s
}

// KernelSpec says which kernel is wanted, a function of the distances over epsilon, and how it is to be made. All but Epsilon
// has a default, and Delta, which certified and embedded need. It does not say how many threads there are: the process and its team
// use all that they have, and the kernel is the same.
type KernelSpec struct {
	Method          string // one of Methods; "": exact
	Function        string // of distance over epsilon, as core/kernel reads it; "": exp. Others only of exact, certified and embedded, and balanced
	Epsilon         Length
	Delta           Length // certified and embedded: by how much a distance may be wrong
	Host            string // embedded: the graph that stands in for the mesh's; "": nested
	Precision       string // exact and certified: how distances are kept; "": float32, but float64 where float32 cannot express lengths or delta, and for exact where its rounding shows
	Levels          int    // tree and sampled: most levels of separators, the paper's depth h; 0: until pieces are small
	Sample          Sample // sampled
	Representatives int    // quantized: so many cells and no more, whatever the accuracy; 0: as many as that needs, for Apply 500
}

// Sample is how the method sampled thins out separators: the zero value is
// the paper's practical variant.
type Sample struct {
	Keep     int    // vertices to keep of each, 0 for log log n
	Farthest bool   // keep vertices far apart, not random ones
	Seed     uint64 // of all choices
}

// SpecError says what is wrong with a KernelSpec.
type SpecError struct {
	Option, Value string // as the tool's flags name them
	Why           string
}

func (e *SpecError) Error() string { return fmt.Sprintf("%s %s: %s", e.Option, e.Value, e.Why) }

// Bounded says whether the distances of a method may be wrong by a delta that is asked for.
func Bounded(method string) bool { return method == Certified || method == Embedded }

// Layered says whether a method has the paper's tree of separators, whose depth may be chosen.
func Layered(method string) bool { return method == Tree || method == Sampled }

// Whole says whether a method's kernel is of the whole graph, and not of two balanced densities. A reach needs that, and debiasing.
func Whole(method string) bool {
	return method != Support && method != Quantized && method != Auto
}

// Complete checks what can be checked without the mesh, and fills in the defaults. Two complete specifications that are
// equal are of the same kernel. An error is a *SpecError.
func (s KernelSpec) Complete() (KernelSpec, error) {
	for _, name := range []struct {
		of   *string
		base string
	}{{&s.Method, Exact}, {&s.Function, Exp}} {
		if *name.of == "" {
			*name.of = name.base
		}
	}
	if s.Host == "" && s.Method == Embedded {
		s.Host = Nested
	}
	refuse := func(option, value, format string, args ...any) (KernelSpec, error) {
		return s, &SpecError{option, value, fmt.Sprintf(format, args...)}
	}
	stored := s.Method == Exact || s.Method == Certified
	switch {
	case !slices.Contains(Methods, s.Method):
		return refuse("method", s.Method, "there are %s", listed(Methods))
	case s.Function != Exp && s.Method != Exact && !Bounded(s.Method):
		return refuse("kernel", s.Function, "the method %s has exp alone; exact, certified and embedded have others", s.Method)
	case !s.Epsilon.positive():
		return refuse("epsilon", s.Epsilon.String(), "must be positive and finite")
	case Bounded(s.Method) && !s.Delta.positive():
		return refuse("delta", s.Delta.String(), "the method %s needs one, positive and finite", s.Method)
	case !Bounded(s.Method) && s.Delta.Value != 0:
		return refuse("delta", s.Delta.String(), "the method %s has no error to allow", s.Method)
	case s.Method != Embedded && s.Host != "":
		return refuse("host", s.Host, "only the method embedded has one")
	case s.Method == Embedded && s.Host != Nested && s.Host != Emulated:
		return refuse("host", s.Host, "there are nested and emulated")
	case s.Precision != "" && s.Precision != Float64 && s.Precision != Float32:
		return refuse("precision", s.Precision, "there are float64 and float32")
	case s.Precision != "" && !stored:
		return refuse("precision", s.Precision, "the method %s has no choice, only exact and certified have", s.Method)
	case s.Sample.Keep < 0:
		return refuse("keep", strconv.Itoa(s.Sample.Keep), "must not be negative")
	case s.Levels < 0:
		return refuse("levels", strconv.Itoa(s.Levels), "must not be negative")
	case s.Levels != 0 && !Layered(s.Method):
		return refuse("levels", strconv.Itoa(s.Levels), "only the methods tree and sampled have a depth of their own")
	case s.Method != Sampled && s.Sample.Keep != 0:
		return refuse("keep", strconv.Itoa(s.Sample.Keep), "the method %s samples nothing", s.Method)
	case s.Method != Sampled && s.Sample.Farthest:
		return refuse("portals", "farthest", "the method %s samples nothing", s.Method)
	case s.Representatives < 0:
		return refuse("representatives", strconv.Itoa(s.Representatives), "must not be negative")
	case s.Method != Quantized && s.Representatives > 0:
		return refuse("representatives", strconv.Itoa(s.Representatives), "the method %s has none", s.Method)
	}
	if s.Method != Sampled {
		s.Sample = Sample{} // a seed may be of something else
	}
	if !Bounded(s.Method) {
		s.Delta = Length{}
	}
	return s, nil
}

func (l Length) positive() bool { return l.Value > 0 && !math.IsInf(l.Value, 1) }

// listed joins words as a sentence does.
func listed(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Kernel is what was made in answer to a KernelSpec, lengths in mesh units.
type Kernel struct {
	Method      string
	Requested   string  // the method asked for, where Method is another; else ""
	Note        string  // why it is another, a sentence
	Function    string  // of distance over epsilon
	Share       float64 // proved: by what share of itself the function may be off, the distance being right; 0 of exp
	Epsilon     float64 // mesh units
	Delta       float64 // certified and embedded: how wrong a distance was allowed to be, mesh units; NaN elsewhere
	Bound       float64 // proved: how wrong a distance may be, hence the entropic optimum, mesh units, and entries are within a factor exp(Bound/Epsilon) of the exact ones; of exact in float32 by rounding; NaN of sampled and quantized
	Host        string  // embedded: of which name; "" elsewhere
	Precision   string  // how distances are kept: float32 or float64
	Width       int     // of the tree decomposition whose bags were the separators; -1: they were found otherwise
	Depth       int     // levels of separators in the tree that products go along, the paper's h; -1 of methods that have no such tree
	Crosses     Crosses
	MemoryBytes int64 // held by the tree and the kernel
}

// Crosses says how a method multiplies between the two sides of separators: how many
// of these products had which form. It is zero for dense, and for kernels whose parts are at members.
type Crosses struct {
	Single int // all pairs at one distance but for each side's own: two sums
	Range  int // range searching
	Cover  int // hub by hub, as a cover of patches found them: exact, certified and embedded
	Pairs  int // pair by pair
	Leaves int // not a cross: what is not separated further, pair by pair; of the same methods
}

// Forecasted says what was not begun, because it would take more seconds than Patience or more bytes than Limit, and what
// could be done in its place. Of a tree only the seconds are said.
type Forecasted struct {
	Asked    Outlook
	Others   []Outlook // that fit the limit, what is closest to the exact answer first
	Patience float64   // seconds
	Limit    int64     // bytes
}

// Outlook is what a kernel and a solve with it are expected to take on this mesh and machine, to a factor of two.
type Outlook struct {
	KernelSpec
	Bytes   int64   // held by tree and kernel
	Seconds float64 // until there is a plan
}
