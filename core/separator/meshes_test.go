package separator

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"genussink/core/graph"
	"genussink/core/internal/shared"
	"genussink/core/mesh"
	"genussink/core/meshio"
)

// realMesh is a mesh of the shared data.
type realMesh struct {
	name string
	mesh *mesh.Mesh
	g    *graph.Graph
}

// realMeshes reads the shared meshes of lo to hi vertices.
func realMeshes(t testing.TB, lo, hi int) []realMesh {
	t.Helper()
	files := os.DirFS(shared.Path(t, "meshes"))
	var list []realMesh
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		// One surface is there in five formats; one stands for all.
		if strings.HasPrefix(name, "meshlabjs__bunny5k") && name != "meshlabjs__bunny5k_asc.off" {
			return err
		}
		if err != nil || d.IsDir() || !slices.Contains(meshio.Formats(), strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))) {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > 1<<21 && hi < math.MaxInt32 {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		folder, err := fs.Sub(files, filepath.Dir(name))
		if err != nil {
			return err
		}
		result, err := meshio.Read(name, bytes.NewReader(data), meshio.Options{Files: folder})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if n := len(result.Mesh.Positions); n < lo || n > hi {
			return nil
		}
		g, err := graph.FromMesh(result.Mesh)
		list = append(list, realMesh{filepath.Base(name), result.Mesh, g})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRealMeshes separates the shared meshes of 1,000 to 10,000 vertices with
// every finder, at balance 1/3. The bars are on the median over the meshes of
// |S|/sqrt(n) at genus 0 and |S|/sqrt((g+1)n) else.
func TestRealMeshes(t *testing.T) {
	shared.Long(t)
	bars := map[string][2]float64{"level-set": {0.85, 0.8}, "inertial-flow": {0.6, 0.8}, "flow-cutter": {0.6, 0.8}, "centroid-bag": {1.4, 0.8}}
	meshes := realMeshes(t, 1000, 10000)
	const balance = 1.0 / 3
	for _, name := range general {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var plain, holed []float64
		for _, m := range meshes {
			start := time.Now()
			s, err := f.Find(context.Background(), m.g, Options{Balance: balance})
			took := time.Since(start)
			if err != nil {
				t.Errorf("%s, %s: %v", name, m.name, err)
				continue
			}
			if err := Verify(m.g, s, balance); err != nil {
				t.Errorf("%s, %s: %v", name, m.name, err)
			}
			genus := m.mesh.Topology().Genus
			n := float64(m.g.Len())
			size := float64(len(s.S)) / math.Sqrt(float64(genus+1)*n)
			if genus == 0 {
				plain = append(plain, size)
			} else {
				holed = append(holed, size)
			}
			t.Logf("%-14s %-32s n %5d genus %4d |A| %5d |S| %4d |B| %5d |S|/sqrt(n) %.2f  %.1f ms", name, m.name,
				m.g.Len(), genus, len(s.A), len(s.S), len(s.B), float64(len(s.S))/math.Sqrt(n), float64(took.Microseconds())/1000)
		}
		slices.Sort(plain)
		slices.Sort(holed)
		if len(plain) == 0 || len(holed) == 0 {
			t.Fatal("no meshes of one kind")
		}
		low, high := plain[len(plain)/2], holed[len(holed)/2]
		t.Logf("%s: median |S|/sqrt(n) %.2f of %d meshes of genus 0, |S|/sqrt((g+1)n) %.2f of the %d others",
			name, low, len(plain), high, len(holed))
		if bar := bars[name]; low > bar[0] || high > bar[1] {
			t.Errorf("%s: medians %.3f and %.3f, at most %v wanted", name, low, high, bar)
		}
	}
}

// TestPlanarRealMeshes gives the finders that need faces every shared mesh
// that is one oriented manifold of genus 0, with boundary or without.
func TestPlanarRealMeshes(t *testing.T) {
	shared.Long(t)
	tried := 0
	for _, m := range realMeshes(t, 1000, 10000) {
		top := m.mesh.Topology()
		if top.Genus > 0 || top.Components > 1 || !top.Oriented || top.NonmanifoldEdges+top.NonmanifoldVertices+top.IsolatedVertices > 0 {
			continue
		}
		tried++
		for _, name := range []string{"fundamental-cycle", "lipton-tarjan"} {
			start := time.Now()
			s, err := find(t, name, m.g, Options{Faces: m.mesh.Faces})
			if err != nil {
				t.Errorf("%s, %s: %v", name, m.name, err)
				continue
			}
			if err := Verify(m.g, s, 0); err != nil {
				t.Errorf("%s, %s: %v", name, m.name, err)
			}
			n := m.g.Len()
			t.Logf("%-17s %-30s n %5d |A| %5d |S| %4d |B| %5d |S|/sqrt(n) %.2f  %.1f ms", name, m.name,
				n, len(s.A), len(s.S), len(s.B), float64(len(s.S))/math.Sqrt(float64(n)), float64(time.Since(start).Microseconds())/1000)
			if name == "lipton-tarjan" && (len(s.S)*len(s.S) > 8*n || 3*max(len(s.A), len(s.B)) > 2*n) {
				t.Errorf("%s: the theorem does not hold", m.name)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d meshes tried", tried)
	}
}

// BenchmarkMedians takes the medians of TestRealMeshes over the shared meshes of
// every size from 1,000 vertices, with the best finder, and holds them to their bars.
// What the other finders return there is checked.
func BenchmarkMedians(b *testing.B) {
	meshes := realMeshes(b, 1000, math.MaxInt32)
	const balance = 1.0 / 3
	for b.Loop() {
		var ratios [2][]float64 // at genus 0 and else
		for _, m := range meshes {
			s, err := find(b, "flow-cutter", m.g, Options{Balance: balance, Positions: m.mesh.Positions})
			if err != nil {
				b.Fatal(m.name, err)
			}
			if err := Verify(m.g, s, balance); err != nil {
				b.Fatal(m.name, err)
			}
			for _, name := range Names() {
				if name == "flow-cutter" {
					continue
				}
				s, err := find(b, name, m.g, Options{Positions: m.mesh.Positions, Faces: m.mesh.Faces})
				if err == nil {
					err = Verify(m.g, s, 0)
				}
				if err != nil && !errors.Is(err, ErrNotPlanar) && !errors.Is(err, ErrNotSurface) {
					b.Errorf("%s, %s: %v", m.name, name, err)
				}
			}
			genus := m.mesh.Topology().Genus
			kind := min(genus, 1)
			ratios[kind] = append(ratios[kind], float64(len(s.S))/math.Sqrt(float64(genus+1)*float64(m.g.Len())))
		}
		for kind, bar := range [2]float64{0.6, 0.8} {
			slices.Sort(ratios[kind])
			median := ratios[kind][len(ratios[kind])/2]
			b.ReportMetric(median, [2]string{"genus-0-median", "other-median"}[kind])
			if median > bar {
				b.Errorf("median %.3f of %d meshes, at most %g wanted", median, len(ratios[kind]), bar)
			}
		}
	}
}

// BenchmarkFind separates the shared mesh nearest to 10,000 vertices on one
// processor; the bar is 100 ms of it for the default finder.
func BenchmarkFind(b *testing.B) {
	shared.OneProcessor(b)
	meshes := realMeshes(b, 9000, 10000)
	usual, err := ByName("")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range general {
		f, err := ByName(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range meshes {
			b.Run(name+"/"+m.name, func(b *testing.B) {
				start, runs := shared.Processor(), 0
				for b.Loop() {
					if _, err := f.Find(context.Background(), m.g, Options{}); err != nil {
						b.Fatal(err)
					}
					runs++
				}
				if took := shared.Processor().Sub(start) / time.Duration(runs); name == usual.Name() && took > 100*time.Millisecond {
					b.Errorf("%v", took)
				}
			})
		}
	}
}
