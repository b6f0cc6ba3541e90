package scene

import (
	"slices"
	"strings"

	"genussink/core/job"
	"genussink/core/session"
)

// openSource is what would open the mesh again.
type openSource struct {
	reference string           // a gallery name or address, "" for a local file
	kind      string           // a generator, "" for a file
	params    []job.Param      // of the generator
	load      *job.Load        // the file; nil of a generator
	repairs   []string         // of the file's mesh
	inspected bool             // it is shown to whoever inspects it
	chosen    bool             // a person has just chosen the file: its format may say what it is for
	session   *session.Session // what to show it with, nil: as it comes

	decomposition *job.File // of its graph, to be checked and shown; nil: none
}

// request opens the mesh.
func (o *openSource) request() job.Body {
	if o.load != nil && len(o.repairs) > 0 {
		mended := *o.load // the bytes are the same, and are kept once
		mended.Repairs = o.repairs
		return &mended
	}
	if o.load != nil {
		return o.load
	}
	return &job.Generate{Kind: o.kind, Params: o.params}
}

// OpenMesh is the mesh that is shown: its picture, and what the engine has said of it.
type OpenMesh struct {
	*Mesh      // to draw, nil before the first; it must not be changed
	revision   uint64
	drawn      uint64 // revision of the mesh in the picture
	source     openSource
	coming     openSource // of the mesh that is being opened
	name       string
	format     string
	flat       bool // it lies in a plane
	laid       bool // its places were computed
	report     job.Report
	examined   bool // the report is there; until then it has counts and the diagonal alone
	components components
	mirror     *job.Mirrored // nil before it is asked for
	repaired   []job.Repaired
	shading    *job.Shaded
	shade      float32   // the share of it that is shown
	unshaded   bool      // it cannot be had
	unit       string    // what one mesh unit is, in a person's words; "": nobody has said
	numbers    []float64 // what a graph's file calls each vertex; empty: they are numbered from 1
	odd        []string  // what of a link could not be shown, sentences
}

// ready says whether there is a mesh.
func (o *OpenMesh) ready() bool { return o.Mesh != nil }

// show takes the mesh that was being opened, in the place of the one before.
func (o *OpenMesh) show(m *Mesh, e *job.Opened) {
	*o = OpenMesh{
		Mesh: m, revision: o.revision + 1, drawn: o.drawn, source: o.coming,
		name: e.Name, format: e.Format, flat: e.Flat, numbers: e.Numbers, repaired: e.Repaired, unit: unitOf(e.Format),
		laid:       job.Laid(e.Timings),
		report:     job.Report{Vertices: m.Vertices(), Faces: len(m.Faces) / 3, Edges: len(m.edges) / 2, Diagonal: e.Diagonal},
		components: components{count: 1},
	}
	o.source.session, o.source.inspected, o.source.chosen, o.source.decomposition = nil, false, false, nil
}

// unitOf is the unit of lengths that a format's standard says, "" none.
func unitOf(format string) string {
	if format == "glb" || format == "gltf" {
		return "m"
	}
	return ""
}

// Unit says what one mesh unit is, in a person's words; "" is what the format's standard says. What is longer than a unit's name may be is cut.
func (s *Scene) Unit(name string) {
	if !s.Mesh.ready() {
		return
	}
	if name = strings.TrimSpace(name); name == "" {
		name = unitOf(s.Mesh.format)
	}
	if runes := []rune(name); len(runes) > session.MaxUnit {
		name = string(runes[:session.MaxUnit])
	}
	s.Mesh.unit = name
	s.changed()
}

// examine takes what is known of the mesh that is shown.
func (o *OpenMesh) examine(e *job.Loaded) bool {
	c, ok := newComponents(e.Component, o.Vertices())
	if ok {
		o.components, o.report, o.examined = c, e.Report, true
	}
	return ok
}

// mostShaded is how many vertices a mesh may have that is shaded: of a larger one creases and hollows are too small to be seen, and the
// Worker that finds them would need as much memory as the mesh.
const mostShaded = 200_000

// shadeable says whether it is still to be found out how the mesh is shaded.
func (o *OpenMesh) shadeable() bool {
	return o.Mesh != nil && !o.Graph() && o.examined && o.shading == nil && !o.unshaded && o.Vertices() <= mostShaded
}

// shaded takes how the mesh is shaded, which eases in or is there at once.
func (o *OpenMesh) shaded(e *job.Shaded, eases bool) bool {
	n, total := o.Vertices(), o.Vertices()+len(e.Doubles)
	fits := len(e.Faces) == len(o.Faces) && len(e.Normals) == 3*total && len(e.Open) == total && o.all(e.Doubles)
	for k := 0; fits && k < len(e.Faces); k++ {
		v := e.Faces[k]
		fits = v >= 0 && int(v) < total
		if fits && int(v) >= n {
			v = e.Doubles[int(v)-n]
		}
		fits = fits && v == o.Faces[k]
	}
	if o.unshaded = !fits; fits {
		o.shading = e
		if !eases {
			o.shade = 1
		}
	}
	return fits
}

// Shading is how the surface is to be drawn, nil until that is known. It must not be changed.
func (o *OpenMesh) Shading() *job.Shaded { return o.shading }

// occlusion is the share of the sky that the mesh hides from each vertex, the mean over its doubles.
func (o *OpenMesh) occlusion() []float64 {
	n := o.Vertices()
	hidden, count := make([]float64, n), make([]float64, n)
	for k, x := range o.shading.Open {
		v := int32(k)
		if k >= n {
			v = o.shading.Doubles[k-n]
		}
		hidden[v] += 1 - float64(x)
		count[v]++
	}
	for v := range hidden {
		hidden[v] /= count[v]
	}
	return hidden
}

// Shade is the share of the hollows' shade that is shown.
func (o *OpenMesh) Shade() float32 { return o.shade }

// tick lets the shade come in.
func (o *OpenMesh) tick(dt float64) {
	if o.shading != nil {
		o.shade = min(o.shade+float32(dt/easeSeconds), 1)
	}
}

// vertex is v, or -1 where there is no such vertex.
func (o *OpenMesh) vertex(v int32) int32 {
	if o.Mesh == nil || v < 0 || int(v) >= o.Vertices() {
		return -1
	}
	return v
}

// Number is what a person calls a vertex: as a graph's file does; of a mesh it is v.
func (o *OpenMesh) Number(v int32) int {
	switch {
	case o.Mesh == nil || !o.Graph():
		return int(v)
	case int(v) < len(o.numbers):
		return int(o.numbers[v])
	}
	return int(v) + 1
}

// Numbered is the vertex that a person calls by a number, -1 where none is.
func (o *OpenMesh) Numbered(number int) int32 {
	for v := range int32(o.Vertices()) {
		if o.Number(v) == number {
			return v
		}
	}
	return -1
}

// all says whether each of these numbers is a vertex of the mesh.
func (o *OpenMesh) all(vertices []int32) bool {
	return !slices.ContainsFunc(vertices, func(v int32) bool { return o.vertex(v) < 0 })
}

// Unit is what one mesh unit is, in a person's words; "": nobody has said.
func (o *OpenMesh) Unit() string { return o.unit }

// Revision changes with the mesh.
func (o *OpenMesh) Revision() uint64 { return o.revision }

// Flat says whether the mesh lies in a plane.
func (o *OpenMesh) Flat() bool { return o.flat }

// Closed promises that whatever of the mesh faces away is hidden: one closed
// and oriented component. Before the mesh is examined it promises nothing.
func (o *OpenMesh) Closed() bool {
	r := &o.report
	return r.Watertight && r.Oriented && r.Components == 1
}

// state is what the panel shows.
func (o *OpenMesh) state() MeshState {
	r := &o.report
	return MeshState{
		Name: o.name, Format: o.format, Unit: o.unit, Reference: o.source.reference, Flat: o.flat, Laid: o.laid, Shaded: o.shading != nil, Graph: o.Mesh != nil && o.Graph(), Examined: o.examined,
		Vertices: r.Vertices, Faces: r.Faces, Edges: r.Edges, Genus: r.Genus, Euler: r.Euler, Components: r.Components, BoundaryLoops: r.BoundaryLoops,
		NonmanifoldEdges: r.NonmanifoldEdges, NonmanifoldVertices: r.NonmanifoldVertices, DegenerateFaces: r.DegenerateFaces, IsolatedVertices: r.IsolatedVertices,
		EdgeMin: finite(r.EdgeMin), EdgeMean: finite(r.EdgeMean), EdgeMax: finite(r.EdgeMax), Diagonal: finite(r.Diagonal),
		Watertight: r.Watertight, Oriented: r.Oriented, Warnings: append(append([]string{}, r.Warnings...), o.odd...),
	}
}
