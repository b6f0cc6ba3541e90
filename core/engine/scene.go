package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"genussink/core/graph"
	"genussink/core/graphio"
	"genussink/core/job"
	"genussink/core/measure"
	"genussink/core/measure/preset"
	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/mesh/repair"
	"genussink/core/meshio"
	"genussink/core/method"
)

// scene is an open mesh and what has been computed for it, all in its unit. The mesh and the
// graph do not change, so that questions about them need no queue.
type scene struct {
	ctx   context.Context // ends when another mesh is opened
	close context.CancelFunc

	*method.Space
	name func(v int32) string // of a vertex in a graph's file; nil of a mesh

	maker *method.Maker // in the queue of solves
	plan  atomic.Pointer[solved]

	sampling sync.Mutex // of sampled
	sampled  *sample    // nil before it is asked for
}

// load opens a mesh file, or a graph's.
func (e *Engine) load(r *run, b *job.Load) (job.Body, error) {
	if err := e.opening.enter(r); err != nil {
		return nil, err
	}
	defer e.opening.leave()
	if graphio.Is(b.Name) {
		return e.loadGraph(r, b)
	}
	end := r.Begin(job.StageLoad)
	read, err := meshio.Read(b.Name, bytes.NewBuffer(b.Data), meshio.Options{Weld: b.Weld, Files: files{b.Files, e.files}, MaxMemory: e.fileLimit})
	if err != nil {
		return nil, err
	}
	m, repaired, err := mend(read.Mesh, b.Repairs)
	if err != nil {
		return nil, err
	}
	end()
	return e.open(r, &job.Opened{Name: b.Name, Format: read.Format, Warnings: read.Warnings, Repaired: repaired}, m, b.Brief)
}

// generate makes a mesh.
func (e *Engine) generate(r *run, b *job.Generate) (job.Body, error) {
	if err := e.opening.enter(r); err != nil {
		return nil, err
	}
	defer e.opening.leave()
	end := r.Begin(job.StageLoad)
	params := make(map[string]float64, len(b.Params))
	for _, p := range b.Params {
		params[p.Name] = p.Value
	}
	o := &job.Opened{Name: b.Kind, Format: "generated"}
	if generate.IsGraph(b.Kind) {
		g, positions, err := generate.MakeGraph(b.Kind, params)
		if err != nil {
			return nil, err
		}
		m, err := mesh.New(positions, nil)
		if err != nil {
			return nil, err
		}
		end()
		o.Flat = true
		return e.openGraph(r, o, m, g)
	}
	m, err := generate.Make(b.Kind, params)
	if err != nil {
		return nil, err
	}
	end()
	return e.open(r, o, m, b.Brief)
}

// adopt opens a mesh that another engine has read.
func (e *Engine) adopt(r *run, b *job.Opened) (job.Body, error) {
	if err := e.opening.enter(r); err != nil {
		return nil, err
	}
	defer e.opening.leave()
	positions, err := job.Triples(b.Positions)
	if err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	r.Timings = b.Timings
	if b.Graph {
		return e.adoptGraph(r, b, positions)
	}
	faces, err := job.Triples(b.Faces)
	if err != nil {
		return nil, fmt.Errorf("faces: %w", err)
	}
	m, err := mesh.New(positions, faces)
	if err != nil {
		return nil, err
	}
	m, u := method.Scaled(m)
	return e.take(r, b.Name, b.Format, u, m, b.Warnings, false)
}

// mend repairs a mesh step by step, and says what each has changed.
func mend(m *mesh.Mesh, steps []string) (*mesh.Mesh, []job.Repaired, error) {
	var repaired []job.Repaired
	for _, step := range steps {
		var n int
		switch step {
		case job.RepairWeld:
			m, n = repair.Weld(m)
		case job.RepairDegenerate:
			m, n = repair.DropDegenerate(m)
		case job.RepairIsolated:
			m, n = repair.DropIsolated(m)
		case job.RepairOrient:
			m, n = repair.Orient(m)
		default:
			return nil, nil, fmt.Errorf("there is no repair %q", step)
		}
		if len(m.Faces) == 0 {
			return nil, nil, fmt.Errorf("the repair %q leaves no face", step)
		}
		repaired = append(repaired, job.Repaired{Step: step, Count: n})
	}
	return m, repaired, nil
}

// open makes a mesh the session's, and tells of it before: o names it, and is filled.
func (e *Engine) open(r *run, o *job.Opened, m *mesh.Mesh, brief bool) (job.Body, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	o.Positions, o.Faces = job.Flat(m.Positions), job.Flat(m.Faces)
	m, u := method.Scaled(m)
	if o.Diagonal = u.In(m.Diagonal()); math.IsInf(o.Diagonal, 1) {
		return nil, errors.New("the diagonal of the mesh's bounding box is too long for a float64")
	}
	o.Timings = slices.Clone(r.Timings)
	r.tell(o)
	l, err := e.take(r, o.Name, o.Format, u, m, o.Warnings, brief)
	if err != nil {
		return nil, err
	}
	l.Positions, l.Faces = o.Positions, o.Faces
	return l, nil
}

// take makes a mesh, in this unit, the session's and examines it.
func (e *Engine) take(r *run, name, format string, u method.Unit, m *mesh.Mesh, warnings []string, brief bool) (*job.Loaded, error) {
	if err := r.ctx.Err(); err != nil { // where the caller's event loop runs the mesh leaves
		return nil, err
	}
	end := r.Begin("graph")
	g, err := graph.FromMesh(m)
	if err != nil {
		return nil, err
	}
	end()
	several, err := e.show(r, u, m, g, nil)
	if err != nil {
		return nil, err
	}
	l := &job.Loaded{Name: name, Format: format, Component: several}
	if brief {
		l.Report = job.Report{Vertices: len(m.Positions), Faces: len(m.Faces), Edges: g.Edges(), Diagonal: m.Diagonal()}
	} else {
		end = r.Begin("topology")
		l.Report = describe(m)
		end()
	}
	l.Report.Warnings = append(slices.Clone(warnings), l.Report.Warnings...)
	l.Timings = r.Timings
	return l, nil
}

// show makes a mesh and its graph, in this unit, the session's, and ends what runs on those
// before. It returns the component of every vertex, nil where there is but one.
func (e *Engine) show(r *run, u method.Unit, m *mesh.Mesh, g *graph.Graph, name func(v int32) string) (several []int32, err error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.unit = u
	sc := &scene{Space: method.NewSpace(m, g, u), name: name}
	sc.maker = method.New(sc.Space, &e.machine)
	sc.ctx, sc.close = context.WithCancel(context.Background())
	if before := e.scene.Swap(sc); before != nil {
		before.close()
	}
	if sc.Count > 1 {
		several = slices.Clone(sc.Component)
	}
	return several, nil
}

func describe(m *mesh.Mesh) job.Report {
	t := m.Topology()
	return job.Report{
		Vertices: t.Vertices, Faces: t.Faces, Edges: t.Edges, Components: t.Components,
		BoundaryLoops: t.BoundaryLoops, Euler: t.Euler, Genus: t.Genus,
		NonmanifoldEdges: t.NonmanifoldEdges, NonmanifoldVertices: t.NonmanifoldVertices,
		DegenerateFaces: t.DegenerateFaces, IsolatedVertices: t.IsolatedVertices,
		EdgeMin: t.EdgeMin, EdgeMean: t.EdgeMean, EdgeMax: t.EdgeMax, Diagonal: t.Diagonal,
		Watertight: t.Watertight, Oriented: t.Oriented, Warnings: t.Warnings,
	}
}

func (sc *scene) measure(b *job.Measure) (job.Body, error) {
	name, where := b.Preset, preset.Where(b.Components)
	if name == "" {
		name = "paper"
	}
	if where == "" {
		where = preset.Each
	}
	p, err := preset.ByName(name, where, sc.Mesh, sc.Graph, sc.Unit.From(preset.Floor))
	if err != nil {
		return nil, err
	}
	note := sc.dealt(name, where)
	if p.Floored {
		note = strings.TrimSpace(note + fmt.Sprintf(" The mesh is so small that its spots have the paper's least sigma, %g mesh units: scale the mesh up for spots of its own size.", preset.Floor))
	}
	return &job.Measured{Preset: name, Components: string(where), Note: note, Source: p.Source, Target: p.Target}, nil
}

// dealt says in words what of a preset's mass the components have.
func (sc *scene) dealt(name string, where preset.Where) string {
	if sc.Count == 1 {
		return ""
	}
	size := make([]int, sc.Count)
	for _, c := range sc.Component {
		size[c]++
	}
	if where == preset.Largest {
		return fmt.Sprintf("Only the largest of %d components has mass: %d of %d vertices.", sc.Count, slices.Max(size), sc.Graph.Len())
	}
	share := "vertices"
	if name == "area" {
		share = "area"
	}
	alone := 0 // vertices without an edge
	for _, n := range size {
		if n == 1 && sc.Graph.Edges() > 0 {
			alone++
		}
	}
	var words []string
	if sc.Count-alone > 1 {
		words = append(words, fmt.Sprintf("Each of %d components has the share of source and target that it has of the %s.", sc.Count-alone, share))
	}
	switch {
	case alone == 1:
		words = append(words, "1 vertex without an edge has no mass.")
	case alone > 1:
		words = append(words, fmt.Sprintf("%d vertices without an edge have no mass.", alone))
	}
	return strings.Join(words, " ")
}

func (sc *scene) balance(b *job.Balance) (job.Body, error) {
	source, target, err := sc.densities(b.Source, b.Target)
	if err != nil {
		return nil, err
	}
	source, target, lost, err := measure.Balance(source, target, sc.Component, sc.Count)
	if err != nil {
		return nil, err
	}
	note := "In every component the target has the source's mass now."
	if lost.Source > 0 {
		note += fmt.Sprintf(" %.3g %% of the source lay where there is no target: that is gone.", 100*lost.Source)
	}
	if lost.Target > 0 {
		note += fmt.Sprintf(" %.3g %% of the target lay where there is no source: that is gone.", 100*lost.Target)
	}
	return &job.Measured{Note: note, Source: source, Target: target}, nil
}

func (sc *scene) brush(b *job.Brush) (job.Body, error) {
	if err := sc.check(b.Center); err != nil {
		return nil, err
	}
	if !(b.Radius >= 0) {
		return nil, fmt.Errorf("a brush of radius %g: it must not be negative", b.Radius)
	}
	s, done := sc.Solver()
	defer done()
	vertices, dist := s.Within(sc.Unit.From(b.Radius), b.Center)
	brushed := &job.Brushed{Center: b.Center, Vertices: slices.Clone(vertices), Distances: make([]float64, len(vertices))}
	for i, v := range vertices {
		brushed.Distances[i] = dist[v]
	}
	if b.Tree {
		for _, v := range brushed.Vertices {
			brushed.Before = append(brushed.Before, s.Before(v))
		}
	}
	if b.Edges {
		at := make(map[int32]int32, len(vertices))
		for i, v := range brushed.Vertices {
			at[v] = int32(i)
		}
		for i, v := range brushed.Vertices {
			targets, lengths := sc.Graph.Neighbours(v)
			for k, w := range targets {
				if j, in := at[w]; in && int32(i) < j {
					brushed.Edges = append(brushed.Edges, int32(i), j)
					brushed.Lengths = append(brushed.Lengths, lengths[k])
				}
			}
		}
	}
	return brushed, nil
}

func (sc *scene) distance(b *job.Distance) (job.Body, error) {
	for _, v := range []int32{b.From, b.To} {
		if err := sc.check(v); err != nil {
			return nil, err
		}
	}
	s, done := sc.Solver()
	defer done()
	path, length := s.Path(b.From, b.To)
	return &job.Path{Vertices: path, Length: length}, nil
}

func (sc *scene) check(v int32) error {
	if n := sc.Graph.Len(); v < 0 || int(v) >= n {
		return fmt.Errorf("vertex %d does not exist: the mesh has %d vertices, numbered from 0", v, n)
	}
	return nil
}
