package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"genussink/core/job"
	"genussink/core/measure"
)

func queryCommand() command {
	return command{
		name: "query", args: "MESH", count: 1,
		summary: queryHelp,
		example: "query bunny.obj -measures paper -epsilon 0.2 -row 12 -top 5",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			var f solveFlags
			var q question
			f.declare(fs)
			fs.StringVar(&q.set, "set", "", "file of vertex numbers, one per line; - is standard input")
			fs.BoolVar(&q.transpose, "transpose", false, "-set: what every vertex receives from the set, P^T v")
			fs.StringVar(&q.out, "out", "-", "file for the lines of -set, -map, -sample, -sparse, -trace and -marginals; - is standard output")
			fs.IntVar(&q.row, "row", -1, "source vertex whose partners are listed")
			fs.IntVar(&q.column, "column", -1, "target vertex whose partners are listed")
			fs.IntVar(&q.top, "top", 10, "-row and -column: how many partners; 0: all with mass")
			fs.BoolVar(&q.distances, "distances", false, "-row and -column: say how far away the partners are, too")
			fs.StringVar(&q.entry, "entry", "", "a source vertex and a target vertex, I,J")
			fs.StringVar(&q.between, "between", "", "two files of vertex numbers, A,B")
			fs.BoolVar(&q.centres, "map", false, "the barycentric map: three columns")
			fs.IntVar(&q.sample, "sample", 0, "how many pairs to draw; -seed chooses which")
			fs.BoolVar(&q.trace, "trace", false, "the marginal error after every iteration")
			fs.IntVar(&q.marginals, "marginals", 0, "an iteration, from 1: what the plan's rows and columns summed to after it")
			fs.IntVar(&q.block, "block", -1, "a block of the kernel, as it is stored; 0 is the largest")
			fs.Float64Var(&q.sparse, "sparse", 0, "how much of every row's mass the entries hold that are written, a share of at most 1")
			return func(c *call) error { return query(c, &f, &q) }
		},
	}
}

const queryHelp = `Solve as solve does, then ask the plan P one question.
-row I          the vertices that I sends most to
-column J       the vertices that J receives most from
-entry I,J      the mass sent from I to J
-between A,B    the mass sent from the vertices in file A to those in file B
-set FILE       for every vertex, the mass that it sends to the vertices in the file: P v with the set's indicator v
-map            for every vertex, the mean position of what it sends
-sample COUNT   pairs of vertices, drawn with probability P_ij
-sparse SHARE   the plan as a sparse matrix, lines of I, J and P_ij: of every row the greatest entries, as few as hold that share of its mass
-trace          how the solve came to the plan: lines of an iteration and the marginal error after it
-marginals N    for every vertex, what the plan's row and column summed to after iteration N, in shares of the mass. The first ten
                are known, then fewer and fewer, and the last
-block N        which rows and columns the N-th block of the kernel has, and through which hub its runs go, of exact, certified and embedded
With -distances, -row and -column say how far away the vertices are. Distance is the plan's own, distance_true that along the mesh.
With -transpose, -set says what every vertex receives from the set.`

// question is what is asked of a plan: one of the first eleven.
type question struct {
	set            string
	row, column    int
	entry, between string
	centres        bool
	sample         int
	sparse         float64
	trace          bool
	marginals      int
	block          int

	transpose bool
	top       int
	distances bool
	out       string

	pair    [2]int32   // of entry
	sets    [2]string  // of between
	members [2][]int32 // of the sets, or of set
}

func (q *question) check(typed *flag.FlagSet, json bool) error {
	wrong := ""
	given := map[string]bool{}
	typed.Visit(func(f *flag.Flag) {
		given[f.Name] = true
		if least, number := map[string]int{"row": 0, "column": 0, "block": 0, "sample": 1, "marginals": 1}[f.Name]; number {
			if x, err := strconv.Atoi(f.Value.String()); err != nil || x < least {
				wrong = fmt.Sprintf("-%s %s: must be %d or more", f.Name, f.Value, least)
			}
		}
	})
	asked := 0
	for _, one := range []bool{q.set != "", q.row >= 0, q.column >= 0, q.entry != "", q.between != "", q.centres, q.sample > 0, given["sparse"], q.trace, q.marginals != 0, q.block >= 0} {
		if one {
			asked++
		}
	}
	switch {
	case wrong != "":
		return usagef("%s", wrong)
	case asked > 1:
		return usagef("answers one question in a call, not %d", asked)
	case asked == 0:
		return usagef("needs one of -set FILE, -row VERTEX, -column VERTEX, -entry I,J, -between A,B, -map, -sample COUNT, -sparse SHARE, -trace, -marginals ITERATION and -block NUMBER")
	case max(q.row, q.column) > math.MaxInt32:
		return usagef("%d is not a vertex number", max(q.row, q.column))
	case q.top < 0:
		return usagef("-top %d: must not be negative", q.top)
	case given["sparse"] && !(q.sparse > 0 && q.sparse <= 1):
		return usagef("-sparse %g: a share is above 0 and at most 1", q.sparse)
	case q.sparse > 0 && json && q.out == "-":
		return usagef("-sparse writes lines: with -json it needs -out FILE")
	case q.distances && q.row < 0 && q.column < 0:
		return usagef("-distances needs -row or -column")
	case q.transpose && q.set == "":
		return usagef("-transpose needs -set")
	case given["top"] && q.row < 0 && q.column < 0:
		return usagef("-top needs -row or -column")
	case given["out"] && q.set == "" && !q.centres && q.sample == 0 && q.sparse == 0 && !q.trace && q.marginals == 0:
		return usagef("-out needs -set, -map, -sample, -sparse, -trace or -marginals")
	}
	if q.entry != "" {
		i, j, ok := strings.Cut(q.entry, ",")
		from, errFrom := strconv.ParseInt(i, 10, 32)
		to, errTo := strconv.ParseInt(j, 10, 32)
		if !ok || errFrom != nil || errTo != nil || from < 0 || to < 0 {
			return usagef("-entry %s: want two vertex numbers with a comma between", q.entry)
		}
		q.pair = [2]int32{int32(from), int32(to)}
	}
	if q.between != "" {
		var ok bool
		if q.sets[0], q.sets[1], ok = strings.Cut(q.between, ","); !ok || q.sets[0] == "" || q.sets[1] == "" || q.between == "-,-" {
			return usagef("-between %s: want two files with a comma between", q.between)
		}
	}
	return nil
}

func query(c *call, f *solveFlags, q *question) error {
	if err := q.check(c.flags, c.json); err != nil {
		return err
	}
	s, loaded, made, err := f.open(c)
	if err != nil {
		return err
	}
	if err := q.read(c, s.file, loaded.Report.Vertices); err != nil {
		return err
	}
	solved, err := f.plan(s, made)
	if err != nil {
		return err
	}
	if err := q.answer(c, s, loaded.Report.Vertices, f.Sample.Seed, made); err != nil {
		return err
	}
	if q.centres && job.Laid(loaded.Timings) {
		s.notes = append(s.notes, "The file has no coordinates: the map's are those of a computed drawing.")
	}
	s.tell()
	return s.convergence(solved.Status, solved.Iterations, solved.MarginalError)
}

// read reads the vertices that are asked about, of n: a wrong one is told before the solve.
func (q *question) read(c *call, mesh string, n int) (err error) {
	for _, v := range []int{q.row, q.column, int(q.pair[0]), int(q.pair[1])} {
		if v >= n {
			return fmt.Errorf("%s: vertex %d does not exist: the mesh has %d vertices, numbered from 0", mesh, v, n)
		}
	}
	for i, name := range []string{cmp.Or(q.set, q.sets[0]), q.sets[1]} {
		if name != "" {
			if q.members[i], err = c.readVertices(name, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer asks the plan between the densities that was solved last, on n vertices.
func (q *question) answer(c *call, s *engineSession, n int, seed uint64, densities *job.Measured) (err error) {
	switch {
	case q.row >= 0:
		return queryRow(c, s, &job.Partners{Vertex: int32(q.row), Top: q.top, Distances: q.distances})
	case q.column >= 0:
		return queryRow(c, s, &job.Partners{Vertex: int32(q.column), Top: q.top, Target: true, Distances: q.distances})
	case q.entry != "":
		return queryMass(c, s, q.pair[:1], q.pair[1:])
	case q.between != "":
		return queryMass(c, s, q.members[0], q.members[1])
	case q.centres:
		centred, err := ask[*job.Centred](s, &job.Centres{})
		if err != nil {
			return err
		}
		columns := make([][]float64, 3)
		for i, x := range centred.Positions {
			columns[i%3] = append(columns[i%3], x)
		}
		return c.writeLines(q.out, nil, columns...)
	case q.sample > 0:
		drawn, err := ask[*job.Drawn](s, &job.Draw{Count: q.sample, Seed: seed})
		if err != nil {
			return err
		}
		columns := [2][]float64{}
		for k := range drawn.From {
			columns[0], columns[1] = append(columns[0], float64(drawn.From[k])), append(columns[1], float64(drawn.To[k]))
		}
		return c.writeLines(q.out, nil, columns[:]...)
	case q.sparse > 0:
		return querySparse(c, s, n, q.sparse, q.out)
	case q.trace, q.marginals > 0:
		return queryIterations(c, s, q, densities)
	case q.block >= 0:
		return queryBlock(c, s, q.block)
	}
	indicator := make([]float64, n)
	for _, v := range q.members[0] {
		indicator[v] = 1
	}
	pushed, err := ask[*job.Pushed](s, &job.Push{Values: indicator, Transpose: q.transpose})
	if err != nil {
		return err
	}
	total := 0.0
	for _, x := range pushed.Values {
		total += x
	}
	return c.writeLines(q.out, []field{{"total", total}}, pushed.Values)
}

func queryMass(c *call, s *engineSession, from, to []int32) error {
	shared, err := ask[*job.Shared](s, &job.Between{From: from, To: to})
	if err != nil {
		return err
	}
	who := func(v []int32) string {
		if len(v) == 1 {
			return fmt.Sprintf("vertex %d", v[0])
		}
		return vertices(len(v))
	}
	text := []line{{"mass sent, of 1 in all", ""}, {fmt.Sprintf("from %s to %s", who(from), who(to)), digits(shared.Mass)}}
	return c.report(text, field{"mass", shared.Mass})
}

// querySparse writes of each of n rows of the plan its greatest entries, as few as hold a share of the row's mass, by descending mass.
func querySparse(c *call, s *engineSession, n int, share float64, out string) error {
	entries, kept, total := 0, 0.0, 0.0
	err := c.writeFile(out, func(w io.Writer) error {
		lines := bufio.NewWriter(w)
		for i := range n {
			row, err := ask[*job.Partnered](s, &job.Partners{Vertex: int32(i)})
			if err != nil {
				return err
			}
			held := 0.0
			for k, mass := range row.Mass {
				if held >= share*row.Total {
					break
				}
				held += mass
				entries++
				fmt.Fprintf(lines, "%d\t%d\t%v\n", i, row.Vertices[k], mass) // an error stays until Flush
			}
			kept, total = kept+held, total+row.Total
		}
		return lines.Flush()
	})
	if err != nil || out == "-" {
		return err
	}
	text := append(fileText(out, count(entries, "line")), line{"mass in them", digits(kept) + " of " + digits(total)})
	return c.report(text, field{"file", out}, field{"entries", entries}, field{"mass", kept}, field{"total", total})
}

// queryIterations writes the marginal error after every iteration, or the plan's marginals after one.
func queryIterations(c *call, s *engineSession, q *question, densities *job.Measured) error {
	r, err := ask[*job.Retraced](s, &job.Retrace{})
	if err != nil {
		return err
	}
	if q.trace {
		numbers := make([]float64, len(r.Trace))
		for i := range numbers {
			numbers[i] = float64(i + 1)
		}
		return c.writeLines(q.out, nil, numbers, r.Trace)
	}
	var known []int32
	for _, f := range r.Frames {
		if int(f.Iteration) == q.marginals {
			return c.writeLines(q.out, nil, marginal(f.Rows, densities.Source), marginal(f.Columns, densities.Target))
		}
		known = append(known, f.Iteration)
	}
	return fmt.Errorf("%s: -marginals %d: of %s these are known: %s", s.file, q.marginals, count(len(r.Trace), "iteration"), some(known))
}

// marginal is what the plan's rows or columns sum to, of a total of 1: where there are no sums, what they shall be.
func marginal(sums []float32, wanted []float64) []float64 {
	if len(sums) == 0 {
		return measure.Normalise(slices.Clone(wanted))
	}
	shares := make([]float64, len(sums))
	for i, x := range sums {
		shares[i] = float64(x)
	}
	return shares
}

// queryBlock says what a block of the kernel has, as it is stored.
func queryBlock(c *call, s *engineSession, number int) error {
	b, err := ask[*job.Blocked](s, &job.Block{Number: number})
	if err != nil {
		return err
	}
	sides := [2][][]int32{}
	for k, side := range [2]struct{ starts, vertices []int32 }{{b.RowStarts, b.RowVertices}, {b.ColumnStarts, b.ColVertices}} {
		for i := 1; i < len(side.starts); i++ {
			sides[k] = append(sides[k], side.vertices[side.starts[i-1]:side.starts[i]])
		}
	}
	runs, hubs := make([][]field, len(b.Runs)/5), b.Hubs()
	for k := range runs {
		r := b.Runs[5*k:][:5]
		runs[k] = []field{{"rows", r[:2]}, {"columns", r[2:4]}, {"hub", r[4]}}
	}
	text := []line{
		{fmt.Sprintf("block %d of %d, numbered from 0", b.Number, b.Count), ""},
		{"rows", fmt.Sprintf("%d: vertices %s", len(sides[0]), some(b.RowVertices))}, {"columns", fmt.Sprintf("%d: vertices %s", len(sides[1]), some(b.ColVertices))},
		{"runs", fmt.Sprintf("%d, through %s: %s", len(runs), count(len(hubs), "hub"), some(hubs))},
	}
	return c.report(text, field{"block", b.Number}, field{"blocks", b.Count}, field{"rows", sides[0]}, field{"columns", sides[1]}, field{"runs", runs})
}

// writeLines writes columns to a file, and the fields to standard output where
// that is another; with -json the columns are in the object, as values or, where
// there are several, rows.
func (c *call) writeLines(out string, fields []field, columns ...[]float64) error {
	if out != "-" || !c.json {
		if err := c.writeVectors(out, columns...); err != nil || out == "-" {
			return err
		}
	}
	if c.json {
		if len(columns) == 1 {
			return c.report(nil, append(fields, field{"values", columns[0]})...)
		}
		rows := make([][]float64, len(columns[0]))
		for i := range rows {
			for _, column := range columns {
				rows[i] = append(rows[i], column[i])
			}
		}
		return c.report(nil, append(fields, field{"rows", rows})...)
	}
	text := fileText(out, count(len(columns[0]), "line"))
	if fields == nil {
		fields = []field{{"file", out}, {"lines", len(columns[0])}}
	}
	for _, f := range fields {
		if total, ok := f.value.(float64); ok {
			text = append(text, line{"sum", digits(total) + " of a mass of 1"})
		}
	}
	return c.report(text, fields...)
}

func queryRow(c *call, s *engineSession, request *job.Partners) error {
	p, err := ask[*job.Partnered](s, request)
	if err != nil {
		return err
	}
	verb, toward := "sends", "to"
	if request.Target {
		verb, toward = "receives", "from"
	}
	text := []line{{fmt.Sprintf("vertex %d %s a mass of %s, of 1 in all", p.Vertex, verb, digits(p.Total)), ""}}
	partners := make([][]field, len(p.Vertices))
	for i, v := range p.Vertices {
		partners[i] = []field{{"vertex", v}, {"mass", p.Mass[i]}}
		mass := digits(p.Mass[i])
		if request.Distances {
			mass += ", " + units(p.Distances[i]) + " away; " + digits(p.True[i]) + " along the mesh"
			partners[i] = append(partners[i], field{"distance", p.Distances[i]}, field{"distance_true", p.True[i]})
		}
		text = append(text, line{fmt.Sprintf("%s %d", toward, v), mass})
	}
	return c.report(text, field{"vertex", p.Vertex}, field{"total", p.Total}, field{"partners", partners})
}
