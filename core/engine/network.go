package engine

import (
	"errors"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/layout"
	"genussink/core/mesh"
)

// loadGraph opens a graph without faces, as a mesh that has only vertices: where
// its file puts them, or laid out.
func (e *Engine) loadGraph(r *run, b *job.Load) (job.Body, error) {
	end := r.begin("load")
	others := make([]graphio.File, len(b.Files))
	for i, f := range b.Files {
		others[i] = graphio.File(f)
	}
	net, err := graphio.Read(graphio.File{Name: b.Name, Data: b.Data}, others, e.fileLimit)
	if err != nil {
		return nil, err
	}
	g := net.Graph
	if g.Len() == 0 {
		return nil, errors.New("the graph has no vertices")
	}
	end()
	var positions [][3]float64
	if net.Positions != nil {
		positions = make([][3]float64, g.Len())
		for v, p := range net.Positions {
			positions[v] = [3]float64{p[0], p[1]}
		}
	} else {
		if err := net.Room(layout.VertexBytes, layout.EdgeBytes); err != nil {
			return nil, err
		}
		end = r.begin("layout")
		o := layout.Options{Progress: r.progress}
		if b.Space {
			o.Dimensions = 3
		}
		if positions, err = layout.Place(r.ctx, g, o); err != nil {
			return nil, err
		}
		end()
	}
	m, err := mesh.New(positions, nil)
	if err != nil {
		return nil, err
	}
	u := unitOf(m, g.Weights)
	m, g = m.Scaled(-int(u)), u.measured(g)
	loaded := &job.Loaded{
		Name: b.Name, Format: net.Format, Report: describeGraph(g, m.Diagonal()),
		Flat: net.Positions != nil || !b.Space, Edges: make([]int32, 0, 2*g.Edges()),
	}
	loaded.Report.Warnings = append(net.Warnings, loaded.Report.Warnings...)
	for u := range int32(g.Len()) {
		to, _ := g.Neighbours(u)
		for _, v := range to {
			if u < v {
				loaded.Edges = append(loaded.Edges, u, v)
			}
		}
	}
	if loaded.Component, err = e.show(r, u, m, g, net.Name); err != nil {
		return nil, err
	}
	loaded.Positions, loaded.Timings = flat(positions), r.timings
	return loaded, nil
}

// describeGraph is what a report can say of a graph without faces.
func describeGraph(g *graph.Graph, diagonal float64) job.Report {
	report := job.Report{Vertices: g.Len(), Edges: g.Edges(), Euler: g.Len() - g.Edges(), Diagonal: diagonal}
	_, report.Components = g.Components()
	for v := range g.Len() {
		if g.Offsets[v] == g.Offsets[v+1] {
			report.IsolatedVertices++
		}
	}
	report.EdgeMin = math.Inf(1)
	for _, w := range g.Weights {
		report.EdgeMin, report.EdgeMax = min(report.EdgeMin, w), max(report.EdgeMax, w)
		report.EdgeMean += w / float64(len(g.Weights))
	}
	if len(g.Weights) == 0 {
		report.EdgeMin = 0
	}
	if report.Components > 1 {
		report.Warnings = append(report.Warnings, fmt.Sprintf("The graph has %d components: mass cannot pass from one to another.", report.Components))
	}
	return report
}
