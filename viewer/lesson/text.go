package lesson

import (
	"fmt"

	"genussink/viewer/lesson/model"
)

// This file holds every word of the lessons. A sentence that states a number or
// a theorem names its source in square brackets; a number in braces is computed
// from what is shown (text_test.go).

// References are the sources that sentences name.
var References = map[string]Reference{
	"paper": {"K. Choromanski, D. Long, A. Parashar, D. Saha: Near-linear time generalized Sinkhorn algorithms for bounded genus graphs. 2026."}, //nolint:misspell // a title, as it is printed
	"LT79":  {"R. J. Lipton, R. E. Tarjan: A separator theorem for planar graphs. SIAM Journal on Applied Mathematics 36, 1979, 177-189."},
	"GHT84": {"J. R. Gilbert, J. P. Hutchinson, R. E. Tarjan: A separator theorem for graphs of bounded genus. Journal of Algorithms 5, 1984, 391-407."},
	"RS86":  {"N. Robertson, P. D. Seymour: Graph minors II. Algorithmic aspects of tree-width. Journal of Algorithms 7, 1986, 309-322."},
	"ACP87": {"S. Arnborg, D. G. Corneil, A. Proskurowski: Complexity of finding embeddings in a k-tree. SIAM Journal on Algebraic and Discrete Methods 8, 1987, 277-284."},
	"B98":   {"H. L. Bodlaender: A partial k-arboretum of graphs with bounded treewidth. Theoretical Computer Science 209, 1998, 1-45."},
	"BWK06": {"H. L. Bodlaender, T. Wolle, A. M. C. A. Koster: Contraction and treewidth lower bounds. Journal of Graph Algorithms and Applications 10, 2006, 5-49."},
	"BK10":  {"H. L. Bodlaender, A. M. C. A. Koster: Treewidth computations I. Upper bounds. Information and Computation 208, 2010, 259-275."},
	"C15":   {"M. Cygan and others: Parameterized algorithms. Springer, 2015."},
	"B80":   {"J. L. Bentley: Multidimensional divide-and-conquer. Communications of the ACM 23, 1980, 214-229."},
	"C13":   {"M. Cuturi: Sinkhorn distances: lightspeed computation of optimal transport. Advances in Neural Information Processing Systems 26, 2013, 2292-2300."},
	"PC19":  {"G. Peyré, M. Cuturi: Computational optimal transport. Foundations and Trends in Machine Learning 11, 2019, 355-607."},
	"AWR17": {"J. Altschuler, J. Weed, P. Rigollet: Near-linear time approximation algorithms for optimal transport via Sinkhorn iteration. Advances in Neural Information Processing Systems 30, 2017."},
	"shown": {"Computed from what is on the screen."},
	"here":  {"GenusSink's documentation: the package comments of separator, hub, treekernel, sgfi, treehost, treedec, method and transport."},
}

// Glossary has a line for every term that sentences mark.
var Glossary = map[string]string{
	"separator":          "A set S of vertices whose removal leaves two sides A and B without an edge between them.",
	"balance":            "The smaller side's share of all vertices.",
	"bag":                "A set of vertices at a node of a tree decomposition.",
	"tree decomposition": "A tree of bags in which every vertex and every edge is in a bag, and the bags of each vertex hang together.",
	"width":              "The size of the largest bag, less one.",
	"treewidth":          "The least width of any tree decomposition of a graph.",
	"elimination":        "To take a vertex away and join its neighbours with each other.",
	"fill edge":          "An edge that an elimination adds.",
	"clique":             "Vertices of which every pair is joined.",
	"minor":              "What is left of a graph after edges are contracted and vertices or edges removed.",
	"centroid":           "A bag that leaves no piece with more than half the vertices.",
	"genus":              "How many handles a surface has: none for a sphere, one for a torus.",
	"planar":             "Of a graph: it can be drawn in the plane without crossings.",
	"separator tree":     "A tree whose nodes split their part of the graph by a separator.",
	"block":              "The part of the kernel's matrix with rows in A and columns in B.",
	"aggregate":          "Vertices that a block stores as one row or column: their distances to its hubs differ by one amount, or nearly.",
	"kernel":             "The matrix exp(-d(i,j)/epsilon) of all pairs of vertices.",
	"hub":                "A vertex through which the shortest paths of many pairs run.",
	"plan":               "How much mass goes from each vertex to each other.",
	"marginal":           "What a row or a column of the plan holds in all.",
	"epsilon":            "How much the plan is blurred, in the unit of the distances.",
	"dual":               "A second problem, each of whose values is a lower bound of the first one's.",
	"gap":                "The difference between a plan's value and the dual value.",
	"density":            "Mass on the vertices.",
}

const (
	mathHead = `<math xmlns="http://www.w3.org/1998/Math/MathML">`
	mathTail = `</math>`
)

// Formulas are those that sentences name.
var Formulas = map[string]Formula{
	"planar-bound": {mathHead + `<mo>|</mo><mi>S</mi><mo>|</mo><mo>≤</mo><msqrt><mrow><mn>8</mn><mi>n</mi></mrow></msqrt>` + mathTail,
		"The size of S is at most the square root of 8 n."},
	"genus-bound": {mathHead + `<mo>|</mo><mi>S</mi><mo>|</mo><mo>=</mo><mi>O</mi><mo>(</mo><msqrt><mrow><mo>(</mo><mi>g</mi><mo>+</mo><mn>1</mn><mo>)</mo><mi>n</mi></mrow></msqrt><mo>)</mo>` + mathTail,
		"The size of S grows at most like the square root of g plus 1, times n."},
	"width": {mathHead + `<munder><mi>max</mi><mi>t</mi></munder><mo>|</mo><msub><mi>X</mi><mi>t</mi></msub><mo>|</mo><mo>-</mo><mn>1</mn>` + mathTail,
		"The size of the largest bag, less one."},
	"via": {mathHead + `<mi>d</mi><mo>(</mo><mi>i</mi><mo>,</mo><mi>j</mi><mo>)</mo><mo>=</mo><munder><mi>min</mi><mrow><mi>s</mi><mo>∈</mo><mi>S</mi></mrow></munder><mo>(</mo><mi>d</mi><mo>(</mo><mi>i</mi><mo>,</mo><mi>s</mi><mo>)</mo><mo>+</mo><mi>d</mi><mo>(</mo><mi>s</mi><mo>,</mo><mi>j</mi><mo>)</mo><mo>)</mo>` + mathTail,
		"For each s in S, add the distances from i to s and from s to j. The least sum is the distance of i and j."},
	"child-graph": {mathHead + `<msup><mi>G</mi><mi>S</mi></msup><mo>[</mo><mi>A</mi><mo>∪</mo><mi>S</mi><mo>]</mo>` + mathTail,
		"The graph on A and S, with edges between the vertices of S as long as their distances in G."},
	"outer": {mathHead + `<mi>exp</mi><mo>(</mo><mo>-</mo><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo><mo>)</mo><mo>=</mo><mi>exp</mi><mo>(</mo><mo>-</mo><mi>a</mi><mo>)</mo><mo>·</mo><mi>exp</mi><mo>(</mo><mo>-</mo><mi>b</mi><mo>)</mo>` + mathTail,
		"The exponential of minus a sum is the product of the exponentials."},
	"line": {mathHead + `<msub><mi>a</mi><mn>1</mn></msub><mo>-</mo><msub><mi>a</mi><mn>2</mn></msub><mo>≤</mo><msub><mi>b</mi><mn>2</mn></msub><mo>-</mo><msub><mi>b</mi><mn>1</mn></msub>` + mathTail,
		"The first vertex serves the pair where a1 less a2 is at most b2 less b1."},
	"scaling": {mathHead + `<msub><mi>P</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><msub><mi>u</mi><mi>i</mi></msub><mi>exp</mi><mo>(</mo><mo>-</mo><mi>d</mi><mo>(</mo><mi>i</mi><mo>,</mo><mi>j</mi><mo>)</mo><mo>/</mo><mi>ε</mi><mo>)</mo><msub><mi>v</mi><mi>j</mi></msub>` + mathTail,
		"The plan's entry is u of the row, times the kernel, times v of the column."},
}

// The nouns that figures count.
const (
	vertexNoun    noun = "vertex|vertices"
	edgeNoun      noun = "edge|edges"
	neighbourNoun noun = "neighbour|neighbours"
	bagNoun       noun = "bag|bags"
	nodeNoun      noun = "node|nodes"
	distanceNoun  noun = "distance|distances"
	rowNoun       noun = "row|rows"
	columnNoun    noun = "column|columns"
	operationNoun noun = "operation|operations"
	iterationNoun noun = "iteration|iterations"
)

// Why a step of the reader's own graph shows the lesson's.
const (
	noPair   = "No pair of vertices cuts your graph evenly enough, with pairs served by either. So the lesson's ring is shown."
	noBlock  = "GenusSink stores no block of your graph: it is too small, or too narrow. So the lesson's graph is shown."
	noPlan   = "No way leads from vertex to vertex of your graph, or it is too large for a plan. So the lesson's path is shown."
	noDetour = "No side of a cut of your graph needs a shortcut. So the lesson's ring is shown."
)

// predictFirst is said where a check has nothing to check yet.
const predictFirst = "Make your prediction first: the field is marked."

// PredictionStays is said beside a prediction once the answer is shown.
const PredictionStays = "The answer is shown, so your prediction stays. To predict again, start over."

// Whose says what is shown in the place of the lesson's graph.
func Whose(g *model.Graph) string {
	return fmt.Sprintf("Shown: %s, %s and %s. Distances count edges here.", g.Name, vertexNoun.of(g.N), edgeNoun.of(len(g.Edges)))
}

// Why a step has no numbers.
const (
	tooLong      = "It would take longer, or more memory, than a lesson has."
	noAnswer     = "The engine gave no answer to that."
	noFairCut    = "The finder has no fair cut of this graph."
	otherTree    = "The engine's tree is not of this graph."
	notSplit     = "There is no separator here: every vertex is a neighbour of every other."
	notConverged = "It has not converged in the time that a lesson has."
	nothingCross = "This graph's first split has no separator to cross."
	noMethod     = "The method %s gives no answer here. %s"
	otherMethod  = "It was solved by %s. %s"
)

// What is said of sources, commands and parts of graphs.
const (
	cited         = " Cited: %s."
	lessonCommand = "genussink lesson %s"
	onFile        = " FILE"
	onPart        = " FILE -around %d"
	partOf        = " around vertex %d"
)

// brokenRules say which rule of a tree decomposition is broken, and at which vertex or pair of vertices.
var brokenRules = map[string]string{
	"vertex":    "Vertex %[1]s is in no bag.",
	"edge":      "No bag holds both %[1]s and %[2]s, which are joined by an edge.",
	"connected": "The bags with %[1]s do not hang together.",
}

// Titles of graphs and trees, and formats of what figures name, lesson by lesson.
const (
	graphDesc  = "%s: %s, %s"
	treeDesc   = "%s, width %d"
	plainGraph = "The graph"

	// Lesson 1
	graphToCut = "The graph to cut"
	findersCut = "The finder's cut"
	pickedCut  = "The cut that you picked"
	gridCut    = "A grid and its smallest fair cut"
	sizeDot    = "%s, %.0f in S"

	// Lesson 2
	itsDecomposition = "Its tree decomposition"
	bagsToFill       = "Fill the empty bags"
	bagsToNarrow     = "Make the bags smaller"
	narrowestFound   = "The narrowest that was found"

	// Lesson 3
	firstElimination = "Eliminate one vertex"
	allEliminations  = "Eliminate all vertices"
	bagsSoFar        = "The bags so far"
	leastDegree      = "The rule of least degree"
	contraction      = "Contract the vertex of fewest neighbours into one of them"
	narrowest        = "The narrowest decomposition"
	eliminationDot   = "Elimination %d: %s"

	// Lesson 4
	itsBags    = "Its bags"
	bagLeaves  = "What the bag leaves"
	bagToPick  = "Pick a bag"
	leavesUp   = "From the leaves up"
	piecesPick = "Pick a piece to move it to the other side"
	pieceLabel = "%s …"

	// Lesson 5
	firstSplit    = "The first split"
	cellToSplit   = "The cell that splits"
	whereToCross  = "Which separator vertex does the path cross?"
	oneSide       = "One side with its separator"
	smallGraph    = "The graph of the first steps"
	separatorTree = "The separator tree"
	nodesDesc     = "%s; a node splits its cell by a separator"
	nodeLabel     = "S %d"
	levelDot      = "Level %d: %s"
	crossDot      = "Through %s"
	nodesDot      = "Level %d: %s, %s in separators"

	// Lesson 6
	treeCut     = "A tree, cut at one vertex"
	twoCut      = "Two separator vertices"
	servedPairs = "Who serves the pair"
	servedDesc  = "%s, %s; the colour is the separator vertex on the shortest path"
	stripCut    = "A strip, cut across"
	servedDot   = "%s, served"
	lostDot     = "%s, not served"
	workDot     = "|S| = %d: %s"
	blockPlace  = "Where the block lies"
	storedBlock = "The block as it is stored"
	storedDesc  = "%s, %s; each box is a run of one hub, in the rows that share it; bars tell how many vertices a row or a column stands for"

	// Lesson 7
	iterationsDot = "%.3f: %s"
	gapDot        = "Half step %d: the plan has %.4f, the dual %.4f"
	costDot       = "%s: %.4g at %.1f %%"

	// Lesson 8
	methodDot = "%s: cost %.4g, error %.3g, %.3g s, %.0f kB"
	memoryDot = "%s: %s, %.0f kB"
)

// The names of sliders.
const (
	gridSlider     = "k"
	treeSlider     = "n"
	pathSlider     = "epsilon / distance"
	stripSlider    = "|S|"
	diagonalSlider = "epsilon / diagonal"
	deltaSlider    = "delta"
)

// gridAndTorus are compared.
var gridAndTorus = []string{"The grid", "The torus: opposite ends are joined"}

// Captions, lesson by lesson.
var (
	// Lesson 1
	frontChart = caption{title: "Size against balance", desc: "Every dot is a separator that the finder knows; none beats another in both.", names: []string{"balance wanted"}}
	gridsChart = caption{"Separators of grids", "The size of the smallest fair cut that was found, by the number of vertices", "vertices n", "|S|", []string{"found", "√n", "√(8n)"}}

	// Lesson 2
	bagsTable = caption{title: "The bags", desc: "A row for each bag", names: []string{"Bag", "Vertices", "Size"}}

	// Lesson 3
	degreesChart = caption{"Neighbours at every elimination", "The width of an order is the highest point of its curve", "elimination", "neighbours", []string{"yours", "least degree"}}

	// Lesson 4
	piecesChart = caption{"The pieces", "The sizes of the pieces; pick one to move it to the other side", "piece", "vertices", nil}

	// Lesson 5
	distancesChart = caption{"Distances kept at every level", "The sum of |S| times the cell, level by level", "level", "distances", nil}
	crossChart     = caption{"The way through each separator vertex", "d(i,s) + d(s,j) for every s of the separator", "s of the separator", "d(i,s) + d(s,j)", nil}
	levelsChart    = caption{"Vertices in separators", "How many vertices the separators of each level have", "level", "vertices", nil}

	// Lesson 6
	productsChart   = caption{"Multiplications", "With the matrix and without, by the number of vertices", "vertices n", "multiplications", []string{"with the matrix", "as an outer product"}}
	searchChart     = caption{"One search", "A dot for the columns that lie alike, with their number; those to the right of the corner and above it are found", "b2 - b1", "b3 - b1", []string{"the row's corner"}}
	operationsChart = caption{"Operations of a product", "Additions, multiplications and comparisons, counted while they are done", "|S|", "operations", []string{"with the matrix", "range search"}}

	// Lesson 7
	planHeat     = caption{title: "The plan", desc: "A row is a vertex that sends mass, a column is a vertex that receives it. Bars are the sums of rows and columns. Outlines are what these sums should be."}
	pilesChart   = caption{"Two piles", "The source and the target density", "vertex", "mass", []string{"source", "target", "on its way"}}
	errorsChart  = caption{"Marginal errors", "How far the rows and the columns are from what they should hold, after every half step", "half step", "L1 error", []string{"rows", "columns"}}
	neededChart  = caption{"Iterations until the error is small", "By epsilon, as a share of the distance between the piles", "epsilon / distance", "iterations", nil}
	optimumChart = caption{"What is known of the value", "The value of a plan that fits, and the dual value, after every half step", "half step", "entropic cost", []string{"a plan that fits", "the dual"}}
	costsChart   = caption{"What the plan costs", "The cost at the slider's epsilon and at the sharpest, and what is allowed", "epsilon / diagonal", "cost", []string{"allowed"}}
	tracesChart  = caption{"Marginal errors", "The marginal error after every iteration, at both epsilons", "iteration", "L1 error", []string{"now", "sharpest"}}

	// Lesson 8
	methodsChart = caption{"Error against time", "Every method on the mesh at hand, measured now; the larger a dot, the more memory the method takes, on a logarithmic scale", "seconds", "error of the cost", []string{"the goal"}}
	memoryChart  = caption{"Memory", "What dense and exact keep of the kernel, by the vertices of a grid", "vertices n", "kB", nil}
	methodsTable = caption{title: "The methods", desc: "What every method found, how wrong that is, and what it took", names: []string{"Method", "Cost", "Error", "Seconds", "kB"}}
	boundChart   = caption{"Bound and measurement", "How wrong the certified distances may be, and how wrong the value is", "", "mesh units", []string{"bound", "measured"}}
	sampledChart = caption{"Costs", "The cost by the dense matrix and by sampled separators", "", "cost", nil}
)

// threeRules are those of a tree decomposition.
var threeRules = []string{
	"Every vertex is in a bag. In none: {loose}.",
	"Some bag holds both ends of every edge. In none: {uncovered}.",
	"The bags of every vertex hang together. Torn apart: {torn}.",
}

var lessonTexts = []Text{
	{
		Title: "Cutting fairly", Minutes: 5,
		About:   "Few vertices can hold a graph together. Find them.",
		Command: "genussink separate FILE -pareto",
		Steps: []StepText{
			{
				Title: "Two sides",
				Say:   "Take vertices away until the graph falls apart. What you take away is the *separator* S. What is left goes to the sides A and B, and no edge joins A with B. A cut is fair here when neither side holds more than two thirds of the {n vertex|vertices} [LT79 p. 177].",
				Do:    "Click vertices to remove them. Click again to put them back. Now A has {A}, S has {S} and B has {B}. The smaller side has {balance} of all vertices.",
				Why:   "A has {A vertex|vertices}, B has {B}, and S has {S}.",
				Hints: map[string]string{
					"open":     "There is still a long way open: it is marked. Which of its vertices would block it?",
					"lopsided": "The graph falls apart, but the marked side is too large. The largest piece has {largest vertex|vertices}.",
					"nothing":  "Nothing is left to separate. Put back the marked vertices and take fewer.",
				},
			},
			{
				Title:  "How small can S be?",
				Say:    "Later lessons work through S vertex by vertex, so a small S saves work. The finder is the part of GenusSink that looks for a small S. Can you do as well?",
				Do:     "Predict first. Then cut the graph fairly, with as few vertices as you can. Now A has {A}, S has {S} and B has {B}.",
				Ask:    "How many vertices does the smallest fair separator have?",
				Reveal: "The finder takes {found vertex|vertices}, and leaves sides of {foundA} and {foundB}. It does not prove that no smaller S exists [here separator].",
				Why:    "You took {S vertex|vertices}, and the finder takes {found}.",
				Hints: map[string]string{
					"open":     "There is still a long way open: it is marked. Block it at one of its vertices.",
					"lopsided": "The marked side holds too much: no side may have more than two thirds [LT79 p. 177].",
					"nothing":  "Nothing is left to separate. Put back the marked vertices.",
					"larger":   "Your cut has {S vertex|vertices}. A smaller one uses the marked vertices.",
					"spare":    "Your cut has {S vertex|vertices}. It is as fair without the marked ones: put them back.",
				},
			},
			{
				Title: "Size against balance",
				Say:   "A smaller separator may leave sides that are less even. The *balance* of a cut is the smaller side's share of all vertices. Each dot is one of the {cuts cut|cuts} that the finder knows: none beats another in both size and balance [here separator]. If your own cut left a side A and a side B, it is the dot with a name.",
				Do:    "Pick the cut with the smallest S among those with a balance of at least {want}.",
				Why:   "This cut has {pickS vertex|vertices} in S, and a balance of {pickBalance}.",
				Hints: map[string]string{
					"none":   "Pick a dot on the chart. The marked one is a good place to begin.",
					"uneven": "The balance of this cut is too small. Look at the marked dot, farther right.",
					"large":  "This cut is even enough, but the marked one is too, and its S is smaller.",
				},
			},
			{
				Title:   "How S grows",
				Say:     "A grid of {k row|rows} and {k column|columns} has {n vertex|vertices}. The finder's fair cut is shown.",
				Do:      "Move the slider and watch S. Then predict.",
				Ask:     "How does the smallest fair separator grow with the number n of vertices?",
				Choices: []string{"It stays the same", "Like the square root of n", "Like n itself"},
				Reveal:  "S grows like n to the power {slope}, and the square root is the power one half [shown]. A *planar* graph can be drawn without crossings. It always has a fair separator with $planar-bound$ [LT79 p. 177].",
				Why:     "A fair cut of these grids has about as many vertices as a row, and a row has the square root of n [shown].",
				Hints: map[string]string{
					"row":   "The marked vertices cut this grid fairly. Move the slider: how does their number grow, and how does n?",
					"curve": "Compare the marked ends of the curve. How many times larger does n become, and how many times larger S?",
					"wait":  "GenusSink is still cutting the grids. Check again in a moment.",
				},
			},
			{
				Title:  "Handles cost",
				Say:    "Join opposite ends of the grid. Now the graph lies on a torus: a surface with one handle, of *genus* 1 [GHT84 p. 391]. The grid has {n vertex|vertices}, and its cut has {gridS}.",
				Do:     "Compare the two drawings. Then predict to within a quarter of the true number.",
				Ask:    "The cut of the torus is how many times as large as that of the grid?",
				Reveal: "The torus needs {torusS}, which is {ratio} times as many. A graph on a surface of genus g has a separator with $genus-bound$ [GHT84 p. 391]. The mesh that is open has {meshN vertex|vertices}. It shows its first cut: {meshS vertex|vertices}, or {meshRoot} times the square root of n.",
				Why:    "One ring of vertices does not cut this torus apart: it takes about two [shown].",
				Hints:  map[string]string{"ring": "Think of the marked ring as taken away. Can you still walk around the torus the other way?"},
			},
		},
	},
	{
		Title: "A graph that looks like a tree", Minutes: 4,
		About:   "Bags of vertices that form a tree: the idea behind treewidth.",
		Shown:   "This graph stands for the paper's first figure, of which only the caption is known: seven vertices, and B, C and D leave two pieces [paper Fig. 1].",
		Command: "genussink treedec FILE",
		Steps: []StepText{
			{
				Title: "Bags",
				Say:   "A *tree decomposition* puts the {n vertex|vertices} into *bags|bag*, {bags} in all, and the bags form a tree. A vertex may be in several bags. Then these bags hang together: they are one piece of the tree [paper Sec. 2.1].",
				Do:    "Click vertices and watch their bags. Find a vertex that is in the most bags.",
				Why:   "This vertex is in {mine bag|bags}, and they are one piece of the tree.",
				Hints: map[string]string{"fewer": "Another vertex is in more bags: the marked ones. Which vertex is in all of them?"},
			},
			{
				Title: "Three rules",
				Say:   "A tree decomposition obeys three rules [paper Definition 2.1]. A rule that holds now has a green mark.",
				Rules: threeRules,
				Do:    "Fill the empty bags until all rules hold. Drag vertices into them, or pick a vertex and then a bag.",
				Why:   "All rules hold: this is a tree decomposition. Its *width* is {width}: the next step says what that is.",
				Hints: map[string]string{
					"vertex":    "{what} It is marked. Which bag holds its neighbours?",
					"edge":      "{what} The edge is marked. Put both of its ends into one bag.",
					"connected": "{what} The bags are marked. Put the vertex into the bags between them, or take it out of one.",
				},
			},
			{
				Title:  "Smaller bags?",
				Say:    "The *width* is the size of the largest bag, less one: $width$ [paper Sec. 2.1]. One is taken off so that trees have width 1 [B98 Sec. 11]. Your bags have width {width} now.",
				Rules:  threeRules,
				Do:     "Try to make the bags smaller. Drop a vertex into a bag to put it in, and once more to take it out. Keep the rules, and then predict.",
				Ask:    "What is the *treewidth*, the least width of all decompositions?",
				Reveal: "The narrowest decomposition found has width {upper}: it stands below yours. None has less than {lower} [BWK06 p. 5]. In general the treewidth is hard to find: the problem is NP-hard [ACP87 p. 277]. The idea is by Robertson and Seymour [RS86 p. 309].",
				Why:    "The treewidth is {upper}: some bag has to hold {largest vertex|vertices}.",
				Hints: map[string]string{
					"low":  "Your guess is too small. The marked vertices hold together most: how large a bag do they need?",
					"high": "The marked bag is the largest here. A decomposition narrower than your guess is known.",
				},
			},
			{
				Title:   "Four families",
				Say:     "Some graphs are like trees, and some are not at all. In a *clique* every vertex is joined to every other.",
				Do:      "Give a number for each graph.",
				Ask:     "What is the treewidth of the tree, the cycle, the grid and the clique?",
				Choices: []string{"tree", "cycle", "grid", "clique"},
				Reveal:  "The tree has {tree}, the cycle {cycle}, the grid {grid} and the clique {clique}. In general a tree has treewidth 1 [B98 Sec. 11], and a k x k grid has k [B98 Sec. 13.2]. No graph has less than the fewest neighbours of a vertex [BWK06 p. 5]. The cycle and the clique have no more than that [shown].",
				Why:     "A tree is as narrow as a graph with edges can be, and a clique is as wide.",
				Hints: map[string]string{
					"low":  "The {what} has a larger treewidth: look at the marked vertices.",
					"high": "The {what} has a smaller treewidth: even at the marked vertices no bag has to be so large.",
				},
			},
		},
	},
	{
		Title: "Eliminating", Minutes: 3,
		About:   "Take vertices away one by one: each makes a bag, and the bags form a tree.",
		Command: "genussink treedec FILE -method min-degree",
		Steps: []StepText{
			{
				Title: "One vertex",
				Say:   "To eliminate a vertex, join all its neighbours with each other, then take the vertex away. The new edges are *fill edges|fill edge*. The fewer there are, the better.",
				Do:    "Click a vertex whose *elimination* adds the fewest edges.",
				Why:   "This vertex has {degree neighbour|neighbours} and adds {fill edge|edges}: no vertex adds fewer [shown].",
				Hints: map[string]string{
					"none": "Click a vertex. The marked one is a good choice.",
					"fill": "Eliminating {what} joins the marked vertices. Look for a vertex whose neighbours are joined already.",
				},
			},
			{
				Title: "All vertices",
				Say:   "A vertex that is eliminated makes a bag: itself, and its neighbours of that moment. In the end all bags form a tree decomposition [B98 Sec. 7]. Now {left vertex is|vertices are} left, and {fill edge has|edges have} been added. The *width* so far is {width}.",
				Do:    "Eliminate all vertices, in any order. Undo takes the last one back.",
				Why:   "Your order has width {width}.",
				Hints: map[string]string{"left": "The marked vertices are still there: eliminate them too."},
			},
			{
				Title:   "Beat the rule",
				Command: "genussink treedec FILE",
				Say:     "At each step, the rule of least degree eliminates a vertex with the fewest neighbours. It is quick and often good [BK10 p. 259]. Here its order has width {rule}. Your order has width {width} so far, and {left vertex is|vertices are} left.",
				Do:      "Eliminate all vertices in an order of smaller width. Where there is none, an equal one will do. The timeline plays the rule's order.",
				Reveal:  "The narrowest order that was found has width {upper}.",
				Why:     "Your order has width {width}, and the rule's has {rule}.",
				Hints: map[string]string{
					"left": "The marked vertices are still there: eliminate them too.",
					"wide": "Your order became too wide at {what}, which is marked on the graph and on the curve. Eliminate others before it.",
				},
			},
			{
				Title:   "Why not narrower?",
				Command: "genussink treedec FILE",
				Say:     "To contract is to merge a vertex into a neighbour. What is left is a *minor*, and its treewidth is no larger [B98 Sec. 4]. Each step here contracts a vertex with the fewest neighbours: the treewidth is at least that many [BWK06 p. 5]. The largest such number so far is {sofar} [shown].",
				Do:      "Play the contraction, then predict.",
				Ask:     "What is the treewidth of this graph?",
				Reveal:  "The contraction proves that it is at least {bound} [shown]. A longer search proves at least {lower} [shown]. An order of width {upper} is known [shown].",
				Why:     "The treewidth is not below the lower bound, and not above the width of an order [here treedec]. Where the two meet, it is proved [here treedec].",
				Hints: map[string]string{
					"low":  "Your guess is too small. Each marked vertex is left after contraction: how many neighbours has it?",
					"high": "The rule of least degree is widest at the marked vertices. An order narrower than your guess is known.",
				},
			},
		},
	},
	{
		Title: "Every bag is a separator", Minutes: 3,
		About:   "Remove a bag, and the graph falls apart along the tree.",
		Command: "genussink separate FILE -finder centroid-bag",
		Steps: []StepText{
			{
				Title:  "What a bag leaves",
				Say:    "Take away the {size vertex|vertices} of the marked bag. Then no edge joins vertices of different branches of the tree: every bag is a *separator* [paper Sec. 2.1]. The bag has {next neighbour|neighbours} in the tree.",
				Do:     "Look at the tree, and predict.",
				Ask:    "Into how many pieces does the graph fall?",
				Reveal: "It falls into {pieces piece|pieces}, each in its colour.",
				Why:    "The graph falls into {pieces piece|pieces}, and each lies in one branch of the tree.",
				Hints:  map[string]string{"pieces": "A branch begins at each of the marked bags. Which vertices lie only there?"},
			},
			{
				Title: "A fair bag",
				Say:   "Some bag leaves no piece with more than half of the {n vertex|vertices} [C15 Lemma 7.19]. Such a bag is called a *centroid*.",
				Do:    "Pick bags until you find a centroid.",
				Why:   "The largest piece has {largest} of {n vertex|vertices}.",
				Hints: map[string]string{
					"none":  "Pick a bag of the tree. Begin with the marked ones.",
					"heavy": "The largest piece still has {largest vertex|vertices}. It lies beyond the marked bag: go there.",
				},
			},
			{
				Title:  "Found in one walk",
				Say:    "A walk through the tree finds the centroid. It begins with the deepest bags, goes up, and counts the vertices in each bag and below it. The first bag that reaches half, {half}, is the centroid [here treedec].",
				Do:     "Predict how far the walk goes. Then reveal it and play.",
				Ask:    "How many of the {bags bag|bags} does the walk look at?",
				Reveal: "The walk looks at {looked bag|bags}. It looks at each once, so the time is linear in the number of bags [paper Sec. 2.1].",
				Why:    "The walk ends after {looked bag|bags}.",
				Hints: map[string]string{
					"low":  "After so many bags the walk is at the marked one. There it has counted {what vertex|vertices}, and half is {half}: it goes on [here treedec].",
					"high": "The walk ends sooner, at the marked bag: there it has counted {what vertex|vertices}, and half is {half} [here treedec].",
				},
			},
			{
				Title: "Two sides",
				Say:   "The centroid leaves {pieces piece|pieces}. Deal them out to the sides A and B. No piece has more than half, so no side needs more than two thirds [C15 Lemma 7.20].",
				Do:    "Pick pieces to move them to the other side, until neither side has more than two thirds.",
				Why:   "A has {A vertex|vertices}, B has {B}, and S has {S}. The larger side holds {larger} of all. So where all bags are small, a small and fair separator is found quickly: that is why the paper asks for small treewidth [paper Sec. 2.1].",
				Hints: map[string]string{"move": "One side holds {larger} of all. Move the marked piece to the other."},
			},
		},
	},
	{
		Title: "The recursion", Minutes: 5,
		About:   "Split, and split again: the separator tree, and why it keeps all distances.",
		Command: "genussink separate FILE -levels 0",
		Steps: []StepText{
			{
				Title:  "How deep?",
				Say:    "The first *separator* takes {S} of {n vertex|vertices}, and leaves sides of {A} and {B}. Each side is split again, and again, until no piece has more than {leaf}. The splits form a *separator tree*.",
				Do:     "Look at the first split, and predict. One more or less will do.",
				Ask:    "How many levels of separators does the tree have?",
				Reveal: "The tree has {depth level|levels} of separators, and {nodes node|nodes}. It takes {log halving|halvings} to bring {n vertex|vertices} down to one [shown].",
				Why:    "Fair cuts shrink a piece to at most two thirds, so the depth grows like the logarithm of n [LT79 p. 177].",
				Hints:  map[string]string{"halve": "The next level splits the marked side. How often can it be split until at most {leaf is|are} left?"},
			},
			{
				Title:  "What it costs",
				Say:    "Each node splits a part of the graph, its cell. It keeps the distances between its *separator* and its cell [paper Sec. 3.1.2]. So far that is {total number|numbers}. The matrix of all distances has {pairs}.",
				Do:     "Play the timeline: each cell splits, and its node appears. The first split is level 0 [shown]. The split shown is on level {level}. It has {A vertex|vertices} in A, {S} in S and {B} in B.",
				Ask:    "Which level keeps the most distances?",
				Reveal: "Level {heaviest} keeps the most. The bars show all levels.",
				Why:    "Farther down the separators are smaller, but there are more of them.",
				Hints:  map[string]string{"level": "The marked nodes are one level. For each, multiply |S| by the size of its cell, and add up."},
			},
			{
				Title:  "Across the separator",
				Say:    "The marked vertices, i and j, lie on different sides. Every path between them crosses the *separator* at some vertex s. So $via$ [paper Sec. 3.1.2].",
				Do:     "Click a vertex of the separator that lies on a shortest path from i to j. You may move i or j: click another vertex of the same side.",
				Reveal: "The shortest way through the separator is {best} long. The distance in the whole graph is {d}. The path crosses the separators of {crossed node, which is|nodes, which are} marked.",
				Why:    "The way through this vertex is {mine} long, and none is shorter [shown].",
				Hints: map[string]string{
					"outside": "Click one of the marked vertices: they are the separator.",
					"longer":  "The way through this vertex is longer by {what} than the way through the marked one.",
				},
			},
			{
				Title:  "Shortcuts",
				Say:    "A shortest path may leave a side and come back. The marked vertices are {detour} apart inside the side, and {true} in the whole graph. So the paper goes on with $child-graph$ [paper Sec. 3.1.2]. The added edges are shortcuts, as long as the distance of their ends in the whole graph [paper Sec. 3.1.2].",
				Do:     "Click two vertices of the separator that need a shortcut.",
				Reveal: "Number of shortcuts that are needed: {needed}. The marked vertices need the one of length {length}.",
				Why:    "With its shortcuts a side has the distances of the whole graph. So each side can be treated alone [paper Sec. 3.1.2].",
				Hints: map[string]string{
					"two":   "The marked vertices are too far apart. Pick a pair of separator vertices whose shortcut brings them together.",
					"which": "Pick the marked pair: it is farther apart inside the side than in the whole graph.",
				},
			},
			{
				Title:  "The whole mesh",
				Say:    "The mesh that is open is split in the same way. It has {n vertex|vertices}, and its first separator has {first}: look at the mesh. The graph of the first steps has {few vertex|vertices}, and its tree {fewDepth level|levels}.",
				Do:     "Predict, two more or less will do, and reveal. Then play the timeline: the mesh shows the splits down to each level.",
				Ask:    "How many levels does the tree of the mesh have?",
				Reveal: "It has {depth level|levels}, for {ratio} times as many vertices. All levels together keep {total distance|distances} [paper Sec. 3.1.2]. That is {share} of the matrix. The mesh shows the splits down to level {level}. On this level {nodes node splits|nodes split}, by {inS vertex|vertices}.",
				Why:    "Each level splits all cells again, so a few more levels are enough for many more vertices.",
				Hints: map[string]string{
					"low":  "The marked graph has {fewDepth level|levels}. How often is a mesh of {n vertex|vertices} split before its pieces are as small as this graph?",
					"high": "The marked graph has {fewDepth level|levels}. A further level about doubles what a tree can hold. How often is {few} doubled to reach {n}?",
				},
			},
		},
	},
	{
		Title: "Multiplying without the matrix", Minutes: 5,
		About:   "A separator turns a large block of the kernel into a few sums.",
		Command: "genussink query FILE -measures paper -epsilon 0.1 -method certified -delta 0.2 -block 0",
		Steps: []StepText{
			{
				Title:  "One vertex: an outer product",
				Say:    "Transport multiplies vectors with a matrix, the *kernel*. An entry is exp(-d), where d is the distance of a pair over *epsilon*. This *block* of {A row|rows} and {B column|columns} has {dense entry|entries}, and a product takes as many multiplications. Every way here runs through one separator vertex, so d is a sum of a to it and b from it, and $outer$ [paper Sec. 3.1.2].",
				Do:     "Set the number of vertices, then predict to within a tenth.",
				Ask:    "How many multiplications does the product take without the matrix?",
				Reveal: "It takes {cross}, one for each row and column [shown]. With the matrix it takes {ratio} times as many.",
				Why:    "Each column is weighed once, and each row once [shown].",
				Hints:  map[string]string{"once": "Each marked vertex is weighed once: by exp(-b) before the sum, or by exp(-a) after it."},
			},
			{
				Title:  "Two vertices: a line",
				Say:    "Two separator vertices offer two ways, of lengths a1 + b1 and a2 + b2 [paper Sec. 3.1.2]. The first serves the pair where $line$ [paper Sec. 3.1.2]. Sort rows and columns by these differences. Then each row changes over at most once, from one vertex to the other [paper Sec. 3.1.2].",
				Do:     "Look at the rows above row {row}: by how much does the change move? {slack column|columns} off will do.",
				Ask:    "At about which column does row {row} change over?",
				Reveal: "It changes over at column {column}. The block's {pairs pair falls|pairs fall} into {runs run|runs}, parts of a row with one separator vertex. With sorting and running sums a product takes {cross operation|operations}, with the matrix {dense}.",
				Why:    "The rows are in order, so the changes are in order too.",
				Hints:  map[string]string{"line": "The marked vertices are the row, and the column where it changes over. Compare the ways between them, through each separator vertex."},
			},
			{
				Title:  "More: range search",
				Say:    "With |S| separator vertices, a vertex serves a pair if |S| - 1 such comparisons all hold [paper Sec. 3.1.2]. To find these pairs is a range search in as many dimensions [paper Sec. 3.1.2]. Each dimension costs a factor of a logarithm [B80 p. 214]. Here |S| is {S}, and the sides have {A} and {B vertex|vertices}.",
				Do:     "Click vertices of A. The first separator vertex serves {served column|columns} of the marked one. Where |S| is 3, the search is drawn [shown]. Then predict; one off will do.",
				Ask:    "From which size of S on does range search take more operations than the matrix?",
				Reveal: "It takes more from a size of {crossover} on. For the |S| of the slider it takes {cross operation|operations}, the matrix {dense} [shown].",
				Why:    "Near-linear time needs very small separators [paper Sec. 3.1.2].",
				Hints: map[string]string{
					"dimensions": "The marked separator needs comparisons in {dimensions dimension|dimensions} for each pair [paper Sec. 3.1.2]. This graph has few rows and columns to save on.",
					"curve":      "The curves cross near the marked point.",
				},
			},
			{
				Title:  "What this project does",
				Say:    "Ordinary meshes have large separators, but the shortest paths of many pairs run through one vertex, their *hub*. The engine stores this *block* of {A} by {B vertex|vertices} with {hubs hub|hubs}, in {rows row|rows} and {columns column|columns}. Here distances may be off by {delta}. So vertices that lie alike share a row or a column, an *aggregate*: bars tell how many [here hub].",
				Do:     "Point at a run to see its vertices and its hub. The upper half of the rows is there [shown]. Predict for all; one off will do.",
				Ask:    "Into how many runs of one hub does a row fall, on average?",
				Reveal: "A row falls into {perRow}. Rows that share a run are in one box, so {runs run holds|runs hold} all {pairs pair|pairs}. In each of its rows a run takes two additions at most [here hub]. The task Transport shows such blocks of your mesh.",
				Why:    "A run costs as much as one entry [here hub].",
				Hints:  map[string]string{"runs": "Count the marked runs: they are those of one row. Other rows have more or fewer, so compare a few."},
			},
		},
	},
	{
		Title: "Blur and sharpness", Minutes: 5,
		About:   "Entropy makes transport quick to solve, and blurs it.",
		Command: "genussink solve FILE -measures two-spots -epsilon 0.1 -v",
		Steps: []StepText{
			{
				Title: "Epsilon",
				Say:   "The piles of one *density*, the source, are moved to those of another, the target, along a way of length {far}. The *plan* says how much goes from where to where. *Epsilon* rewards blur, measured as entropy: the larger it is, the more blurred the plan [C13 p. 2292]. At {epsilon}, a row is on average as blurred as an even split among {partners vertex|vertices}, its partners, and the plan costs {cost}.",
				Do:    "Play the timeline: the mass moves as the plan says. Then make the plan sharp: move the slider until there are at most {want partner|partners} on average.",
				Why:   "With {partners partner|partners}, the plan shows where the mass of each vertex goes.",
				Hints: map[string]string{"blurred": "The marked row is still spread out: make epsilon smaller."},
			},
			{
				Title:   "Rows fit, columns fit",
				Say:     "The plan is $scaling$ [paper Sec. 1]. The sum of a row or a column is a *marginal*, and fits if it is the mass of its vertex. Sinkhorn's iteration sets u so that the rows fit, then v so that the columns fit, and again [C13 p. 2292]: two half steps. After {half half step|half steps} the rows are off by {rowError}, the columns by {colError}.",
				Do:      "Predict, then play.",
				Ask:     "After the first half step, which *marginals|marginal* fit?",
				Choices: []string{"The rows", "The columns", "Both", "Neither"},
				Reveal:  "The rows fit first. All marginals nearly fit after {steps half step|half steps}. Near the end each iteration divides the columns' error by {factor}: a straight line on the logarithmic axis [PC19 Theorem 4.2].",
				Why:     "The first half step sets u so that the rows fit. That changes the columns.",
				Hints:   map[string]string{"rows": "Step once and look at the marked row: do its bar and its outline agree?"},
			},
			{
				Title:  "Sharper takes longer",
				Say:    "An iteration fits the rows, then the columns. At an *epsilon* of {epsilon} it takes {base iteration|iterations} until all *marginals|marginal* nearly fit, and at {halfEpsilon}, half of that, {halved} [shown].",
				Do:     "Predict what a tenth of epsilon does.",
				Ask:    "How many iterations does it take at {tenth}, a tenth of that epsilon?",
				Reveal: "It takes {count iteration|iterations}. The chart shows the epsilons between.",
				Why:    "It takes {count iteration|iterations} instead of {base}: sharp plans are slow.",
				Hints: map[string]string{
					"few":   "Go on from the marked dots: the left one is at half the epsilon of the right one [shown]. From there to {tenth} is more than two halvings [shown].",
					"many":  "Go on from the marked dots: the left one is at half the epsilon of the right one [shown]. From there to {tenth} is less than three halvings [shown].",
					"steep": "Compare the marked ends of the curve. How many times as many iterations does it take?",
				},
			},
			{
				Title:  "How near is it?",
				Say:    "The optimum is the least value of a plan that fits, and the *dual* value is never above it [here transport]. After {half half step|half steps} the plan, made to fit, has the value {primal}: its cost, and what epsilon adds where it is not blurred. The dual has {dual}. The *gap* between them is {gap}, or {gapShare} of the plan's value.",
				Do:     "Move the timeline to the first half step at which the gap is at most 1 % of the plan's value.",
				Reveal: "It is half step {first}. Altschuler and others say how a plan is made to fit [AWR17 Algorithm 2].",
				Why:    "From half step {half} on, the answer is known to a hundredth [shown].",
				Hints: map[string]string{
					"early": "At the marked point the curves are still too far apart. Go on.",
					"late":  "The curves came this close before, at the marked point. Go back.",
				},
			},
			{
				Title:  "On the mesh",
				Say:    "Now the mass on the open mesh moves at an *epsilon* of {epsilon} of the diagonal of its bounding box. The plan costs {cost}, and took {iterations iteration|iterations}. The sharpest plan of the slider, at {least}, costs {sharpCost}, and took {sharpIterations}.",
				Do:     "Move the slider and watch the mass. Find an epsilon at which the plan costs at most {allowed} more than the sharpest.",
				Reveal: "On the logarithmic axis the errors fall along nearly straight lines. They fall more slowly where epsilon is smaller [PC19 Theorem 4.2].",
				Why:    "This plan costs {excess} more than the sharpest. It took {iterations iteration|iterations}, and the sharpest {sharpIterations}.",
				Hints:  map[string]string{"blurred": "The marked plan costs {excess} more than the sharpest. Make epsilon smaller."},
			},
		},
	},
	{
		Title: "How wrong may it be?", Minutes: 4,
		About:   "Exact, certified, embedded, sampled, dense: measured now, on the mesh that is open.",
		Command: "genussink solve FILE -measures paper -epsilon 0.1 -method certified -delta 0.01 -v",
		Steps: []StepText{
			{
				Title:   "Five methods",
				Command: "genussink bench published FILE -epsilon 0.1 -methods dense,exact,certified,embedded,sampled",
				Say:     "Each dot is a method, run now on the open mesh; a larger dot takes more memory. Dense uses the whole matrix: it is the truth here, and takes {denseSeconds} s. Exact keeps blocks of it, and certified may be wrong in every distance by delta, the slider's share of the mesh's diagonal [here hub]. Embedded works on a host, a graph of small treewidth [here treehost], and sampled on a few vertices of each *separator* [paper Sec. 3.3].",
				Do:      "Among the methods with an error below {goal}, pick the quickest.",
				Why:     "Of the methods with an error below {goal}, none is quicker.",
				Hints: map[string]string{
					"none":  "Pick a dot. The marked one is below the line.",
					"wrong": "The error of {what}, which is marked, is above the line. Pick a dot below it.",
					"slow":  "The error of {what} is small enough, but the marked one is quicker.",
				},
			},
			{
				Title:   "Memory",
				Command: "genussink solve FILE -measures paper -epsilon 0.1 -method exact -v",
				Say:     "The matrix has an entry for each pair of vertices. So dense keeps {denseKB} kB on a grid of {n vertex|vertices}, and {denseTwiceKB} kB on one of {twice}. Exact keeps *blocks|block* of the *kernel* instead, as runs of one *hub* [here hub]. On the smaller grid they take {exactKB} kB.",
				Do:      "Look at the dots. Then predict, to within a quarter of the true number.",
				Ask:     "How many kB does exact take on the larger grid?",
				Reveal:  "Exact takes {exactTwiceKB} kB, {exactRatio} times as much as on the smaller grid. Dense takes {denseRatio} times as much [shown]. The paper's space is near-linear in n where the treewidth is O(log log n) [paper Sec. 3.1.2].",
				Why:     "Twice as many vertices take {exactRatio} times as much of exact, and {denseRatio} times as much of dense [shown]. The larger the mesh, the more exact saves [here method].",
				Hints: map[string]string{
					"low":  "That is too little. The marked dot is exact on the smaller grid [shown]. On the larger there are twice as many vertices, and one more level of blocks [here hub].",
					"high": "That is too much. The marked dot is dense on the larger grid. It has a number for each pair, and exact has not [here hub].",
				},
			},
			{
				Title:   "Bound and measurement",
				Command: "genussink solve FILE -measures paper -epsilon 0.1 -method certified -delta 0.1 -v",
				Say:     "A bound is known before anything is measured. No distance of certified is wrong by more than {bound} [here hub]. So the optimal value, the cost and what epsilon adds, is not, either [here hub].",
				Do:      "Predict, then reveal the measurement.",
				Ask:     "The value of certified is compared with the exact one. Where will the difference be?",
				Choices: []string{"Within the bound", "Beyond the bound"},
				Reveal:  "The measured difference is {measured}, and the bound is {bound}.",
				Why:     "A bound holds for every input; a measurement says what happened on one.",
				Hints:   map[string]string{"bound": "The marked bound is proved: what is measured lies below it [here hub]."},
			},
			{
				Title:   "No promise",
				Command: "genussink solve FILE -measures paper -epsilon 0.1 -method sampled -v",
				Say:     "The paper's practical variant, sampled, keeps only a few vertices of each *separator* [paper Sec. 3.3]. The cost by the dense matrix is {denseCost}.",
				Do:      "Predict what sampled says of its error.",
				Ask:     "What does the sampled method promise about its error?",
				Choices: []string{"A proved bound", "Nothing: it has to be measured"},
				Reveal:  "It promises nothing. Its cost is {sampledCost}, off by {sampledError}. It knows only paths through vertices that it kept. So its distances may be too long, never too short [here sgfi].",
				Why:     "It may be very good. Only a measurement can tell.",
				Hints:   map[string]string{"none": "The marked value is the dense cost. Nothing shown says how far the sampled cost may be from it."},
			},
		},
	},
}

// Closing is the page after the last lesson: what is proved, what is observed, and what this project adds and leaves.
var Closing = []struct {
	Title   string
	Says    []string
	Lessons []int // where it is taught
}{
	{"What the paper proves", []string{
		"Products with the kernel take near-linear time on graphs of treewidth O(log log n) [paper Sec. 3.1.2].",
		"Graphs of bounded genus have stand-ins of small treewidth [paper Theorem 3.3]. Their distances are too long by at most a share of the diameter [paper Theorem 3.3].",
	}, []int{2, 4, 5, 6}},
	{"What it observes", []string{
		"A few vertices of each separator are often enough in practice [paper Sec. 3.3].",
		"On the paper's meshes its method agrees with the dense kernel to numerical precision [paper Sec. 4.1].",
	}, []int{7, 8}},
	{"What this project adds", []string{
		"Kernels that are exact, or within a proved bound, on ordinary meshes [here hub].",
		"The treewidth itself, proved where the search comes to an end [here treedec].",
	}, []int{3}},
	{"What it does not do", []string{
		"Kernels other than exp work with exact, certified and embedded alone [here method].",
		"Its finders find small separators in practice, but only two of them prove a size [here separator].",
	}, []int{1}},
	{"What to do next", []string{
		"Open a mesh or a graph of your own, and go through the lessons with it.",
		"At the foot of each step stand the commands of the tool that repeat its figures.",
		"Go programs ask package core/engine, in the messages of core/job. Package core/separator cuts graphs, core/treedec finds tree decompositions, and core/transport moves mass.",
	}, nil},
}
