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
	"strings"

	"genussink/core/graph"
)

// Network is a graph with what its file says of where it lies.
type Network struct {
	Graph     *graph.Graph
	Positions [][2]float64 // of the vertices; nil: the file has none
	Format    string       // "PACE", "DIMACS" or "tables"
	Warnings  []string     // what was left out or assumed, in words
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

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

// Read reads a graph. Others are the files beside it: for a DIMACS .gr its
// coordinates (.co), for a road table the other table (.csv).
//
//   - A .gr file is PACE's ("p tw vertices edges", edges of length 1) or
//     DIMACS' ("p sp vertices arcs", then "a from to length"; of the two
//     directions of a road the shorter counts).
//   - Tables are one of vertices (id, latitude, longitude) and one of edges
//     (id, from, to), or any with a line of names: x and y, or lat and lon; from
//     and to. An edge is as long as its ends are apart.
//
// Coordinates that can only be degrees of a place on the globe become metres,
// or, of a .gr file, the unit of its lengths: as many as make the edges as long
// in all as the file says.
func Read(main File, others []File) (*Network, error) {
	if ending(main.Name) == ".csv" {
		for _, o := range others {
			if ending(o.Name) == ".csv" {
				return readTables(main, o)
			}
		}
		return nil, fmt.Errorf("graphio: %s is one table: open the vertices' and the edges' together", main.Name)
	}
	if !isDIMACS(main.Data) {
		g, err := graph.ReadPACE(bytes.NewReader(main.Data))
		if err != nil {
			return nil, err
		}
		return &Network{Graph: g, Format: "PACE"}, nil
	}
	net, err := readDIMACS(main)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		if ending(o.Name) == ".co" {
			if net.Positions, err = readCoordinates(o, net.Graph.Len()); err != nil {
				return nil, err
			}
			net.project()
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
}
