package job

// The methods of others that the paper compares with.
const (
	Greenkhorn  = "greenkhorn"
	Screenkhorn = "screenkhorn" // half of the vertices are screened
	Sparse      = "sparse"      // a truncated kernel
	Heat        = "heat"        // the geodesic heat kernel
	Nystroem    = "nystroem"    // of low rank
	Ambient     = "ambient"     // linear Sinkhorn: positive random features of the positions
)

// Contenders are the methods that Benchmark compares, dense and exact first: errors are against them.
var Contenders = []string{Dense, Exact, Certified, Embedded, Sampled, Tree, Greenkhorn, Screenkhorn, Sparse, Heat, Nystroem, Ambient}

// Refused begins the Note of a method that could not be measured.
const Refused = "refused: "

// Benchmark runs methods one after the other on the open mesh, each from nothing, with the kernel exp and balanced masses. Answer: a
// Benchmarking for each method, then Benchmarked. It is Failed from an engine without engine.Options.Benchmark.
type Benchmark struct {
	Epsilon        Length
	Source, Target []float64 // as in Solve
	Methods        []string  // of Contenders, in any order; empty: all
	Particles      int       // of each plan, as in Flow
}

// Benchmarking is an interim answer: what one method took. NaN stands for what is not known.
type Benchmarking struct {
	Method, Setting string
	Note            string  // why something is missing: in words, for a person
	Cost            float64 // of its plan on true distances, mesh units
	Error           float64 // |Cost - reference| / reference
	Bound           float64 // by how much a distance may be wrong at most, mesh units; +Inf: any length
	MarginalError   float64 // L1, share of the mass
	Setup, Solve    float64 // seconds; the cost is in neither
	Iterations      int     // of Greenkhorn the updates of a row or a column, of Screenkhorn the evaluations of the dual
	PeakBytes       int64   // the most that the heap held above what the mesh takes, with garbage

	Flowing // the mass on the move by its plan; empty where there is no plan
}

// Benchmarked says that all methods have been told of.
type Benchmarked struct {
	Reference string // the method whose cost errors are against; "": none, and errors are not known
}
