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
	"genussink/core/meshio"
	"genussink/core/shortest"
)

// scene is an open mesh and what has been computed for it, all in its unit. The mesh and the
// graph do not change, so that questions about them need no lane.
type scene struct {
	ctx   context.Context // ends when another mesh is opened
	close context.CancelFunc

	unit      unit
	mesh      *mesh.Mesh
	graph     *graph.Graph
	diagonal  float64
	component []int32              // of each vertex, in the graph
	name      func(v int32) string // of a vertex in a graph's file; nil of a mesh
	count     int                  // of components
	solvers   sync.Pool

	reach func() float64 // a bound on the distances of the graph, once asked for

	held held // in the solving lane
	fast fast // likewise
	plan atomic.Pointer[solved]
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
	end := r.begin("load")
	read, err := meshio.Read(b.Name, bytes.NewBuffer(b.Data), meshio.Options{Weld: b.Weld, Files: files{b.Files, e.files}, MaxMemory: e.fileLimit})
	if err != nil {
		return nil, err
	}
	end()
	return e.open(r, b.Name, read.Format, read.Mesh, read.Warnings, b.Brief)
}

// generate makes a mesh.
func (e *Engine) generate(r *run, b *job.Generate) (job.Body, error) {
	if err := e.opening.enter(r); err != nil {
		return nil, err
	}
	defer e.opening.leave()
	end := r.begin("load")
	params := make(map[string]float64, len(b.Params))
	for _, p := range b.Params {
		params[p.Name] = p.Value
	}
	m, err := generate.Make(b.Kind, params)
	if err != nil {
		return nil, err
	}
	end()
	return e.open(r, b.Kind, "generated", m, nil, b.Brief)
}

// adopt opens a mesh that another engine has read.
func (e *Engine) adopt(r *run, b *job.Opened) (job.Body, error) {
	if err := e.opening.enter(r); err != nil {
		return nil, err
	}
	defer e.opening.leave()
	positions, err := triples(b.Positions)
	if err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	r.timings = b.Timings
	if b.Graph {
		return e.adoptGraph(r, b, positions)
	}
	faces, err := triples(b.Faces)
	if err != nil {
		return nil, fmt.Errorf("faces: %w", err)
	}
	m, err := mesh.New(positions, faces)
	if err != nil {
		return nil, err
	}
	u := unitOf(m, nil)
	return e.take(r, b.Name, b.Format, u, m.Scaled(-int(u)), b.Warnings, false)
}

// open makes a mesh the session's, and tells of it before.
func (e *Engine) open(r *run, name, format string, m *mesh.Mesh, warnings []string, brief bool) (job.Body, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	positions, faces := flat(m.Positions), flat(m.Faces)
	u := unitOf(m, nil)
	m = m.Scaled(-int(u))
	diagonal := u.in(m.Diagonal())
	if math.IsInf(diagonal, 1) {
		return nil, errors.New("the diagonal of the mesh's bounding box is too long for a float64")
	}
	r.tell(&job.Opened{Name: name, Format: format, Positions: positions, Faces: faces, Diagonal: diagonal, Warnings: warnings, Timings: slices.Clone(r.timings)})
	l, err := e.take(r, name, format, u, m, warnings, brief)
	if err != nil {
		return nil, err
	}
	l.Positions, l.Faces = positions, faces
	return l, nil
}

// take makes a mesh, in this unit, the session's and examines it.
func (e *Engine) take(r *run, name, format string, u unit, m *mesh.Mesh, warnings []string, brief bool) (*job.Loaded, error) {
	if err := r.ctx.Err(); err != nil { // where the caller's event loop runs the mesh leaves
		return nil, err
	}
	end := r.begin("graph")
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
		end = r.begin("topology")
		l.Report = describe(m)
		end()
	}
	l.Report.Warnings = append(slices.Clone(warnings), l.Report.Warnings...)
	l.Timings = r.timings
	return l, nil
}

// show makes a mesh and its graph, in this unit, the session's, and ends what runs on those
// before. It returns the component of every vertex, nil where there is but one.
func (e *Engine) show(r *run, u unit, m *mesh.Mesh, g *graph.Graph, name func(v int32) string) (several []int32, err error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.unit = u
	sc := &scene{unit: u, mesh: m, graph: g, diagonal: m.Diagonal(), name: name}
	sc.component, sc.count = g.Components()
	sc.solvers.New = func() any { return shortest.NewSolver(g) }
	sc.reach = sync.OnceValue(sc.farthest)
	sc.ctx, sc.close = context.WithCancel(context.Background())
	if before := e.scene.Swap(sc); before != nil {
		before.close()
	}
	if sc.count > 1 {
		several = slices.Clone(sc.component)
	}
	return several, nil
}

// flat is triples one after the other, as messages have them.
func flat[T any](triples [][3]T) []T {
	all := make([]T, 0, 3*len(triples))
	for _, t := range triples {
		all = append(all, t[:]...)
	}
	return all
}

// triples is the inverse of flat; nil where there are none.
func triples[T any](all []T) (triples [][3]T, err error) {
	if len(all)%3 != 0 {
		return nil, fmt.Errorf("%d numbers are not triples", len(all))
	}
	for ; len(all) > 0; all = all[3:] {
		triples = append(triples, [3]T(all))
	}
	return triples, nil
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
	p, err := preset.ByName(name, where, sc.mesh, sc.graph, sc.unit.from(preset.Floor))
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
	if sc.count == 1 {
		return ""
	}
	size := make([]int, sc.count)
	for _, c := range sc.component {
		size[c]++
	}
	if where == preset.Largest {
		return fmt.Sprintf("Only the largest of %d components has mass: %d of %d vertices.", sc.count, slices.Max(size), sc.graph.Len())
	}
	share := "vertices"
	if name == "area" {
		share = "area"
	}
	alone := 0 // vertices without an edge
	for _, n := range size {
		if n == 1 && sc.graph.Edges() > 0 {
			alone++
		}
	}
	var words []string
	if sc.count-alone > 1 {
		words = append(words, fmt.Sprintf("Each of %d components has the share of source and target that it has of the %s.", sc.count-alone, share))
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
	source, err := sc.density("source", b.Source)
	if err != nil {
		return nil, err
	}
	target, err := sc.density("target", b.Target)
	if err != nil {
		return nil, err
	}
	source, target, lost, err := measure.Balance(source, target, sc.component, sc.count)
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
	s := sc.solver()
	defer sc.solvers.Put(s)
	vertices, dist := s.Within(sc.unit.from(b.Radius), b.Center)
	brushed := &job.Brushed{Center: b.Center, Vertices: slices.Clone(vertices), Distances: make([]float64, len(vertices))}
	for i, v := range vertices {
		brushed.Distances[i] = dist[v]
	}
	return brushed, nil
}

func (sc *scene) distance(b *job.Distance) (job.Body, error) {
	for _, v := range []int32{b.From, b.To} {
		if err := sc.check(v); err != nil {
			return nil, err
		}
	}
	s := sc.solver()
	defer sc.solvers.Put(s)
	path, length := s.Path(b.From, b.To)
	return &job.Path{Vertices: path, Length: length}, nil
}

// farthest is twice the greatest distance from a vertex of each component: no distance is greater.
func (sc *scene) farthest() (reach float64) {
	sources, found := make([]int32, 0, sc.count), make([]bool, sc.count)
	for v, c := range sc.component {
		if !found[c] {
			found[c], sources = true, append(sources, int32(v))
		}
	}
	s := sc.solver()
	defer sc.solvers.Put(s)
	for _, d := range s.Distances(nil, sources...) {
		reach = max(reach, 2*d)
	}
	return reach
}

// solver takes a solver of the scene's graph; the caller puts it back.
func (sc *scene) solver() *shortest.Solver { return sc.solvers.Get().(*shortest.Solver) }

func (sc *scene) check(v int32) error {
	if n := sc.graph.Len(); v < 0 || int(v) >= n {
		return fmt.Errorf("vertex %d does not exist: the mesh has %d vertices, numbered from 0", v, n)
	}
	return nil
}

// length turns a fraction of the diagonal, or mesh units, into the scene's.
func (sc *scene) length(name string, value float64, units bool) (float64, error) {
	if !(value > 0) || math.IsInf(value, 1) {
		return 0, fmt.Errorf("%s is %g: it must be positive", name, value)
	}
	x := value * sc.diagonal
	if units {
		x = sc.unit.from(value)
	}
	switch {
	case x > 0 && x < math.Inf(1):
		return x, nil
	case units:
		return 0, fmt.Errorf("%s is %g, the bounding box's diagonal %g: they are too far apart to be computed with", name, value, sc.unit.in(sc.diagonal))
	}
	return 0, fmt.Errorf("%s is %g of the bounding box's diagonal, which is %g: give it in mesh units", name, value, sc.unit.in(sc.diagonal))
}
