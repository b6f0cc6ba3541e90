package engine

import (
	"errors"
	"fmt"
	"math"

	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/layout"
	"genussink/core/measure"
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
	net, err := graphio.Read(graphio.File{Name: b.Name, Data: b.Data}, others)
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
	if err := e.show(r, m, g, net.Name, loaded.Report.Diagonal); err != nil {
		return nil, err
	}
	loaded.Positions, loaded.Timings = flat(m.Positions), r.timings
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

// preset makes a pair of densities. On a graph without faces they lie in the
// largest component, so that there is something to transport: such graphs come
// in pieces more often than not.
func (sc *scene) preset(name string) (source, target []float64, err error) {
	if len(sc.mesh.Faces) > 0 || sc.count < 2 {
		return measure.ByName(name, sc.mesh, sc.graph)
	}
	members := make([][]int32, sc.count)
	largest := 0
	for v, c := range sc.component {
		members[c] = append(members[c], int32(v))
	}
	for c := range members {
		if len(members[c]) > len(members[largest]) {
			largest = c
		}
	}
	ids := members[largest]
	part := &mesh.Mesh{Positions: make([][3]float64, len(ids))}
	for i, v := range ids {
		part.Positions[i] = sc.mesh.Positions[v]
	}
	local := [2][]float64{}
	if local[0], local[1], err = measure.ByName(name, part, sc.graph.Induced(ids)); err != nil {
		return nil, nil, err
	}
	whole := [2][]float64{}
	for k := range whole {
		whole[k] = make([]float64, sc.graph.Len())
		for i, v := range ids {
			whole[k][v] = local[k][i]
		}
	}
	return whole[0], whole[1], nil
}
