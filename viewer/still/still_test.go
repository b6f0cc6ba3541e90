package still

import (
	"math"
	"testing"

	"genussink/core/job"
	"genussink/viewer/scene"
)

// shown is a scene with a mesh.
func shown(t testing.TB, points []float64, faces []int32) *scene.Scene {
	t.Helper()
	s := scene.New()
	s.ReducedMotion(true)
	s.OpenFile("m", nil, nil, "")
	for _, r := range s.Outbox() {
		s.Handle(job.Event{ID: r.ID, Body: &job.Loaded{Positions: points, Faces: faces, Report: job.Report{Watertight: true, Oriented: true, Components: 1}}})
	}
	return s
}

// ring is a torus of n by m quads.
func ring(n, m int) (points []float64, faces []int32) {
	for i := range n {
		for j := range m {
			a, b := 2*math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j)/float64(m)
			r := 1 + 0.35*math.Cos(b)
			points = append(points, r*math.Cos(a), 0.35*math.Sin(b), -r*math.Sin(a))
		}
	}
	at := func(i, j int) int32 { return int32(i%n*m + j%m) }
	for i := range n {
		for j := range m {
			p, q, r, s := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			faces = append(faces, p, q, r, p, r, s)
		}
	}
	return points, faces
}

func BenchmarkDraw(b *testing.B) {
	s := shown(b, first(ring(500, 100)), second(ring(500, 100)))
	for _, samples := range []int{1, 2, 3} {
		p, err := New(b.Context(), s, Layers{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run([]string{"", "1", "2", "3"}[samples], func(b *testing.B) {
			for b.Loop() {
				p.Draw(Options{Width: 1200, Height: 900, Pixel: 1, Samples: samples})
			}
		})
	}
	b.Run("ready", func(b *testing.B) {
		for b.Loop() {
			if _, err := New(b.Context(), s, Layers{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }
