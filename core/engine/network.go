package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/inspect"
	"genussink/core/job"
	"genussink/core/layout"
	"genussink/core/mesh"
	"genussink/core/method"
)

// loadGraph opens a graph without faces, as a mesh that has only vertices: where
// its file puts them, or laid out.
func (e *Engine) loadGraph(r *run, b *job.Load) (job.Body, error) {
	if len(b.Repairs) > 0 {
		return nil, errors.New("a graph without faces has nothing to repair")
	}
	end := r.Begin(job.StageLoad)
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
	if net.Positions == nil {
		end = r.Begin(job.StageLayout)
	}
	m, err := Placed(r.ctx, net, b.Space, r.progress)
	if err != nil {
		return nil, err
	}
	if net.Positions == nil {
		end()
	}
	return e.openGraph(r, &job.Opened{Name: b.Name, Format: net.Format, Flat: net.Positions != nil || !b.Space, Numbers: net.IDs, Warnings: net.Warnings}, m, g)
}

// openGraph makes a graph without faces the session's, and tells of it before: o names it, and is filled.
func (e *Engine) openGraph(r *run, o *job.Opened, m *mesh.Mesh, g *graph.Graph) (job.Body, error) {
	o.Graph, o.Positions, o.Timings = true, job.Flat(m.Positions), slices.Clone(r.Timings)
	o.Edges, o.Lengths = make([]int32, 0, 2*g.Edges()), make([]float64, 0, g.Edges())
	for u := range int32(g.Len()) {
		to, lengths := g.Neighbours(u)
		for k, v := range to {
			if u < v {
				o.Edges, o.Lengths = append(o.Edges, u, v), append(o.Lengths, lengths[k])
			}
		}
	}
	scaled, u := method.Scaled(m)
	o.Diagonal = u.In(scaled.Diagonal())
	r.tell(o)
	l, err := e.takeGraph(r, o, m, g)
	if err != nil {
		return nil, err
	}
	l.Positions, l.Edges = o.Positions, o.Edges
	return l, nil
}

// adoptGraph opens a graph without faces that another engine has read.
func (e *Engine) adoptGraph(r *run, o *job.Opened, positions [][3]float64) (*job.Loaded, error) {
	n := len(positions)
	switch {
	case len(o.Edges) != 2*len(o.Lengths):
		return nil, fmt.Errorf("%d ends of edges and %d lengths do not fit", len(o.Edges), len(o.Lengths))
	case len(o.Numbers) != 0 && len(o.Numbers) != n:
		return nil, fmt.Errorf("%d numbers for %d vertices", len(o.Numbers), n)
	}
	m, err := mesh.New(positions, nil)
	if err != nil {
		return nil, err
	}
	edges := make([]graph.Edge, len(o.Lengths))
	for k, length := range o.Lengths {
		edges[k] = graph.Edge{U: o.Edges[2*k], V: o.Edges[2*k+1], Weight: length}
	}
	g, err := graph.New(n, edges)
	if err != nil {
		return nil, err
	}
	return e.takeGraph(r, o, m, g)
}

// takeGraph makes a graph without faces, in mesh units, the session's and describes it.
func (e *Engine) takeGraph(r *run, o *job.Opened, m *mesh.Mesh, g *graph.Graph) (*job.Loaded, error) {
	m, g, u := method.ScaledGraph(m, g)
	net := graphio.Network{IDs: o.Numbers}
	component, err := e.show(r, u, m, g, net.Name)
	if err != nil {
		return nil, err
	}
	l := &job.Loaded{Name: o.Name, Format: o.Format, Flat: o.Flat, Component: component, Report: describeGraph(g, m.Diagonal()), Timings: r.Timings}
	l.Report.Warnings = append(slices.Clone(o.Warnings), l.Report.Warnings...)
	return l, nil
}

// Placed is a mesh without faces that has a graph's vertices: where its file puts them, or laid out in the plane or in space.
func Placed(ctx context.Context, net *graphio.Network, space bool, progress func(stage string, fraction float64)) (*mesh.Mesh, error) {
	if net.Positions != nil {
		positions := make([][3]float64, len(net.Positions))
		for v, p := range net.Positions {
			positions[v] = [3]float64{p[0], p[1]}
		}
		return mesh.New(positions, nil)
	}
	if err := net.Room(layout.VertexBytes, layout.EdgeBytes); err != nil {
		return nil, err
	}
	o := layout.Options{Progress: progress}
	if space {
		o.Dimensions = 3
	}
	positions, err := layout.Place(ctx, net.Graph, o)
	if err != nil {
		return nil, err
	}
	return mesh.New(positions, nil)
}

// describeGraph is what a report can say of a graph without faces.
func describeGraph(g *graph.Graph, diagonal float64) job.Report {
	report := job.Report{Vertices: g.Len(), Edges: g.Edges(), Euler: g.Len() - g.Edges(), Diagonal: diagonal}
	_, report.Components = g.Components()
	report.IsolatedVertices = len(inspect.Isolated(g))
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
