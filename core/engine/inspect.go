package engine

import (
	"genussink/core/inspect"
	"genussink/core/job"
	"genussink/core/mesh/repair"
	"genussink/core/shade"
)

// inspect lists the mesh's defects and measures its shape.
func (sc *scene) inspect(r *run) (job.Body, error) {
	end := r.Begin("defects")
	d := sc.Mesh.Defects()
	done := &job.Inspected{
		NonmanifoldVertices: d.NonmanifoldVertices, DegenerateFaces: d.DegenerateFaces, FlippedFaces: d.FlippedFaces, IsolatedVertices: d.IsolatedVertices,
	}
	if len(sc.Mesh.Faces) == 0 { // of a mesh these are the vertices of no face
		done.IsolatedVertices = inspect.Isolated(sc.Graph)
	}
	for _, loop := range d.BoundaryLoops {
		done.BoundaryLoops = append(done.BoundaryLoops, job.Loop{Vertices: loop})
	}
	for _, e := range d.NonmanifoldEdges {
		done.NonmanifoldEdges = append(done.NonmanifoldEdges, e[:]...)
	}
	_, done.Doubles = repair.Weld(sc.Mesh)
	for _, vertices := range inspect.SmallComponents(sc.Graph) {
		done.SmallComponents = append(done.SmallComponents, job.Component{Vertices: vertices})
	}
	end()
	if err := r.Context.Err(); err != nil {
		return nil, err
	}
	end = r.Begin("shape")
	done.Edges, done.EdgeLengths = inspect.Edges(sc.Graph)
	for i, x := range done.EdgeLengths {
		done.EdgeLengths[i] = sc.Unit.In(x)
	}
	done.Degrees = inspect.Degrees(sc.Graph)
	if len(sc.Mesh.Faces) > 0 {
		done.AspectRatios = inspect.AspectRatios(sc.Mesh)
		for _, b := range inspect.Bends(sc.Mesh) {
			done.Bent, done.Angles = append(done.Bent, b.Edge[:]...), append(done.Angles, b.Angle)
		}
		c := inspect.Curvature(sc.Mesh)
		for v := range c.Mean { // one over a length, and over its square
			c.Mean[v] = sc.Unit.From(c.Mean[v])
			c.Gaussian[v] = sc.Unit.From(sc.Unit.From(c.Gaussian[v]))
		}
		done.Mean, done.Gaussian = c.Mean, c.Gaussian
	}
	end()
	done.Timings = r.Timings
	return done, nil
}

// mirror looks for a plane of symmetry.
func (sc *scene) mirror(r *run) (job.Body, error) {
	axis, partners, err := inspect.Symmetry(r.Context, sc.Mesh.Positions)
	if err != nil {
		return nil, err
	}
	if axis < 0 {
		return &job.Mirrored{}, nil
	}
	return &job.Mirrored{Axis: "xyz"[axis : axis+1], Partners: partners}, nil
}

// shade makes the surface ready to be drawn.
func (sc *scene) shade(r *run) (job.Body, error) {
	if len(sc.Mesh.Faces) == 0 {
		return &job.Shaded{}, nil
	}
	defer r.Begin("shade")()
	s, err := shade.Shade(r.Context, sc.Mesh)
	if err != nil {
		return nil, err
	}
	return &job.Shaded{Faces: s.Faces, Doubles: s.Of[len(sc.Mesh.Positions):], Normals: s.Normals, Open: s.Open}, nil
}
