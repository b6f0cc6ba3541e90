// Command gallery makes the meshes of assets/meshes and their MANIFEST.json:
//
//	go run ./cmd/gallery assets/meshes
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"genussink/core/mesh"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/internal/output"
)

// Manifest says what is in the gallery. It serves the page, too.
type Manifest struct {
	Default string  `json:"default"` // the file that the page opens first
	Meshes  []Entry `json:"meshes"`
}

// Entry is one mesh of the gallery.
type Entry struct {
	File          string `json:"file"`
	Title         string `json:"title"`
	Made          string `json:"made"` // what made it, with its parameters
	Licence       string `json:"licence"`
	SHA256        string `json:"sha256"`
	Vertices      int    `json:"vertices"`
	Faces         int    `json:"faces"`
	Components    int    `json:"components"`
	Genus         int    `json:"genus"`
	BoundaryLoops int    `json:"boundary_loops"`
}

// item is a mesh to be made.
type item struct {
	name, title string
	made        string
	make        func() (*mesh.Mesh, error)
}

const defaultFile = "cat.glb"

func items() []item {
	solid := func(name, title string, field func() generate.Field, lo, hi vec, edge float64) item {
		return item{name, title, fmt.Sprintf("cmd/gallery: %s, an implicit surface meshed by generate.Surface with edge %g", name, edge),
			func() (*mesh.Mesh, error) { return generate.Surface(field(), lo, hi, edge) }}
	}
	return []item{
		solid("cat", "Cat", cat, vec{-1, -0.2, -2}, vec{1, 2.5, 1}, 0.063),
		solid("swan", "Swan", swan, vec{-0.9, -0.3, -1.5}, vec{0.9, 2.4, 1.8}, 0.06),
		solid("octopus", "Octopus", octopus, vec{-2.6, -0.3, -2.6}, vec{2.6, 2.3, 2.6}, 0.062),
		solid("dancer", "Dancer", dancer, vec{-1.7, -0.2, -0.8}, vec{1.3, 4.2, 0.9}, 0.042),
		solid("gear", "Gear", gear, vec{-1.7, -1.7, -0.5}, vec{1.7, 1.7, 0.5}, 0.043),
		solid("tee", "Pipe tee", tee, vec{-1.6, -1, -1}, vec{1.6, 1.6, 1}, 0.05),
		solid("trefoil", "Trefoil knot", trefoil, vec{-1.9, -1.9, -0.9}, vec{1.9, 1.9, 0.9}, 0.065),
		solid("pretzel", "Pretzel", pretzel, vec{-1.6, -1.5, -0.5}, vec{1.6, 1.2, 0.6}, 0.06),
		solid("amphora", "Amphora", amphora, vec{-1.3, -0.2, -1}, vec{1.3, 3.1, 1}, 0.055),
		{"necks", "Two necks", "generate.Make: pseudo-genus, order 2, vertices 4268", func() (*mesh.Mesh, error) {
			return generate.Make("pseudo-genus", map[string]float64{"order": 2, "vertices": 4268})
		}},
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gallery FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

// write makes every mesh of the gallery and its manifest in a folder.
func write(folder string) error {
	manifest := Manifest{Default: defaultFile}
	for _, it := range items() {
		entry, data, err := build(it)
		if err != nil {
			return err
		}
		if err := output.WriteFile(filepath.Join(folder, entry.File), data); err != nil {
			return err
		}
		manifest.Meshes = append(manifest.Meshes, entry)
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return err
	}
	return output.WriteFile(filepath.Join(folder, "MANIFEST.json"), append(text, '\n'))
}

// build makes one mesh, as a GLB file and its entry in the manifest.
func build(it item) (Entry, []byte, error) {
	m, err := it.make()
	if err != nil {
		return Entry{}, nil, fmt.Errorf("%s: %w", it.name, err)
	}
	var file bytes.Buffer
	if err := meshio.Write(&file, "glb", m); err != nil {
		return Entry{}, nil, fmt.Errorf("%s: %w", it.name, err)
	}
	sum := sha256.Sum256(file.Bytes())
	t := m.Topology()
	return Entry{
		File: it.name + ".glb", Title: it.title, Made: it.made, Licence: "MIT, own work", SHA256: hex.EncodeToString(sum[:]),
		Vertices: t.Vertices, Faces: t.Faces, Components: t.Components, Genus: t.Genus, BoundaryLoops: t.BoundaryLoops,
	}, file.Bytes(), nil
}
