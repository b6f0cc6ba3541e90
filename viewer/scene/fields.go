package scene

import (
	"math"
	"slices"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

// Field is a number of every vertex that the surface's colours may show.
type Field string

// The fields. FieldNone leaves the colours to others.
const (
	FieldNone         Field = ""
	FieldMean         Field = "mean"         // mean curvature, per mesh unit
	FieldGaussian     Field = "gaussian"     // Gaussian curvature, per mesh unit squared
	FieldDegree       Field = "degree"       // edges at the vertex
	FieldDistance     Field = "distance"     // from the vertex that was clicked, along edges, mesh units
	FieldLevel        Field = "level"        // depth in the separator tree of the node that the vertex ends in
	FieldSource       Field = "source"       // share of the source's mass at the vertex
	FieldTarget       Field = "target"       // share of the target's mass at the vertex
	FieldDisplacement Field = "displacement" // from the vertex straight to the mean place of what it sends, mesh units
	FieldOcclusion    Field = "occlusion"    // the share of the sky that the mesh hides from the vertex
	FieldGiven        Field = "given"        // what ShowValues was given
)

// Name is a field in words.
func (f Field) Name() string {
	switch f {
	case FieldMean:
		return "mean curvature"
	case FieldGaussian:
		return "Gaussian curvature"
	case FieldLevel:
		return "separator level"
	case FieldSource, FieldTarget:
		return string(f) + " density"
	case FieldOcclusion:
		return "ambient occlusion"
	}
	return string(f)
}

// basis is what a field's values were made from.
type basis struct {
	field     Field
	found     *job.Inspected
	tree      *job.Separated
	density   *float64 // its first value
	distances *job.Brushed
	centres   *job.Centred
	shading   *job.Shaded
	given     *float64 // its first value
}

// shownField is the field that the mesh's colours show, and what was asked for to make its values.
type shownField struct {
	field     Field // asked for
	of        basis
	made      int       // how often values were made
	values    []float64 // 1 per vertex, nil before they are known
	low, high float64   // the values at the ends of the colours
	least     float64   // of those that are finite
	most      float64
	without   int // vertices without a value

	origin    int32        // the vertex that distances are measured from, -1 none
	distances *job.Brushed // from it to all that can be reached; nil before they are known
	centres   *job.Centred // of the last plan; nil before they are known
	given     []float64    // 1 per vertex, that are not the mesh's own
	ends      [2]float64   // their values at the ends of the colours

	front front // of the distances
}

// Values are the shown field's, 1 per vertex; nil: none is shown. One that has no value is NaN.
func (c *shownField) Values() []float64 { return c.values }

// spread is the share of the values at either end of a curvature or degree that the colours do not tell apart: a single spike would
// leave one colour for all others.
const spread = 0.02

// scale finds the ends of the colours.
func (c *shownField) scale() {
	known := ordered(c.values)
	c.without = len(c.values) - len(known)
	c.low, c.high, c.least, c.most = 0, 0, 0, 0
	if len(known) == 0 {
		return
	}
	c.least, c.most = known[0], known[len(known)-1]
	c.low, c.high = c.least, c.most
	switch c.field {
	case FieldMean, FieldGaussian, FieldDegree:
		at := func(share float64) float64 { return known[int(share*float64(len(known)-1)+0.5)] }
		c.low, c.high = at(spread), at(1-spread)
	case FieldDistance, FieldSource, FieldTarget, FieldDisplacement, FieldOcclusion:
		c.low = 0
	case FieldGiven:
		c.low, c.high = c.ends[0], c.ends[1]
	}
}

// fill appends every vertex's colour of the shown field. One without a value has the plain mesh's.
func (c *shownField) fill(dst []colormap.RGB, theme colormap.Theme) []colormap.RGB {
	for v, x := range c.values {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0) || c.field == FieldDistance && !c.front.has(v):
			dst = append(dst, colormap.Clay(theme))
		case c.high > c.low:
			dst = append(dst, colormap.Viridis((x-c.low)/(c.high-c.low)))
		default:
			dst = append(dst, colormap.Viridis(0.5))
		}
	}
	return dst
}

// refreshField makes the values of the field anew where what they come from has changed.
func (s *Scene) refreshField() {
	c := &s.Inspection.shownField
	now := basis{field: c.field}
	switch c.field {
	case FieldMean, FieldGaussian, FieldDegree:
		now.found = s.Inspection.found
	case FieldDistance:
		now.distances = c.distances
	case FieldLevel:
		now.tree = s.Separation.tree
	case FieldSource, FieldTarget:
		if values := s.Densities.values[sideOf(c.field)]; len(values) > 0 {
			now.density = &values[0]
		}
	case FieldDisplacement:
		now.centres = c.centres
	case FieldOcclusion:
		now.shading = s.Mesh.shading
	case FieldGiven:
		now.given = &c.given[0]
	}
	if now != c.of {
		c.of, c.values = now, s.fieldValues(c.field)
		c.scale()
		c.made++
	}
}

func sideOf(f Field) side {
	if f == FieldTarget {
		return targetSide
	}
	return sourceSide
}

// fieldValues are a field's, nil where they are not known.
func (s *Scene) fieldValues(f Field) []float64 {
	i := &s.Inspection
	if !s.Mesh.ready() {
		return nil
	}
	values := make([]float64, s.Mesh.Vertices())
	switch {
	case i.found != nil && f == FieldDegree:
		return i.found.Degrees
	case i.found != nil && f == FieldMean && len(i.found.Mean) > 0:
		return i.found.Mean
	case i.found != nil && f == FieldGaussian && len(i.found.Gaussian) > 0:
		return i.found.Gaussian
	case i.distances != nil && f == FieldDistance:
		for v := range values {
			values[v] = math.NaN()
		}
		for k, v := range i.distances.Vertices {
			values[v] = i.distances.Distances[k]
		}
	case s.Separation.tree != nil && f == FieldLevel:
		for v, node := range s.Separation.tree.Cells {
			values[v] = float64(s.Separation.tree.Nodes[node].Depth)
		}
	case (f == FieldSource || f == FieldTarget) && s.Densities.mass(sideOf(f)) > 0:
		for v := range values {
			values[v] = s.Densities.share(sideOf(f), int32(v))
		}
	case i.centres != nil && f == FieldDisplacement:
		for v := range values {
			values[v] = math.NaN()
			if s.Transport.asked.Source[v] > 0 {
				values[v] = distance(s.Mesh.Position(int32(v)), [3]float64(i.centres.Positions[3*v:]))
			}
		}
	case s.Mesh.shading != nil && f == FieldOcclusion:
		return s.Mesh.occlusion()
	case f == FieldGiven:
		return i.given
	default:
		return nil
	}
	return values
}

// ShowValues colours the mesh by a number of every vertex. Low and high are those at the ends of the colours.
func (s *Scene) ShowValues(values []float64, low, high float64) {
	if len(values) == s.Mesh.Vertices() && len(values) > 0 {
		s.Inspection.given, s.Inspection.ends = values, [2]float64{low, high}
		s.ShowField(FieldGiven)
	}
}

func distance(p, q [3]float64) float64 {
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// missing says in words why the field has no values.
func (s *Scene) missing() string {
	i := &s.Inspection
	switch i.field {
	case FieldMean, FieldGaussian, FieldDegree:
		switch {
		case s.flight.has(toInspect):
			return "The mesh is being inspected…"
		case i.found == nil:
			return "Inspect the mesh first."
		}
		return "A graph without faces has no curvature."
	case FieldDistance:
		if i.origin < 0 {
			return "Click a vertex: distances are measured from it."
		}
		return "Measuring the distances…"
	case FieldLevel:
		return "There is no separator tree yet."
	case FieldSource:
		return "The source has no mass."
	case FieldTarget:
		return "The target has no mass."
	case FieldDisplacement:
		switch {
		case s.Mesh.laid:
			return "The vertices have no places of their own: these were computed."
		case s.flight.has(toCentres):
			return "Finding the displacement…"
		}
		return "Nothing is solved yet: press Solve."
	case FieldOcclusion:
		switch {
		case s.Mesh.Graph():
			return "A graph without faces hides nothing."
		case s.Mesh.Vertices() > mostShaded:
			return "The mesh is too large to look at from all sides."
		case s.Mesh.unshaded:
			return "It could not be found."
		}
		return "Looking at the mesh from all sides…"
	}
	return ""
}

// fieldState is what the panel shows of the field.
func (s *Scene) fieldState() FieldState {
	s.refreshField()
	c := &s.Inspection.shownField
	st := FieldState{Name: c.field, Shown: c.values != nil, From: c.low, To: c.high, Least: c.least, Most: c.most, Without: c.without, Vertex: c.origin, Front: c.front.state()}
	if !st.Shown {
		st.Missing = s.missing()
	}
	return st
}

// ShowField colours the mesh by a field, as soon as its values are known; a name that is none shows none. What its values come from is asked
// for where nothing else will ask.
func (s *Scene) ShowField(f Field) {
	switch f {
	case FieldMean, FieldGaussian, FieldDegree, FieldDistance, FieldLevel, FieldSource, FieldTarget, FieldDisplacement, FieldOcclusion, FieldGiven:
	default:
		f = FieldNone
	}
	c := &s.Inspection.shownField
	if f == c.field {
		return
	}
	s.HideFront()
	c.field = f
	switch f {
	case FieldNone:
	case FieldMean, FieldGaussian, FieldDegree:
		s.Inspect()
	case FieldDistance:
		s.askDistances()
	case FieldDisplacement:
		s.askCentres()
	case FieldOcclusion:
		s.Shade()
	}
	if f != FieldNone && s.Brush.tool.Brush() {
		s.BrushTool(ToolNone) // the field would hide what is painted
	}
	s.overlay++
	s.recolor(true)
	s.changed()
}

// MeasureFrom chooses the vertex that the field of distances begins at. A negative number changes nothing.
func (s *Scene) MeasureFrom(vertex int32) {
	if vertex >= 0 {
		s.Inspection.origin = vertex
		s.overlay++
		s.changed()
		s.askDistances()
	}
}

// askDistances measures the distances of all vertices from one, if they are to be shown.
func (s *Scene) askDistances() {
	c := &s.Inspection.shownField
	if c.field != FieldDistance || c.origin < 0 || c.distances != nil && c.distances.Center == c.origin {
		return
	}
	s.drop(toSpread)
	s.send(toSpread, &job.Brush{Center: c.origin, Radius: math.Inf(1), Tree: true})
}

// spread takes the distances from a vertex. Those from the one before are shown until then.
func (s *Scene) spread(e *job.Brushed) bool {
	if len(e.Distances) != len(e.Vertices) || !s.Mesh.all(e.Vertices) || slices.ContainsFunc(e.Distances, math.IsNaN) {
		return false
	}
	if !s.Inspection.front.take(e, s.Mesh.Vertices()) {
		return false
	}
	s.Inspection.distances = e
	s.spreadOn()
	return true
}

// displace forgets where the plan before sent what each vertex has, and asks the new one.
func (s *Scene) displace() {
	s.Inspection.centres = nil
	s.drop(toCentres)
	s.askCentres()
	s.recolor(true)
}

// askCentres asks the plan where it sends what each vertex has, if that is to be shown.
func (s *Scene) askCentres() {
	c := &s.Inspection.shownField
	if c.field == FieldDisplacement && c.centres == nil && s.Transport.solved != nil && !s.Mesh.laid && !s.flight.has(toCentres) {
		s.send(toCentres, &job.Centres{})
	}
}

// centred takes where the plan sends what each vertex has.
func (s *Scene) centred(e *job.Centred) bool {
	if len(e.Positions) != 3*s.Mesh.Vertices() {
		return false
	}
	s.Inspection.centres = e
	s.recolor(true)
	return true
}
