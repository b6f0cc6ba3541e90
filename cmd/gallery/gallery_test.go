package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"genussink/core/mesh"
	"genussink/core/meshio"
)

// folder is where the gallery lies, seen from this package.
var folder = filepath.Join("..", "..", "assets", "meshes")

func manifest(t *testing.T) (m Manifest) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "MANIFEST.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t *testing.T, name string, data []byte) *mesh.Mesh {
	t.Helper()
	r, err := meshio.Read(name, bytes.NewReader(data), meshio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) > 0 {
		t.Errorf("%s: %v", name, r.Warnings)
	}
	return r.Mesh
}

func TestManifestAgreesWithTheFiles(t *testing.T) {
	listed := []string{"MANIFEST.json"}
	m := manifest(t)
	total := 0
	for _, e := range m.Meshes {
		listed = append(listed, e.File)
		data, err := os.ReadFile(filepath.Join(folder, e.File))
		if err != nil {
			t.Error(err)
			continue
		}
		total += len(data)
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != e.SHA256 {
			t.Errorf("%s: sha256 is %x", e.File, sum)
		}
		g := read(t, e.File, data).Topology()
		want := e
		want.Vertices, want.Faces, want.Components, want.Genus, want.BoundaryLoops = g.Vertices, g.Faces, g.Components, g.Genus, g.BoundaryLoops
		if e != want {
			t.Errorf("%s: the manifest has\n%+v, the file\n%+v", e.File, e, want)
		}
		// What the gallery promises: closed, clean, neither tiny nor heavy.
		if !g.Watertight || !g.Oriented || g.Components != 1 || len(g.Warnings) > 0 {
			t.Errorf("%s: not one closed oriented manifold: %+v", e.File, *g)
		}
		if g.EdgeMax > 6*g.EdgeMean || g.EdgeMin < g.EdgeMean/6 {
			t.Errorf("%s: edges from %g to %g, %g on average", e.File, g.EdgeMin, g.EdgeMax, g.EdgeMean)
		}
		if g.Vertices < 2000 || g.Vertices > 15000 {
			t.Errorf("%s: %d vertices", e.File, g.Vertices)
		}
		if e.File == m.Default && (g.Vertices > 3000 || g.Genus != 0) {
			t.Errorf("%s is the default: %d vertices, genus %d", e.File, g.Vertices, g.Genus)
		}
		if e.Title == "" || e.Made == "" || e.Licence != "MIT, own work" {
			t.Errorf("%s: the manifest does not say all: %+v", e.File, e)
		}
	}
	if !slices.Contains(listed[1:], m.Default) {
		t.Errorf("the default %q is not in the gallery", m.Default)
	}
	if total > 2.5e6 {
		t.Errorf("the gallery has %d bytes", total)
	}
	files, err := fs.Glob(os.DirFS(folder), "*")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(listed)
	if !slices.Equal(files, listed) {
		t.Errorf("files %v, listed %v", files, listed)
	}
}

// TestMakingTheGalleryAgain compares what the generators make now with what is
// there: the same faces, and positions equal but for a platform's own last
// digits.
func TestMakingTheGalleryAgain(t *testing.T) {
	have := manifest(t).Meshes
	made := items()
	if len(have) != len(made) {
		t.Fatalf("%d meshes, the generators make %d", len(have), len(made))
	}
	for i, it := range made {
		t.Run(it.name, func(t *testing.T) {
			t.Parallel()
			entry, data, err := build(it)
			if err != nil {
				t.Fatal(err)
			}
			entry.SHA256 = have[i].SHA256
			if entry != have[i] {
				t.Fatalf("made now\n%+v, the gallery has\n%+v", entry, have[i])
			}
			file, err := os.ReadFile(filepath.Join(folder, entry.File))
			if err != nil {
				t.Fatal(err)
			}
			now, then := read(t, entry.File, data), read(t, entry.File, file)
			if !slices.Equal(now.Faces, then.Faces) {
				t.Error("other faces")
			}
			limit := 1e-5 * then.Diagonal()
			for v, p := range now.Positions {
				if d := mesh.Distance(p, then.Positions[v]); d > limit {
					t.Fatalf("vertex %d is at %v, in the gallery at %v", v, p, then.Positions[v])
				}
			}
		})
	}
}
