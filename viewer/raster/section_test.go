package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
)

// onScreen is the area of a batch's triangles, square pixels.
func onScreen(b *Batch) (sum float64) {
	for t := 0; t+2 < len(b.Indices); t += 3 {
		p, q, r := &b.Vertices[b.Indices[t]], &b.Vertices[b.Indices[t+1]], &b.Vertices[b.Indices[t+2]]
		sum += math.Abs(float64(q.DstX-p.DstX)*float64(r.DstY-p.DstY)-float64(q.DstY-p.DstY)*float64(r.DstX-p.DstX)) / 2
	}
	return sum
}

// across is the plane through a point with a normal of any length.
func across(normal [3]float64, offset float64) camera.Plane {
	length := math.Sqrt(normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2])
	for k := range normal {
		normal[k] /= length
	}
	return camera.Plane{Normal: normal, Offset: offset}
}

// A plane cuts a surface into two parts. Their areas add up to the whole. Every vertex of a part lies on its side of the plane. A vertex
// has the colour and the depth of its place.
func TestSectionCutsExactly(t *testing.T) {
	points, normals, faces := ball(14, [3]float32{}, 0.8)
	s := grownSurface(points, normals, faces, false)
	colors := make([]colormap.RGB, len(points)/3)
	for v := range colors { // a colour that is linear in the place
		for k := range colors[v] {
			colors[v][k] = 0.5 + 0.5*points[3*v+k]
		}
	}
	s.SetColors(colors)
	r := rand.New(rand.NewPCG(4, 2))
	for _, orthographic := range []bool{false, true} {
		pose := camera.Home()
		pose.Orthographic = orthographic
		for range 40 {
			whole := lens(400, 300, pose)
			plane := across([3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 1.2*r.Float64()-0.6)
			near, far := whole, whole
			far.Section = plane
			near.Section = camera.Plane{Normal: [3]float64{-plane.Normal[0], -plane.Normal[1], -plane.Normal[2]}, Offset: -plane.Offset}
			var all, one, other Batch
			all.Surface(s, &whole, false)
			one.Surface(s, &far, false)
			other.Surface(s, &near, true)
			a, b, c := onScreen(&all), onScreen(&one), onScreen(&other)
			if math.Abs(a-b-c) > 1e-4*a || b == 0 || c == 0 {
				t.Fatalf("%+v: the parts have %g and %g of %g square pixels", plane, b, c, a)
			}
			in := 0
			for _, v := range one.Vertices {
				at := [3]float64{2*float64(v.ColorR) - 1, 2*float64(v.ColorG) - 1, 2*float64(v.ColorB) - 1}
				behind := plane.Behind(at)
				if behind < -1e-6 {
					t.Fatalf("%+v: a vertex lies %g in front", plane, -behind)
				}
				if behind < 1e-6 {
					in++
				}
				x, y, z := whole.Project(at)
				if math.Hypot(x-float64(v.DstX), y-float64(v.DstY)) > 0.01 || math.Abs(whole.Depth(z)-float64(v.Custom0)) > 1e-5 {
					t.Fatalf("the vertex at %v is drawn at %g, %g, depth %g; it appears at %g, %g, depth %g", at, v.DstX, v.DstY, v.Custom0, x, y, whole.Depth(z))
				}
			}
			if in == 0 {
				t.Fatalf("%+v: no vertex lies in the plane", plane)
			}
			one.Sort()
			mean := func(i int) (d float32) {
				for _, v := range one.Indices[3*i : 3*i+3] {
					d += one.Vertices[v].Custom0 / 3
				}
				return d
			}
			for i := 1; 3*i < len(one.Indices); i++ {
				if mean(i) < mean(i-1)-2.0/65535 {
					t.Fatalf("triangle %d is farther than the one before", i)
				}
			}
		}
	}
}

// A section through nothing changes nothing, and one behind everything leaves nothing.
func TestSectionBesideTheSurface(t *testing.T) {
	points, normals, faces := ball(8, [3]float32{}, 0.8)
	s := grownSurface(points, normals, faces, false)
	whole := lens(200, 150, camera.Home())
	var want, got Batch
	want.Surface(s, &whole, false)
	l := whole
	l.Section = camera.Plane{Normal: [3]float64{1, 0, 0}, Offset: -0.9}
	if got.Surface(s, &l, false); !slices.Equal(got.Vertices, want.Vertices) || !slices.Equal(got.Indices, want.Indices) {
		t.Error("a section through nothing changes the picture")
	}
	l.Section.Offset = 0.9
	if got.Surface(s, &l, false); len(got.Indices) != 0 {
		t.Errorf("%d corners are left behind everything", len(got.Indices))
	}
}

// Wires are those of the mesh: a cut face has none along the cut. Its other part looks as before.
func TestSectionKeepsWires(t *testing.T) {
	s := grownSurface([]float32{-0.7, -0.6, 0, 0.7, -0.6, 0, 0, 0.7, 0}, []float32{0, 0, 1, 0, 0, 1, 0, 0, 1}, []int32{0, 1, 2}, false)
	s.SetColors([]colormap.RGB{colormap.Source(), colormap.Target(), colormap.Moving()})
	l := lens(200, 200, camera.Pose{Size: 0.95, Up: camera.Y})
	style := Style{Wire: true}
	whole := render(s, l, style, nil)
	empty := NewPicture(&l, style).Image
	l.Section = across([3]float64{1, 0.3, 0}, 0)
	cut := render(s, l, style, nil)
	kept, gone := 0, 0
	for y := range 200 {
		for x := range 200 {
			place := l.Unproject(float64(x)+0.5, float64(y)+0.5, -l.Eye[0]*l.Forward[0]-l.Eye[1]*l.Forward[1]-l.Eye[2]*l.Forward[2])
			want := whole
			switch b := l.Section.Behind(place); {
			case math.Abs(b) < 0.01:
				continue
			case b < 0:
				want = empty
			}
			a, b := whole.RGBAAt(x, y), cut.RGBAAt(x, y)
			if want == whole && a != empty.RGBAAt(x, y) {
				kept++
			} else if a != empty.RGBAAt(x, y) {
				gone++
			}
			w := want.RGBAAt(x, y)
			for k, c := range [3]int{int(b.R) - int(w.R), int(b.G) - int(w.G), int(b.B) - int(w.B)} {
				if c > 3 || c < -3 {
					t.Fatalf("pixel %d, %d, channel %d: %v, want %v", x, y, k, b, w)
				}
			}
		}
	}
	if kept < 1000 || gone < 1000 {
		t.Errorf("%d pixels are kept, %d are gone", kept, gone)
	}
}

// What is drawn on the surface ends at the section.
func TestSectionCutsSprites(t *testing.T) {
	l := lens(200, 150, camera.Home())
	l.Section = camera.Plane{Normal: [3]float64{1, 0, 0}, Offset: 0.1}
	var b Batch
	b.Point(&l, [3]float32{0.09, 0, 0}, [3]float32{}, 3, colormap.Accent(), 1)
	b.Segment(&l, [3]float32{-0.5, 0, 0}, [3]float32{0, 0.2, 0}, 2, colormap.Accent(), 1)
	if len(b.Indices) != 0 {
		t.Errorf("%d corners in front of the section", len(b.Indices))
	}
	b.Point(&l, [3]float32{0.11, 0, 0}, [3]float32{}, 3, colormap.Accent(), 1)
	if len(b.Vertices) != 4 {
		t.Error("a disc behind the section is not drawn")
	}
	b.Reset()
	b.Segment(&l, [3]float32{-0.5, 0, 0}, [3]float32{0.7, 0, 0}, 2, colormap.Accent(), 1)
	half := slices.Clone(b.Vertices)
	b.Reset()
	b.Segment(&l, [3]float32{0.1, 0, 0}, [3]float32{0.7, 0, 0}, 2, colormap.Accent(), 1)
	if len(half) != len(b.Vertices) || len(half) == 0 {
		t.Fatalf("%d and %d vertices", len(half), len(b.Vertices))
	}
	for i := range half {
		if d := math.Hypot(float64(half[i].DstX-b.Vertices[i].DstX), float64(half[i].DstY-b.Vertices[i].DstY)); d > 1e-3 {
			t.Errorf("end %d of the line is %g pixels off", i, d)
		}
	}
}
