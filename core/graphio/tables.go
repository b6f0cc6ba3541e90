package graphio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"genussink/core/graph"
	"genussink/core/internal/budget"
	"genussink/internal/decimal"
)

// table is the rows of a file that are numbers, by column.
type table struct {
	name    string
	columns [3]int    // of vertices: id, x, y; of edges: length or -1, from, to
	edges   bool      // it lists edges
	length  string    // what the column of their lengths is called; "": there is none
	of      surface   // the coordinates
	rows    []float64 // 3 per row
	lines   []int     // of the rows in the file
	more    bool      // a row has columns that are not read, since they have no names
}

// surface is what coordinates are of.
type surface int

const (
	unknown surface = iota
	plane           // they are called x and y: they need not be degrees
	globe           // they are called longitude and latitude, or so
)

// The names of columns, as plain has them.
var (
	xNames      = []string{"x", "lon", "lng", "long", "longitude"}
	yNames      = []string{"y", "lat", "latitude"}
	fromNames   = []string{"from", "fromnode", "fromid", "source", "u", "start", "startnode", "node1"}
	toNames     = []string{"to", "tonode", "toid", "target", "v", "end", "endnode", "node2"}
	lengthNames = []string{"length", "lengthm", "distance", "dist", "weight"}
	idNames     = []string{"id", "index", "node", "nodeid", "osmid"}
)

// plain is a name without capitals, blanks and dashes.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// readTable reads one table of comma-separated values. Lines before the line of names are passed over. Without names one line without a
// number may be. Then the columns are id, latitude, longitude where some have a fraction, else id, from, to.
func readTable(file File) (*table, error) {
	t := &table{name: file.Name}
	named, titles := false, 0
	var odd error // of the first line that is neither names nor a row nor a title
	data := bytes.TrimPrefix(file.Data, []byte("\ufeff"))
	if !bytes.ContainsRune(data, '\n') {
		data = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
	}
	lines := csv.NewReader(bytes.NewReader(data))
	lines.FieldsPerRecord, lines.LazyQuotes, lines.TrimLeadingSpace, lines.ReuseRecord = -1, true, true, true
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		line, _ := lines.FieldPos(0)
		if last := fields[len(fields)-1]; strings.Contains(last, "\n") && lines.InputOffset() == int64(len(data)) && !bytes.HasSuffix(bytes.TrimSpace(data), []byte{'"'}) {
			from, _ := lines.FieldPos(len(fields) - 1)
			return nil, fmt.Errorf("%s: line %d: the quote in column %d is not closed: it goes on to the end of the file", file.Name, from, len(fields))
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if strings.Join(fields, "") == "" {
			continue
		}
		if !named && len(t.lines) == 0 && t.header(fields) {
			named, odd = true, nil
			continue
		}
		columns := [3]int{0, 1, 2}
		if named {
			columns = t.columns
		}
		var row [3]float64
		for k, c := range columns {
			if c < 0 {
				continue
			}
			if c >= len(fields) {
				err = fmt.Errorf("%d columns, want %d", len(fields), c+1)
				break
			}
			x, ok := decimal.Float([]byte(fields[c]))
			if !ok || !(math.Abs(x) <= maxCoordinate) {
				err = fmt.Errorf("%.40q is not a number", fields[c])
				break
			}
			row[k] = x
		}
		if err != nil {
			err = fmt.Errorf("%s: line %d: %w", file.Name, line, err)
			if named || len(t.lines) > 0 {
				return nil, err
			}
			words := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f == "" })
			switch titles++; {
			case odd != nil:
			case titles > 1 || slices.ContainsFunc(words, isNumber):
				odd = err
			case len(words) > 2: // more than a title has
				odd = fmt.Errorf("%s: line %d: %.100q are not names that are known: a table of vertices has id, x and y, or lon and lat; one of edges from and to", file.Name, line, strings.Join(fields, ","))
			}
			continue
		}
		if odd != nil {
			return nil, odd
		}
		t.rows, t.lines, t.more = append(t.rows, row[:]...), append(t.lines, line), t.more || !named && len(fields) > 3
	}
	if odd != nil {
		return nil, odd
	}
	if !named && len(t.rows) == 0 {
		return nil, fmt.Errorf("%s: line 1: there are no rows from here to the end", file.Name)
	}
	if !named {
		t.edges = !slices.ContainsFunc(t.rows, func(x float64) bool { return x != math.Trunc(x) })
		if !t.edges {
			for i := 0; i < len(t.rows); i += 3 {
				t.rows[i+1], t.rows[i+2] = t.rows[i+2], t.rows[i+1]
			}
		}
	}
	return t, nil
}

func isNumber(field string) bool {
	_, ok := decimal.Float([]byte(field))
	return ok
}

// header takes a line of names, if it is one.
func (t *table) header(fields []string) bool {
	find := func(names []string) int {
		return slices.IndexFunc(fields, func(f string) bool { return slices.Contains(names, plain(f)) })
	}
	if from, to := find(fromNames), find(toNames); from >= 0 && to >= 0 {
		t.edges, t.columns = true, [3]int{find(lengthNames), from, to}
		if t.columns[0] >= 0 {
			t.length = fields[t.columns[0]]
		}
		return true
	}
	if x, y, id := find(xNames), find(yNames), find(idNames); x >= 0 && y >= 0 && id >= 0 {
		t.columns = [3]int{id, x, y}
		switch flatX, flatY := plain(fields[x]) == "x", plain(fields[y]) == "y"; {
		case flatX && flatY:
			t.of = plane
		case !flatX && !flatY:
			t.of = globe
		}
		return true
	}
	return false
}

// readTables joins a table of vertices and one of edges, in either order.
func readTables(a, b File, most budget.Budget) (*Network, error) {
	vertices, err := readTable(a)
	if err != nil {
		return nil, err
	}
	edges, err := readTable(b)
	if err != nil {
		return nil, err
	}
	if vertices.edges {
		vertices, edges = edges, vertices
	}
	if vertices.edges || !edges.edges {
		return nil, fmt.Errorf("of %s and %s one must list vertices (id, latitude, longitude) and one edges (id, from, to)", a.Name, b.Name)
	}
	n := len(vertices.lines)
	if n > graph.MaxPACEVertices {
		return nil, fmt.Errorf("%s: %d vertices, at most %d", vertices.name, n, graph.MaxPACEVertices)
	}
	place := make(map[float64]int32, n)
	net := &Network{Format: "tables", budget: most, Positions: make([][2]float64, n), IDs: make([]float64, n)}
	for v := range n {
		row := vertices.rows[3*v : 3*v+3]
		fail := func(format string, args ...any) (*Network, error) {
			return nil, fmt.Errorf("%s: line %d: %w", vertices.name, vertices.lines[v], fmt.Errorf(format, args...))
		}
		switch _, twice := place[row[0]]; {
		case math.Abs(row[0]) >= 1<<53:
			return fail("the number of vertex %s is too large: at most %d are told apart", number(row[0]), 1<<53-1)
		case twice:
			return fail("vertex %s a second time", number(row[0]))
		case vertices.of == globe && !(math.Abs(row[1]) <= 360):
			return fail("the longitude %g is none", row[1])
		case vertices.of == globe && !(math.Abs(row[2]) <= 90):
			return fail("the latitude %g is none", row[2])
		}
		place[row[0]], net.IDs[v] = int32(v), row[0]
		net.Positions[v] = [2]float64{row[1], row[2]}
	}
	for _, t := range []*table{vertices, edges} {
		if t.more {
			net.Warnings = append(net.Warnings, fmt.Sprintf("%s: the columns have no names, and those after the third were not read.", t.name))
		}
	}
	degrees := net.project(vertices.of)
	if degrees != nil && edges.length == "" {
		net.Warnings = append(net.Warnings, "The edges are as long as great circles, in metres. The picture is flat.")
	}
	list := make([]graph.Edge, len(edges.lines))
	for i := range list {
		var ends [2]int32
		for k, id := range edges.rows[3*i+1 : 3*i+3] {
			v, ok := place[id]
			if !ok {
				return nil, fmt.Errorf("%s: line %d: there is no vertex %s", edges.name, edges.lines[i], number(id))
			}
			ends[k] = v
		}
		p, q := net.Positions[ends[0]], net.Positions[ends[1]]
		length := math.Hypot(p[0]-q[0], p[1]-q[1])
		if degrees != nil {
			length = greatCircle(degrees[ends[0]], degrees[ends[1]])
		}
		if edges.length != "" {
			if length = edges.rows[3*i]; !isLength(length) {
				return nil, fmt.Errorf("%s: line %d: the edge from %s to %s is %g long, 0 and %g to %g can be computed with",
					edges.name, edges.lines[i], number(edges.rows[3*i+1]), number(edges.rows[3*i+2]), length, 1/maxCoordinate, maxCoordinate)
			}
		}
		list[i] = graph.Edge{U: ends[0], V: ends[1], Weight: length}
	}
	if err := net.join(n, list, true); err != nil || edges.length == "" {
		return net, err
	}
	net.Warnings = append(net.Warnings, fmt.Sprintf("The edges are as long as the column %q says.", edges.length))
	if _, longer := net.oneWay(list); longer > 0 {
		net.Warnings = append(net.Warnings, fmt.Sprintf("In the file %d of the graph's %d edges are longer one way. Distances go both ways, by the shorter.", longer, net.Graph.Edges()))
	}
	net.rescale()
	return net, nil
}

// number is one of a table, as it has it.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

const (
	metresPerDegree = 111_195 // of a great circle on a sphere of radius 6,371 km
	maxExtent       = 10      // degrees within which one scale for each axis is good: 1.5 % at the latitude of Rome
)

// project turns degrees into metres from the south-western corner. A plane's coordinates are not taken for degrees where they are small: all that
// this changes is the unit. A globe's are degrees however far they go. Where that is so far that lengths in the plane are wrong, the degrees are
// returned, else nil.
func (net *Network) project(of surface) (degrees [][2]float64) {
	if len(net.Positions) == 0 {
		return nil
	}
	lo, hi := net.Positions[0], net.Positions[0]
	for _, p := range net.Positions {
		for k, x := range p {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	wide := hi[0]-lo[0] > maxExtent || hi[1]-lo[1] > maxExtent
	switch {
	case of == plane && max(-lo[0], hi[0], -lo[1], hi[1]) <= maxExtent,
		of != globe && (wide || lo[0] < -180 || hi[0] > 180 || lo[1] < -90 || hi[1] > 90):
		return nil
	case wide:
		degrees = slices.Clone(net.Positions)
	}
	net.Warnings = append(net.Warnings, "The coordinates are taken for degrees of longitude and latitude.")
	east := metresPerDegree * math.Cos((lo[1]+hi[1])/2*math.Pi/180)
	for v, p := range net.Positions {
		net.Positions[v] = [2]float64{(p[0] - lo[0]) * east, (p[1] - lo[1]) * metresPerDegree}
	}
	return degrees
}

// greatCircle is how far two places are apart on the globe, in metres, by the haversine formula. They are longitudes and latitudes in degrees.
func greatCircle(p, q [2]float64) float64 {
	const degree = math.Pi / 180
	square := func(x float64) float64 { return x * x }
	h := square(math.Sin((p[1]-q[1])/2*degree)) + math.Cos(p[1]*degree)*math.Cos(q[1]*degree)*square(math.Sin((p[0]-q[0])/2*degree))
	return 2 * math.Asin(min(1, math.Sqrt(h))) / degree * metresPerDegree
}
