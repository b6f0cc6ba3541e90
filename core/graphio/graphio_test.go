package graphio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"genussink/core/internal/shared"
	"genussink/core/internal/wording"
)

func file(name, text string) File { return File{name, []byte(text)} }

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		main   File
		others []File
		format string
		n, m   int
		weight float64 // of the first edge of vertex 0
		placed bool
	}{
		"PACE":        {file("a.gr", "c x\np tw 3 2\n1 2\n2 3\n"), nil, "PACE", 3, 2, 1, false},
		"DIMACS":      {file("a.GR", "c x\np sp 3 3\na 1 2 5\na 2 1 4\na 2 3 1\n"), nil, "DIMACS", 3, 2, 4, false},
		"coordinates": {file("a.gr", "p sp 2 1\na 1 2 5\n"), []File{file("a.co", "p aux sp co 2\nv 1 12500000 41900000\nv 2 12510000 41900000\n")}, "DIMACS", 2, 1, 5, true},
		"tables":      {file("p.csv", "1,40.5,-74\n2,40.501,-74\n"), []File{file("e.csv", "7,1,2\n")}, "tables", 2, 1, 111.195, true},
		"edges first": {file("e.csv", "7,1,2\n"), []File{file("p.csv", "1,40.5,-74\n2,40.501,-74\n")}, "tables", 2, 1, 111.195, true},
		"named": {file("nodes.csv", "nodes,2,,\nindex,x,y,extra,\n1.0,100,200,1\n2.0,103,204,1\n"),
			[]File{file("arcs.csv", "miscData,1,,\n,\narcs,1,,\nindex,fromNode,toNode,\n1.0,1.0,2.0\n")}, "tables", 2, 1, 5, true},
		"quoted": {file("p.csv", "name,id,x,y\n\"a, 7\",1,100,200\n\"say \"\"b\"\"\",2,103,204\n\"c\nd\",5,100,201\n"),
			[]File{file("e.csv", "name,u,v\n\"Main, 5\",1,2\n")}, "tables", 3, 1, 5, true},
		"titled":       {file("p.csv", "places\n1,200.5,100\n2,203.5,104\n"), []File{file("e.csv", "roads\n7,1,2\n")}, "tables", 2, 1, 5, true},
		"lengths":      {file("p.csv", "id,lat,lon\n1,40.5,-74\n2,40.501,-74\n"), []File{file("e.csv", "osmid,Length,u,v\n9,250.5,1,2\n8,251,2,1\n")}, "tables", 2, 1, 250.5, true},
		"square":       {file("p.csv", "id,x,y\n1,0,0\n2,0.3,0.4\n"), []File{file("e.csv", "from,to\n1,2\n")}, "tables", 2, 1, 0.5, true},
		"x of a place": {file("p.csv", "id,x,y\n1,-74,40.5\n2,-74,40.501\n"), []File{file("e.csv", "from,to\n1,2\n")}, "tables", 2, 1, 111.195, true},
		"names":        {file("p.csv", "osm_id,x,y\n1,0,0\n2,3,4\n"), []File{file("e.csv", "From Node,To Node,Length\n1,2,7\n")}, "tables", 2, 1, 7, true},
		"CR":           {file("p.csv", "id,x,y\r1,0,0\r2,3,4\r"), []File{file("e.csv", "from,to\r1,2\r")}, "tables", 2, 1, 5, true},
		"far":          {file("p.csv", "id,lon,lat\n1,2.3522,48.8566\n2,13.405,52.52\n"), []File{file("e.csv", "from,to\n1,2\n")}, "tables", 2, 1, 877463.905, true},
		"across":       {file("p.csv", "id,lon,lat\n1,179.5,0\n2,-179.5,0\n"), []File{file("e.csv", "from,to\n1,2\n")}, "tables", 2, 1, 111195, true},
		"equator":      {file("p.csv", "id,lon,lat\n1,0,0\n2,0,0.001\n"), []File{file("e.csv", "from,to\n1,2\n")}, "tables", 2, 1, 111.195, true},
		"no edges":     {file("p.csv", "id,lat,lon\n1,40.5,-74\n"), []File{file("e.csv", "from,to\n")}, "tables", 1, 0, 0, true},
	} {
		net, err := Read(c.main, c.others, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if net.Format != c.format || net.Graph.Len() != c.n || net.Graph.Edges() != c.m || (net.Positions != nil) != c.placed {
			t.Errorf("%s: got %s, %d vertices, %d edges, placed %v", name, net.Format, net.Graph.Len(), net.Graph.Edges(), net.Positions != nil)
			continue
		}
		if c.m > 0 && math.Abs(net.Graph.Weights[0]-c.weight) > 1e-6*c.weight {
			t.Errorf("%s: the first edge is %g long, want %g", name, net.Graph.Weights[0], c.weight)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		main   File
		others []File
		want   string
	}{
		"one table":           {file("a.csv", "1,2.5,3\n"), nil, "together"},
		"two of vertices":     {file("a.csv", "1,2.5,3\n"), []File{file("b.csv", "1,2.5,3\n")}, "one must list"},
		"two of edges":        {file("a.csv", "1,2,3\n"), []File{file("b.csv", "1,2,3\n")}, "one must list"},
		"unknown vertex":      {file("a.csv", "1,2.5,3\n"), []File{file("b.csv", "1,1,2\n")}, "line 1: there is no vertex 2"},
		"a vertex twice":      {file("a.csv", "1,2.5,3\n1,2.5,3\n"), []File{file("b.csv", "1,1,1\n")}, "line 2: vertex 1 a second time"},
		"no number":           {file("a.csv", "1,2.5,3\n2,x,3\n"), []File{file("b.csv", "1,1,1\n")}, "line 2"},
		"a bad first row":     {file("a.csv", "1,2.5,3\n2,3.5,3\n"), []File{file("b.csv", "1,1,2x\n2,1,2\n")}, `b.csv: line 1: "2x" is not a number`},
		"two titles":          {file("a.csv", "1,2.5,3\n2,3.5,3\n"), []File{file("b.csv", "roads\nof Rome\n2,1,2\n")}, `b.csv: line 2: "of Rome" is not a number`},
		"names too late":      {file("a.csv", "1,2.5,3\n2,3.5,3\n"), []File{file("b.csv", "1,1,2\nid,from,to\n2,1,2\n")}, `b.csv: line 2: "id" is not a number`},
		"bad rows alone":      {file("a.csv", "1,2.5,3\n2,3.5,3\n"), []File{file("b.csv", "1,1,2x\n")}, `b.csv: line 1: "2x" is not a number`},
		"a later line":        {file("a.csv", "name,id,x,y\n\"a\nb\",1,0,0\nc,2,x,0\n"), []File{file("b.csv", "1,1,1\n")}, `a.csv: line 4: "x" is not a number`},
		"strange names":       {file("p.csv", "id,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "head,tail,length\n1,2,3\n")}, "e.csv: line 1: \"head,tail,length\" are not names that are known"},
		"no id":               {file("p.csv", "name,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "from,to\n1,2\n")}, "p.csv: line 1: \"name,x,y\" are not names"},
		"an empty table":      {file("p.csv", "id,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "")}, "e.csv: line 1: there are no rows"},
		"no latitude":         {file("p.csv", "id,lon,lat\n1,0,0\n2,1,95\n"), []File{file("e.csv", "from,to\n1,2\n")}, "p.csv: line 3: the latitude 95 is none"},
		"a large number":      {file("p.csv", "id,x,y\n1,0,0\n9007199254740993,1,0\n"), []File{file("e.csv", "from,to\n1,2\n")}, "p.csv: line 3: the number of vertex 9007199254740992 is too large"},
		"no such vertex":      {file("p.csv", "id,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "from,to\n1,4345678912\n")}, "e.csv: line 2: there is no vertex 4345678912"},
		"a length below 0":    {file("p.csv", "id,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "from,to,length\n1,2,-3\n")}, "e.csv: line 2: the edge from 1 to 2 is -3 long, 0 and 1e-100 to 1e+100 can be computed with"},
		"a length of words":   {file("p.csv", "id,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "from,to,length\n1,2,far\n")}, `e.csv: line 2: "far" is not a number`},
		"an open quote":       {file("a.csv", "name,id,x,y\n\"a,1,0,0\n"), []File{file("b.csv", "1,1,1\n")}, "a.csv: "},
		"an open quote, last": {file("a.csv", "1,2.5,3\n2,3.5,3\n"), []File{file("b.csv", "id,from,to,name\n1,1,2,\"A\n2,2,1,B\n")}, "b.csv: line 2: the quote in column 4 is not closed"},
		"not finite":          {file("a.csv", "1,2.5,3\n2,inf,3\n"), []File{file("b.csv", "1,1,1\n")}, "line 2"},
		"PACE out of range":   {file("a.gr", "p tw 2 1\n1 3\n"), nil, "line 2"},
		"arcs missing":        {file("a.gr", "p sp 2 2\na 1 2 1\n"), nil, "1 of 2 arcs"},
		"arcs too many":       {file("a.gr", "p sp 2 1\na 1 2 1\na 1 2 1\n"), nil, "more than"},
		"arc out of range":    {file("a.gr", "p sp 2 1\na 1 3 1\n"), nil, "line 2"},
		"negative length":     {file("a.gr", "p sp 2 1\na 1 2 -1\n"), nil, "not a length"},
		"length of no kind":   {file("a.gr", "p sp 2 1\na 1 2 nan\n"), nil, "not a length"},
		"stray line":          {file("a.gr", "p sp 2 1\nq\n"), nil, "line 2"},
		"half placed":         {file("a.gr", "p sp 2 1\na 1 2 1\n"), []File{file("a.co", "v 1 1 1\n")}, "1 of 2"},
		"nothing":             {file("a.gr", ""), nil, "problem line"},
		"huge header":         {file("a.gr", "p sp 99999999999 1\n"), nil, "line 1"},
	} {
		if _, err := Read(c.main, c.others, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// What a file has and a graph has not is counted, and vertices keep the file's
// names.
func TestLeftOut(t *testing.T) {
	const lead, repeat = " lead from a vertex to itself and were left out.", " repeat another and were left out; the shortest of each was kept."
	const ways = "In the file %d of the graph's %d edges lead one way alone, and %d are longer one way. Distances go both ways, by the shorter."
	for name, c := range map[string]struct {
		main     File
		others   []File
		warnings []string
		second   string // name of vertex 1
	}{
		"PACE":    {file("a.gr", "p tw 3 5\n1 2\n2 1\n3 3\n2 3\n2 3\n"), nil, []string{"1 of the file's 5 edges" + lead, "2 of the file's 5 edges" + repeat}, "2"},
		"nothing": {file("a.gr", "p tw 3 2\n1 2\n2 3\n"), nil, nil, "2"},
		"DIMACS":  {file("a.gr", "p sp 2 4\na 1 2 5\na 2 1 4\na 1 2 3\na 2 2 1\n"), nil, []string{"1 of the file's 4 edges" + lead, "1 of the file's 4 edges" + repeat, fmt.Sprintf(ways, 0, 1, 1)}, "2"},
		"one way": {file("a.gr", "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 1\na 1 3 2\n"), nil, []string{fmt.Sprintf(ways, 2, 3, 0)}, "2"},
		"both":    {file("a.gr", "p sp 2 2\na 1 2 5\na 2 1 5\n"), nil, nil, "2"},
		"tables": {file("p.csv", "id,x,y\n5,100,200\n70,103,204\n"), []File{file("e.csv", "from,to\n5,70\n70,5\n70,70\n")},
			[]string{"1 of the file's 3 edges" + lead}, "70"},
		"no names": {file("p.csv", "5,-36.5,174.5\n70,-36.6,174.4\n"), []File{file("e.csv", "1,5,70,0.14\n")},
			[]string{"e.csv: the columns have no names, and those after the third were not read.", "The coordinates are taken for degrees of longitude and latitude."}, "70"},
		"lengths": {file("p.csv", "id,x,y\n5,1,2\n70,3,4\n"), []File{file("e.csv", "from,to,weight\n5,70,3\n70,5,2\n")},
			[]string{`The edges are as long as the column "weight" says.`, "In the file 1 of the graph's 1 edges are longer one way. Distances go both ways, by the shorter.",
				"The coordinates were multiplied by 0.7071: the edges' total length is then what the file says."}, "70"},
	} {
		net, err := Read(c.main, c.others, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(net.Warnings, c.warnings) || net.Name(1) != c.second {
			t.Errorf("%s: warnings %q, the second vertex is %s", name, net.Warnings, net.Name(1))
		}
	}
}

// A packed file beside the graph's is told by name.
func TestPackedBeside(t *testing.T) {
	if _, err := Read(file("a.gr", "p sp 1 0\n"), []File{file("a.co.gz", "\x1f\x8b")}, 0); err == nil || !strings.Contains(err.Error(), "a.co.gz is packed with gzip") {
		t.Errorf("packed coordinates: %v", err)
	}
}

// Every text may begin with a byte order mark and have lines of any length.
func TestMarksAndLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for _, c := range []struct {
		main   File
		others []File
	}{
		{file("a.gr", "\ufeffp tw 2 1\n1 2\n"), nil},
		{file("a.gr", "c "+long+"\np tw 2 1\n1 2\n"), nil},
		{file("a.gr", "\ufeffp sp 2 1\na 1 2 5\n"), []File{file("a.co", "\ufeffv 1 0 0\nc "+long+"\nv 2 10 0\n")}},
		{file("a.gr", "c "+long+"\np sp 2 1\na 1 2 5\n"), nil},
		{file("v.csv", "\ufeffid,x,y\n1,0,0\n2,1,0\n"), []File{file("e.csv", "\ufeffid,from,to,"+long+"\n1,1,2\n")}},
	} {
		net, err := Read(c.main, c.others, 0)
		if err != nil || net.Graph.Len() != 2 || net.Graph.Edges() != 1 {
			t.Errorf("%.30q: %v", c.main.Data, err)
		}
	}
	for _, text := range []string{"p sp 2 1\na 1 2 0x1p0\n", "p sp 2 1\na 1 2 1_0\n"} {
		if _, err := Read(file("a.gr", text), nil, 0); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A length that cannot be computed with is named with its edge and line.
func TestLengthOutOfRange(t *testing.T) {
	for _, length := range []string{"1e300", "1e999", "1.1e100", "1e-101"} {
		_, err := Read(file("a.gr", "p sp 3 2\na 1 2 5\na 2 3 "+length+"\n"), nil, 0)
		if want := "a.gr: line 3: the edge from 2 to 3 is " + length + " long, 1e-100 to 1e+100 can be computed with"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Whatever is wrong with a file, the error is words for a person and names the
// place.
func TestErrorsAreWords(t *testing.T) {
	const seed = 17
	mutants := 3000
	if testing.Short() {
		mutants = 500
	}
	points, edges := "id,lat,lon\n1,40.5,-74\n2,40.501,-74\n", "7,1,2\n"
	for name, c := range map[string][2]File{
		"PACE":        {file("a.gr", "c x\np tw 3 2\n1 2\n2 3\n"), {}},
		"DIMACS":      {file("a.gr", "c x\np sp 3 3\na 1 2 5\na 2 1 4\na 2 3 1\n"), {}},
		"coordinates": {file("a.co", "p aux sp co 2\nv 1 12500000 41900000\nv 2 12510000 41900000\n"), file("a.gr", "p sp 2 1\na 1 2 5\n")},
		"points":      {file("p.csv", points), file("e.csv", edges)},
		"edges":       {file("e.csv", edges), file("p.csv", points)},
		"long line":   {file("a.gr", "p tw 2 1\n1 2"+strings.Repeat(" ", 1<<16)+"\n"), {}},
	} {
		rng := rand.New(rand.NewPCG(seed, 0))
		wrong, draws := 0, mutants
		if name == "long line" {
			draws /= 10 // most changes are within its blanks
		}
		for range draws {
			main, others := File{c[0].Name, wording.Mutate(rng, c[0].Data)}, []File{c[1]}
			if c[0].Name == "a.co" {
				main, others = c[1], []File{main}
			}
			if _, err := Read(main, others, 0); err != nil {
				wrong++
				if fault := wording.Fault(err); fault != "" {
					t.Errorf("%s, seed %d: %s", name, seed, fault)
				}
			}
		}
		if wrong == 0 {
			t.Errorf("%s: no mutant was refused", name)
		}
	}
}

// The road networks of the shared data, counted as its index counts them.
func TestSharedRoads(t *testing.T) {
	for name, c := range map[string]struct {
		files       []string
		n, m, parts int
	}{
		"rome99": {[]string{"rome99/rome99.gr"}, 3353, 0, 22},
		"taxi":   {[]string{"manhattan_taxi/edges.csv", "manhattan_taxi/points.csv"}, 4091, 7338, 1},
	} {
		var files []File
		for _, f := range c.files {
			path := shared.Path(t, "roads", f)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, File{filepath.Base(path), data})
		}
		net, err := Read(files[0], files[1:], 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, parts := net.Graph.Components()
		if net.Graph.Len() != c.n || c.m > 0 && net.Graph.Edges() != c.m || parts != c.parts {
			t.Errorf("%s: %d vertices, %d edges, %d components", name, net.Graph.Len(), net.Graph.Edges(), parts)
		}
		for v, p := range net.Positions { // Manhattan is some 25 km long
			if p[0] < 0 || p[1] < 0 || p[0] > 25_000 || p[1] > 25_000 {
				t.Errorf("%s: vertex %d lies at %v metres", name, v, p)
				break
			}
		}
	}
}

// FuzzRead: no files make Read panic, and what it accepts hangs together.
func FuzzRead(f *testing.F) {
	f.Add("a.gr", []byte("p sp 2 1\na 1 2 5\n"), []byte("v 1 12500000 41900000\nv 2 12510000 41900000\n"))
	f.Add("a.csv", []byte("1,40.5,-74\n2,40.501,-74\n"), []byte("7,1,2\n"))
	f.Add("a.csv", []byte("arcs,1\nindex,from,to\n1.0,1.0,2.0\n"), []byte("id,lat,lon\n1,2,3\n2,3,3\n"))
	f.Fuzz(func(t *testing.T, name string, data, other []byte) {
		if len(data) > 1<<16 || len(other) > 1<<16 {
			return
		}
		net, err := Read(File{name, data}, []File{{"b.co", other}, {"c.csv", other}}, 0)
		if err != nil {
			return
		}
		if n := net.Graph.Len(); n > 0 && net.Name(int32(n-1)) == "" {
			t.Fatal("the last vertex has no name")
		}
		if net.Positions != nil && len(net.Positions) != net.Graph.Len() {
			t.Fatalf("%d positions for %d vertices", len(net.Positions), net.Graph.Len())
		}
		for v, p := range net.Positions {
			for _, x := range p {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("vertex %d lies at %v", v, p)
				}
			}
		}
	})
}
