// Package graphio reads graphs that have no faces: PACE and DIMACS .gr files
// and road tables as comma-separated values. A reader answers hostile data with
// an error that names the line, and memory stays proportional to the input but
// for the announced vertices, of which there are at most graph.MaxPACEVertices.
package graphio

import (
	"bytes"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"genussink/core/graph"
	"genussink/core/internal/budget"
	"genussink/core/internal/foreign"
)

// Network is a graph with what its file says of where it lies.
type Network struct {
	Graph     *graph.Graph
	Positions [][2]float64 // of the vertices; nil: the file has none
	Format    string       // "PACE", "DIMACS" or "tables"
	Warnings  []string     // what was left out or assumed, in words
	IDs       []float64    // of the vertices, in their table; nil: they are numbered from 1

	budget budget.Budget
}

// What a vertex and an edge take at most, in bytes, until the graph is known.
const (
	vertexBytes = 150
	edgeBytes   = 110
)

// Name is what the file calls a vertex.
func (net *Network) Name(v int32) string {
	if net.IDs != nil {
		return strconv.FormatFloat(net.IDs[v], 'f', -1, 64)
	}
	return strconv.Itoa(int(v) + 1)
}

// join makes the graph of n vertices and tells of the loops and the parallel
// edges among those of the file, which it leaves out. Where these have a
// direction, the way back is no parallel.
func (net *Network) join(n int, edges []graph.Edge, directed bool) (err error) {
	if err := net.room(n, len(edges), vertexBytes, edgeBytes); err != nil {
		return err
	}
	if net.Graph, err = graph.New(n, edges); err != nil {
		return err
	}
	loops, parallels := 0, 0
	seen := make([]bool, len(net.Graph.Targets))
	for _, e := range edges {
		if e.U == e.V {
			loops++
			continue
		}
		u, v := e.U, e.V
		if !directed {
			u, v = min(u, v), max(u, v)
		}
		if at := net.place(u, v); seen[at] {
			parallels++
		} else {
			seen[at] = true
		}
	}
	if loops > 0 {
		net.Warnings = append(net.Warnings, fmt.Sprintf("%d of the file's %d edges lead from a vertex to itself and were left out.", loops, len(edges)))
	}
	if parallels > 0 {
		net.Warnings = append(net.Warnings, fmt.Sprintf("%d of the file's %d edges repeat another and were left out; the shortest of each was kept.", parallels, len(edges)))
	}
	return nil
}

// place is where the graph's Targets and Weights have the edge from u to v.
func (net *Network) place(u, v int32) int {
	to, _ := net.Graph.Neighbours(u)
	k, _ := slices.BinarySearch(to, v)
	return int(net.Graph.Offsets[u]) + k
}

func (net *Network) room(vertices, edges int, vertexBytes, edgeBytes int64) error {
	return net.budget.Check(vertexBytes*int64(vertices)+edgeBytes*int64(edges), "%d vertices and %d edges", vertices, edges)
}

// Room is an error where work on the graph takes more memory than its file may: so many bytes for each vertex and edge, the graph included.
func (net *Network) Room(vertexBytes, edgeBytes int64) error {
	return net.room(net.Graph.Len(), net.Graph.Edges(), vertexBytes, edgeBytes)
}

// File is a file's name and contents.
type File struct {
	Name string
	Data []byte
}

// Is reports whether a name is that of a graph's file, by its ending.
func Is(name string) bool {
	switch ending(name) {
	case ".gr", ".csv":
		return true
	}
	return false
}

// Beside is the ending of the file that belongs beside a graph's; "": none does.
func Beside(main File) string {
	switch {
	case ending(main.Name) == ".csv":
		return ".csv"
	case isDIMACS(main.Data):
		return ".co"
	}
	return ""
}

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

// Read reads a graph. Others are the files beside it: for a DIMACS .gr its
// coordinates (.co), for a road table the other table (.csv).
//
//   - A .gr file is PACE's ("p tw vertices edges", edges of length 1) or
//     DIMACS' ("p sp vertices arcs", then "a from to length"; of the two
//     directions of a road the shorter counts).
//   - Tables are one of vertices (id, latitude, longitude) and one of edges
//     (id, from, to), or any with a line of names: x and y, or lat and lon; from
//     and to. An edge is as long as its column length, distance or weight says,
//     else as its ends are apart.
//
// Coordinates that can only be degrees of a place on the globe become metres.
// Columns called x and y with numbers up to 10 are not taken for degrees.
// If the file states lengths, the positions are scaled: the edges' total length in
// the plane is then the stated one. Reading takes at most limit bytes of memory, 0
// for what budget.Of says.
func Read(main File, others []File, limit int64) (*Network, error) {
	size := len(main.Data)
	for _, f := range others {
		size += len(f.Data)
	}
	most := budget.Of(limit, size)
	for _, f := range append([]File{main}, others...) {
		if err := foreign.ByContent(f.Name, f.Data); err != nil {
			return nil, err
		}
	}
	if ending(main.Name) == ".csv" {
		for _, o := range others {
			if ending(o.Name) == ".csv" {
				return readTables(main, o, most)
			}
		}
		return nil, fmt.Errorf("%s is one table: open the vertices' and the edges' together", main.Name)
	}
	if !isDIMACS(main.Data) {
		n, edges, err := graph.ReadPACE(bytes.NewReader(main.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", main.Name, err)
		}
		net := &Network{Format: "PACE", budget: most}
		return net, net.join(n, edges, false)
	}
	net, err := readDIMACS(main, most)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		if ending(o.Name) == ".co" {
			if net.Positions, err = readCoordinates(o, net.Graph.Len()); err != nil {
				return nil, err
			}
			net.project(unknown)
			net.rescale()
			break
		}
	}
	return net, nil
}

// rescale gives the positions the unit of the edges' lengths.
func (net *Network) rescale() {
	stated, drawn := 0.0, 0.0
	for u := range int32(net.Graph.Len()) {
		to, lengths := net.Graph.Neighbours(u)
		for k, v := range to {
			p, q := net.Positions[u], net.Positions[v]
			stated += lengths[k]
			drawn += math.Hypot(p[0]-q[0], p[1]-q[1])
		}
	}
	scale := stated / drawn
	if !(scale > 0) || scale > maxCoordinate || drawn > maxCoordinate {
		return
	}
	for v := range net.Positions {
		net.Positions[v][0] *= scale
		net.Positions[v][1] *= scale
	}
	if by := fmt.Sprintf("%.4g", scale); by != "1" {
		net.Warnings = append(net.Warnings, fmt.Sprintf("The coordinates were multiplied by %s: the edges' total length is then what the file says.", by))
	}
}
