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
	"C13":   {"M. Cuturi: Sinkhorn distances: lightspeed computation of optimal transport. Advances in Neural Information Processing Systems 26, 2013."},
	"PC19":  {"G. Peyré, M. Cuturi: Computational optimal transport. Foundations and Trends in Machine Learning 11, 2019, 355-607."},
	"AWR17": {"J. Altschuler, J. Weed, P. Rigollet: Near-linear time approximation algorithms for optimal transport via Sinkhorn iteration. Advances in Neural Information Processing Systems 30, 2017."},
	"shown": {"Computed from what is on the screen."},
	"here":  {"GenusSink's documentation: the package comments of separator, hub, treekernel, sgfi, treehost and transport."},
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
	"kernel":             "The matrix exp(-d(i,j)/epsilon) of all pairs of vertices.",
	"hub":                "A vertex through which the shortest paths of many pairs run.",
	"plan":               "How much mass goes from each vertex to each other.",
	"marginal":           "What a row or a column of the plan holds in all.",
	"epsilon":            "How much the plan is blurred, in the unit of the distances.",
	"dual":               "A problem whose values are never above those of the first: a lower bound of the cost.",
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
		"The distance of i and j is the least, over all s in S, of the distance from i to s plus the distance from s to j."},
	"child-graph": {mathHead + `<msup><mi>G</mi><mi>S</mi></msup><mo>[</mo><mi>A</mi><mo>∪</mo><mi>S</mi><mo>]</mo>` + mathTail,
		"The graph on A and S, with an edge between any two vertices of S as long as their distance in G."},
	"outer": {mathHead + `<mi>exp</mi><mo>(</mo><mo>-</mo><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo><mo>)</mo><mo>=</mo><mi>exp</mi><mo>(</mo><mo>-</mo><mi>a</mi><mo>)</mo><mo>·</mo><mi>exp</mi><mo>(</mo><mo>-</mo><mi>b</mi><mo>)</mo>` + mathTail,
		"The exponential of minus a sum is the product of the exponentials."},
	"line": {mathHead + `<msub><mi>a</mi><mn>1</mn></msub><mo>-</mo><msub><mi>a</mi><mn>2</mn></msub><mo>≤</mo><msub><mi>b</mi><mn>2</mn></msub><mo>-</mo><msub><mi>b</mi><mn>1</mn></msub>` + mathTail,
		"The first separator vertex serves the pair where a1 less a2 is at most b2 less b1."},
	"scaling": {mathHead + `<msub><mi>P</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><msub><mi>u</mi><mi>i</mi></msub><mi>exp</mi><mo>(</mo><mo>-</mo><mi>d</mi><mo>(</mo><mi>i</mi><mo>,</mo><mi>j</mi><mo>)</mo><mo>/</mo><mi>ε</mi><mo>)</mo><msub><mi>v</mi><mi>j</mi></msub>` + mathTail,
		"The plan's entry is u of the row, times the kernel, times v of the column."},
}

// Why a step of the reader's own graph shows the lesson's.
const (
	noPair   = "No two vertices of your graph leave a tenth of it on either side: the lesson's ring is shown."
	noMiddle = "The middle of your graph does not leave a tenth of it on either side: the lesson's strip is shown."
	noDetour = "At no cut of yours does a side need a shortcut: the lesson's ring is shown."
)

// Whose says what is shown in the place of the lesson's graph.
func Whose(g *model.Graph) string {
	return fmt.Sprintf("Shown: %s, %d vertices and %d edges. Each edge has length 1 here.", g.Name, g.N, len(g.Edges))
}

var lessonTexts = []Text{
	{
		Title: "Cutting fairly", Minutes: 5,
		About:   "Few vertices can hold a graph together. Find them.",
		Command: "genussink separate FILE -pareto",
		Steps: []StepText{
			{
				Title: "Two sides",
				Say:   "Take vertices away until the graph falls apart. What you take away is the *separator* S; what is left goes to the sides A and B. A cut is fair here when neither side holds more than two thirds of the {n} vertices [LT79 p. 177].",
				Do:    "Click vertices to remove them. Click again to put them back.",
				Why:   "A and B are apart: {A} and {B} vertices, with {S} in S.",
				Hints: map[string]string{
					"open":     "There is still a way between {what}. It is marked: which of its vertices would block it?",
					"lopsided": "The graph falls apart, but the marked side is too large: the largest piece has {largest} vertices.",
					"nothing":  "Nothing is left to separate. Put back the marked vertices and take fewer.",
				},
			},
			{
				Title:  "How small can S be?",
				Say:    "A small separator is cheap: what crosses it has to pass few vertices. Say first how few will do, then try.",
				Do:     "Cut the graph fairly, with as few vertices as you can.",
				Ask:    "How many vertices does the smallest fair separator have?",
				Reveal: "The finder needs {found}, and leaves {foundA} and {foundB} vertices. It does not prove that fewer cannot do [here separator].",
				Why:    "Your {S} are as few as the finder's {found}.",
				Hints: map[string]string{
					"open":     "There is still a way between {what}. It is marked.",
					"lopsided": "The marked side holds too much: no side may have more than two thirds [LT79 p. 177].",
					"nothing":  "Nothing is left to separate. Put back the marked vertices.",
					"larger":   "Your cut has {S} vertices. It can be done with those that are marked.",
				},
			},
			{
				Title: "Size against balance",
				Say:   "A smaller separator may leave sides less even. The dots are the {cuts} cuts that the finder knows, and none of them beats another in both size and *balance*. Your own cut is the dot with a name.",
				Do:    "Pick the smallest cut whose smaller side has at least {want} of the vertices.",
				Why:   "{pickS} vertices, and the smaller side has {pickBalance}.",
				Hints: map[string]string{
					"none":   "Pick a dot on the chart: the marked one is a good place to begin.",
					"uneven": "The smaller side of this cut is too small. Look at the marked dot, farther right.",
					"large":  "This cut is even enough, but a smaller one is too: it is marked.",
				},
			},
			{
				Title:   "How S grows",
				Say:     "A grid of {k} rows and {k} columns has {n} vertices. Move the slider, and watch the separator.",
				Do:      "Move the slider, then make your prediction.",
				Ask:     "How does the smallest fair separator grow with the number n of vertices?",
				Choices: []string{"It stays the same", "Like the square root of n", "Like n itself"},
				Reveal:  "On logarithmic axes the slope is {slope}: the root of n has slope a half [shown]. For every *planar* graph $planar-bound$ suffices [LT79 p. 177].",
				Why:     "A grid is cut along about one row, and a row is as long as the root of n [shown].",
				Hints: map[string]string{
					"row":   "The marked vertices are a fair cut of this grid. How many are they, beside all vertices?",
					"curve": "Compare the marked ends of the curve. By how much does n grow between them, and by how much S?",
					"wait":  "The engine is still cutting the grids.",
				},
			},
			{
				Title:  "Handles cost",
				Say:    "Join opposite ends of the grid: the graph lies on a torus, a surface of *genus* 1 [GHT84 p. 391]. The grid of {n} vertices is cut by {gridS}.",
				Do:     "Compare the two drawings.",
				Ask:    "How many times as many vertices does the torus need?",
				Reveal: "The torus needs {torusS}, which is {ratio} times as many. On a surface of genus g, $genus-bound$ suffices [GHT84 p. 391]. The mesh at hand: {meshN} vertices, cut by {meshS}, or {meshRoot} times the root of n.",
				Why:    "A ring does not part a torus: it takes about two [shown].",
				Hints:  map[string]string{"ring": "The marked ring is gone: can you still walk around the torus the other way?"},
			},
		},
	},
	{
		Title: "A graph that looks like a tree", Minutes: 5,
		About:   "Bags of vertices, hung up as a tree: the idea behind treewidth.",
		Command: "genussink treedec FILE",
		Steps: []StepText{
			{
				Title: "Bags",
				Say:   "A *tree decomposition* puts the {n} vertices into *bags|bag*, and hangs {bags} bags up as a tree. A vertex may be in several bags. Then these bags hang together [paper Sec. 2.1].",
				Do:    "Click vertices and watch their bags. Find one that is in the most bags.",
				Why:   "It is in {mine} bags, and they are one piece of the tree.",
				Hints: map[string]string{"fewer": "Another vertex is in more bags: those that are marked. What do they have in common?"},
			},
			{
				Title: "Three rules",
				Say:   "The rules: every vertex is in a bag, both ends of every edge are in a bag together, and the bags of a vertex hang together [paper Definition 2.1]. Now {loose} vertices are in no bag, {uncovered} edges are in none, and {torn} vertices are torn apart.",
				Do:    "Fill the empty bags: drag vertices into them, or pick a vertex and then a bag.",
				Why:   "All rules hold: this is a tree decomposition of width {width}.",
				Hints: map[string]string{
					"vertex":    "{what} It is marked: which bag should hold it?",
					"edge":      "{what} The edge is marked.",
					"connected": "{what} The bags are marked: fill the way between them, or take the vertex out.",
				},
			},
			{
				Title:  "Smaller bags?",
				Say:    "The *width* is the largest bag's size less one: $width$ [paper Sec. 2.1]. The less one makes trees have width 1 [B98 Sec. 11]. The bags shown have width {width}.",
				Do:     "Look for a place where the graph is dense.",
				Ask:    "What is the least width of all decompositions, the *treewidth*?",
				Reveal: "The narrowest that was found has width {upper}, and no decomposition has less than {lower} [BWK06 p. 5]. To decide such questions in general is NP-hard [ACP87 p. 277]. The notion is by Robertson and Seymour [RS86 p. 309].",
				Why:    "Width {upper}: some bag has to hold {largest} vertices.",
				Hints: map[string]string{
					"low":  "Around the marked vertices a bag has to be larger than that.",
					"high": "The marked bag is the largest here. A narrower one is known.",
				},
			},
			{
				Title:   "Four families",
				Say:     "Some graphs are like trees, some are not at all. Guess the treewidth of each.",
				Do:      "Give a number for each graph.",
				Ask:     "What is the treewidth of the tree, the cycle, the grid and the clique?",
				Choices: []string{"tree", "cycle", "grid", "clique"},
				Reveal:  "The tree has {tree}, the cycle {cycle}, the grid {grid} and the clique {clique}. In general a tree has treewidth 1 [B98 Sec. 11] and the k x k grid k [B98 Sec. 13.2]. A cycle has 2 and a clique of n vertices n - 1 at every size, as here: some bag holds a clique whole [shown].",
				Why:     "A tree is as narrow as can be, a clique as wide.",
				Hints: map[string]string{
					"low":  "The {what} needs more: look at the marked vertices.",
					"high": "The {what} needs less: at the marked vertices nothing larger is forced.",
				},
			},
		},
	},
	{
		Title: "Eliminating", Minutes: 5,
		About:   "Take vertices away one by one, and bags pile up to a tree.",
		Command: "genussink treedec FILE -method min-degree",
		Steps: []StepText{
			{
				Title: "One vertex",
				Say:   "To eliminate a vertex, join its neighbours with each other and take it away. The new edges are *fill edges|fill edge*. Few are good.",
				Do:    "Click a vertex whose *elimination* adds as few edges as any.",
				Why:   "{degree} neighbours, {fill} new edges: no vertex adds fewer [shown].",
				Hints: map[string]string{
					"none": "Click a vertex: the marked one is a good choice.",
					"fill": "Eliminating {what} joins the marked vertices. Look for a vertex whose neighbours are joined already.",
				},
			},
			{
				Title: "All vertices",
				Say:   "A vertex and its neighbours at its elimination make a bag. Go on: {left} vertices are left, the largest bag so far gives width {width}, and {fill} edges have been added. All bags together are a tree decomposition [B98 Sec. 7].",
				Do:    "Eliminate all vertices, in any order. Undo takes the last one back.",
				Why:   "Your order has width {width}.",
				Hints: map[string]string{"left": "The marked vertices are still there."},
			},
			{
				Title:  "Beat the rule",
				Say:    "A simple rule takes a vertex of fewest neighbours every time. It is quick and often good [BK10 p. 259]. Here it comes to width {rule}; your order is at {width} with {left} vertices left.",
				Do:     "Find an order that is narrower than the rule's. The timeline plays the rule's order.",
				Reveal: "The narrowest known order has width {upper}.",
				Why:    "Width {width}, where the rule has {rule}.",
				Hints: map[string]string{
					"left": "The marked vertices are still there.",
					"wide": "It became too wide when {what} went: the place is marked on the graph and on the curve. Eliminate others before it.",
				},
			},
			{
				Title:  "Why not narrower?",
				Say:    "To show that less will not do, contract a vertex of fewest neighbours into one of them, again and again [BWK06 p. 5]. What is left is a *minor*, and its treewidth is no larger [B98 Sec. 4]. So far the fewest neighbours have been at most {sofar} [shown].",
				Do:     "Play the contraction, then make your prediction.",
				Ask:    "What is the treewidth of this graph?",
				Reveal: "The contraction proves at least {bound}, the search at least {lower}, and an order of width {upper} is known [shown].",
				Why:    "Where the two bounds meet, the treewidth is proved [shown].",
				Hints: map[string]string{
					"low":  "The marked vertices have too many neighbours for that, even after contraction.",
					"high": "The rule of least degree gets stuck at the marked vertices; another order does not.",
				},
			},
		},
	},
	{
		Title: "Every bag is a separator", Minutes: 4,
		About:   "Remove a bag, and the graph falls apart along the tree.",
		Command: "genussink separate FILE -finder centroid-bag",
		Steps: []StepText{
			{
				Title:  "What a bag leaves",
				Say:    "Take the {size} vertices of the marked bag away. What hangs on different sides of the bag is no longer joined: every bag is a *separator* [paper Sec. 2.1]. The bag has {next} neighbours in the tree.",
				Do:     "Look at the tree, and predict.",
				Ask:    "Into how many pieces does the graph fall?",
				Reveal: "Into {pieces}, each in its colour.",
				Why:    "{pieces} pieces: each lies on one side of the bag.",
				Hints:  map[string]string{"pieces": "Each of the marked bags has vertices beyond this one. Follow each of them."},
			},
			{
				Title: "A fair bag",
				Say:   "Some bag leaves no piece with more than half of the {n} vertices [C15 Lemma 7.19]. It is called the *centroid*.",
				Do:    "Pick bags until you find one.",
				Why:   "The largest piece has {largest} of {n} vertices.",
				Hints: map[string]string{
					"none":  "Pick a bag of the tree: begin near the marked ones.",
					"heavy": "The largest piece still has {largest} vertices. It lies beyond the marked bag: go there.",
				},
			},
			{
				Title:  "Found in one walk",
				Say:    "No search is needed. Walk from the leaves up and count the vertices in each bag and below it. The first bag that reaches half, {half}, is the centroid [here treedec].",
				Do:     "Predict how far the walk goes. Reveal it and play.",
				Ask:    "How many of the {bags} bags are looked at?",
				Reveal: "{looked} bags. Each is looked at once, so the time is linear in the bags [paper Sec. 2.1].",
				Why:    "{looked} bags, and no more.",
				Hints:  map[string]string{"walk": "The walk begins at the marked leaves and ends at the marked bag above them. Count what lies between."},
			},
			{
				Title: "Two sides",
				Say:   "A separation has sides A and B, and the centroid leaves {pieces} pieces. Deal them out: since none has more than half, sides of at most two thirds can be had [C15 Lemma 7.20].",
				Do:    "Pick pieces to move them to the other side, until neither side has more than two thirds.",
				Why:   "A has {A}, B has {B}, and S has {S}: the larger side holds {larger}.",
				Hints: map[string]string{"move": "One side holds {larger} of all. Move the marked piece to the other."},
			},
		},
	},
	{
		Title: "The recursion", Minutes: 5,
		About:   "Split, and split again: the separator tree, and why distances survive it.",
		Command: "genussink separate FILE -levels 0",
		Steps: []StepText{
			{
				Title:  "How deep?",
				Say:    "The first *separator* has {S} of {n} vertices, and leaves {A} and {B}. Each side is split again, and again, until pieces are tiny: a *separator tree*.",
				Do:     "Look at the first split, and predict.",
				Ask:    "How many levels of separators does the tree have?",
				Reveal: "{depth} levels with {nodes} nodes. To halve {n} vertices down to one takes {log} halvings [shown].",
				Why:    "Fair cuts shrink a piece to at most two thirds [LT79 p. 177]. So the depth grows like the logarithm of n [shown].",
				Hints:  map[string]string{"halve": "The marked side is what the next level splits. How often can it be split until one or two vertices are left [shown]?"},
			},
			{
				Title:  "What it costs",
				Say:    "For every node the distances between its *separator* and its cell are kept [paper Sec. 3.1.2]. So far that is {total} numbers; a full matrix has {pairs}.",
				Do:     "Play the timeline: a cell splits, its node appears.",
				Ask:    "Which level keeps the most distances?",
				Reveal: "Level {heaviest}. The bars show them all.",
				Why:    "Level {heaviest}: separators shrink going down, but there are more of them.",
				Hints:  map[string]string{"level": "Add up |S| times the cell over the marked nodes of one level."},
			},
			{
				Title:  "Across the separator",
				Say:    "A vertex is marked on either side. Any path between them has to cross the *separator*, so $via$ [paper Sec. 3.1.2].",
				Do:     "Click the vertex of the separator that a shortest path takes.",
				Reveal: "The best way through the separator is {best} long, and the distance in the whole graph is {d}.",
				Why:    "Through this vertex the way is {mine} long, and none is shorter [shown].",
				Hints: map[string]string{
					"outside": "Click one of the marked vertices: they are the separator.",
					"longer":  "The way through this vertex is longer by {what} than through the marked one.",
				},
			},
			{
				Title:  "Shortcuts",
				Say:    "Within a side some paths are lost: the shortest may leave the side and come back. The marked vertices are {detour} apart inside, and {true} in truth. So the paper splits $child-graph$, with edges between separator vertices as long as their distance in the whole graph [paper Sec. 3.1.2].",
				Do:     "Click two vertices of the separator that need an edge.",
				Reveal: "{needed} pairs need an edge; the first is {length} long.",
				Why:    "With its shortcuts the side has the whole graph's distances, so each side can be treated alone [paper Sec. 3.1.2].",
				Hints: map[string]string{
					"two":   "Pick a pair of separator vertices. The marked vertices are those that are too far apart.",
					"which": "The marked pair is farther apart inside than outside.",
				},
			},
		},
	},
	{
		Title: "Multiplying without the matrix", Minutes: 5,
		About:   "A separator turns a large block of the kernel into a few sums.",
		Command: "genussink bench scaling FILE",
		Steps: []StepText{
			{
				Title:  "One vertex: an outer product",
				Say:    "Between {A} and {B} vertices the matrix has {dense} entries, and as many multiplications. With one separator vertex every distance is a sum, and $outer$ [paper Sec. 3.1.2].",
				Do:     "Set the number of vertices, then predict.",
				Ask:    "How many multiplications does the product take without the matrix?",
				Reveal: "{cross}: one for each vertex [shown]. That is {ratio} times fewer.",
				Why:    "{cross}: each column is weighed once, and each row once [shown].",
				Hints:  map[string]string{"once": "Each of the marked vertices is used once: its mass is weighed on the way to the separator, or the sum on the way from it."},
			},
			{
				Title:  "Two vertices: a line",
				Say:    "With two separator vertices each pair takes the nearer way: $line$ decides [paper Sec. 3.1.2]. Sort rows and columns by these differences. Then each row changes over once [shown].",
				Do:     "Look at the rows above row {row}.",
				Ask:    "At which column does row {row} change over?",
				Reveal: "At column {column}. All {pairs} pairs are {runs} runs. Sorted running sums take {cross} operations, the matrix {dense}.",
				Why:    "Column {column}: rows in order, changes in order.",
				Hints:  map[string]string{"line": "Compare the ways between the marked vertices, through each separator vertex: there it turns."},
			},
			{
				Title:  "More: range search",
				Say:    "With |S| separator vertices, a pair is served by one of them if |S| - 1 differences all agree: a range search in that many dimensions [paper Sec. 3.1.2]. Each dimension costs a factor of a logarithm [B80 Sec. 2]. Shown are {n} vertices, {A} and {B} on the sides.",
				Do:     "Predict where it stops to pay at this size.",
				Ask:    "From which size of S on does range search take more operations than the matrix?",
				Reveal: "From {crossover} on. With one vertex it takes {crossOne} operations; with three, {crossThree}, where the matrix takes {denseThree} [shown].",
				Why:    "The theory's near-linear time needs very small separators [paper Sec. 3.1.2].",
				Hints: map[string]string{
					"dimensions": "With the marked vertices there are two differences to agree [paper Sec. 3.1.2]. Few rows and columns are left to save on at this size.",
					"curve":      "The curves cross near the marked point.",
				},
			},
			{
				Title:  "What this project does",
				Say:    "Ordinary meshes have wide separators. But shortest paths of many pairs run through the same *hub*: in a row of the *block*, neighbours mostly share it. This block has {pairs} pairs and {S} separator vertices.",
				Do:     "Look at the first row, then predict for all of them.",
				Ask:    "Into how many runs of one hub does a row fall, on average?",
				Reveal: "Into {perRow}: {runs} runs for {pairs} pairs. GenusSink groups rows and columns into tiles with a common hub, and each tile is an outer product [here hub].",
				Why:    "{perRow} runs a row: a run costs as much as one entry [here hub].",
				Hints:  map[string]string{"runs": "Count the runs that are marked."},
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
				Say:   "Source and target have piles along a way of length {far}, and the *plan* says how much goes from where to where. Its entropy is rewarded by *epsilon*: the larger, the more blurred [C13 Sec. 4]. At {epsilon}, a source vertex has {partners} partners on average, and the cost is {cost}.",
				Do:    "Make the plan sharp: at most {want} partners on average.",
				Why:   "{partners} partners: now the plan shows where the mass of each vertex goes.",
				Hints: map[string]string{"blurred": "The marked row is still spread out: make epsilon smaller."},
			},
			{
				Title:   "Rows fit, columns fit",
				Say:     "The plan is $scaling$ [paper Sec. 1]. Sinkhorn's iteration sets u so that the rows fit, then v so that the columns fit, and again [C13 Sec. 4]. After {half} half steps the rows are off by {rowError}, the columns by {colError}.",
				Do:      "Predict, then play.",
				Ask:     "After the first half step, which *marginals|marginal* fit?",
				Choices: []string{"The rows", "The columns", "Both", "Neither"},
				Reveal:  "The whole takes {steps} half steps. In the end every iteration shrinks the columns' error {factor} times: a straight line on the logarithmic axis [PC19 Theorem 4.2].",
				Why:     "u was chosen so that the rows fit; that moves the columns.",
				Hints:   map[string]string{"rows": "Step once and look at the marked row: do its bar and its outline agree?"},
			},
			{
				Title:  "Sharper takes longer",
				Say:    "At an *epsilon* of {epsilon} it takes {base} iterations until the marginal error is small.",
				Do:     "Predict what a tenth of epsilon does.",
				Ask:    "How many iterations does it take at {tenth}, a tenth of it?",
				Reveal: "{count}. The chart shows the epsilons between.",
				Why:    "{count}, from {base}: sharp plans are slow.",
				Hints: map[string]string{
					"few":   "The marked row hardly reaches over at that epsilon: its mass has to be pushed on step by step.",
					"steep": "Compare the marked ends of the curve.",
				},
			},
			{
				Title:  "How near is it?",
				Say:    "The *dual* value is never above the optimum, and a plan that fits is never below [PC19 Sec. 4.4]. After {half} half steps the plan is at {primal}, the dual at {dual}, and the *gap* is {gap}, or {gapShare} of the plan's value.",
				Do:     "Move the timeline to the first half step at which the gap is at most 1 % of the plan's value.",
				Reveal: "It is half step {first}. How a plan is made to fit is described by Altschuler and others [AWR17 Algorithm 2].",
				Why:    "Half step {half}: from here on the answer is known to a hundredth [shown].",
				Hints: map[string]string{
					"early": "At the marked point the curves are still too far apart: go on.",
					"late":  "They came this close before: at the marked point.",
				},
			},
		},
	},
	{
		Title: "How wrong may it be?", Minutes: 4,
		About:   "Exact, certified, embedded, sampled, dense: measured now, on your mesh.",
		Command: "genussink solve FILE -measures paper -epsilon 0.1 -method certified -delta 0.01 -v",
		Steps: []StepText{
			{
				Title: "Five methods",
				Say:   "Every dot is a method, solved now on the mesh at hand. Certified may be wrong by delta in every distance: the slider sets it [here hub]. The dense matrix is the truth here; it takes {denseSeconds} s.",
				Do:    "Pick the method with the least time among those with an error below {goal}.",
				Why:   "Below {goal}, and none of the others is quicker.",
				Hints: map[string]string{
					"none":  "Pick a dot: the marked one is below the line.",
					"wrong": "The error of {what}, which is marked, is above the line.",
					"slow":  "{what} is right, but the marked one is quicker.",
				},
			},
			{
				Title:   "Bound and measurement",
				Say:     "A bound comes before anything is measured: no distance of certified is wrong by more than {bound}, so the optimum is not either [here hub].",
				Do:      "Predict, then measure.",
				Ask:     "The cost is compared with the exact one. Where will the difference be?",
				Choices: []string{"Within the bound", "Beyond the bound"},
				Reveal:  "Measured: {measured}, where {bound} is allowed.",
				Why:     "A bound holds for every input; a measurement says what happened on one.",
				Hints:   map[string]string{"bound": "The marked value is proved: what is measured lies below it [here hub]."},
			},
			{
				Title:   "No promise",
				Say:     "The paper's practical variant keeps only a few vertices of each separator [paper Sec. 3.3]. Its dense cost here is {denseCost}.",
				Do:      "Predict what it says of its error.",
				Ask:     "What does the sampled method promise?",
				Choices: []string{"A proved bound", "Nothing: it has to be measured"},
				Reveal:  "Its cost is {sampledCost}, off by {sampledError}. Where too little of a separator is kept, parts of the mesh lose touch, and no plan exists [here sgfi].",
				Why:     "It may be very good. Only a measurement can tell.",
				Hints:   map[string]string{"none": "Nothing beside the marked value says how far away the other one may be."},
			},
		},
	},
}

// Closing is the page after the last lesson: what is proved, what is observed, and what this project adds and leaves.
var Closing = []struct {
	Title  string
	Says   []string
	Lesson int // where it is taught; 0: nowhere
}{
	{"What the paper proves", []string{
		"Products with the kernel take near-linear time on graphs of treewidth O(log log n) [paper Sec. 3.1.2].",
		"Graphs of bounded genus have stand-ins of small treewidth, whose distances are too long by at most a share of the diameter [paper Theorem 3.3].",
	}, 6},
	{"What it observes", []string{
		"A few vertices of each separator are often enough in practice [paper Sec. 3.3].",
		"On the paper's meshes the tree agrees with the dense kernel to numerical precision [paper Sec. 4.1].",
	}, 8},
	{"What this project adds", []string{
		"Kernels that are exact, or within a proved bound, on ordinary meshes [here hub].",
		"The treewidth itself, proved where the search comes to an end [here treedec].",
	}, 3},
	{"What it does not do", []string{
		"Of the paper's functions f the page has exp alone, the tool some more [here method].",
		"Its separator finders are small in practice; of them only two prove a size [here separator].",
	}, 1},
	{"What to do next", []string{
		"Open a mesh or a graph of your own, and go through the lessons with it.",
		"Every lesson's foot has the command that repeats its figures.",
	}, 0},
}
