package transport_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"genussink/core/graph"
	"genussink/core/hub"
	"genussink/core/measure/preset"
	"genussink/core/meshio"
	"genussink/core/transport"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// The program of README, "Use it from Go", on a mesh of the gallery.
func Example() {
	file := "../../assets/meshes/cat.glb"

	ctx := context.Background()
	m := must(meshio.Read(file, must(os.Open(file)), meshio.Options{})).Mesh
	g := must(graph.FromMesh(m))
	d := must(preset.ByName("paper", "", m, g, preset.Floor))
	epsilon := 0.2 * m.Diagonal()
	k := must(hub.New(ctx, g, hub.Options{Epsilon: epsilon, Positions: m.Positions}))
	r := must(transport.Solve(ctx, transport.Problem{Kernel: k, Source: d.Source, Target: d.Target, Epsilon: epsilon}, transport.Options{}))
	fmt.Printf("%s, cost %.4f\n", r.Status, r.Cost)

	// Output: converged, cost 2.3900
}

// README shows the lines that are run here.
func TestReadmeProgram(t *testing.T) {
	own, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(own), "cat.glb\"\n\n")
	program, _, _ = strings.Cut(program, "\n\n")
	shown := 0
	for line := range strings.Lines(program) {
		if line = strings.TrimSpace(line); !strings.Contains(string(readme), line) {
			t.Errorf("README does not have the line %q", line)
		}
		shown++
	}
	if shown != 8 {
		t.Errorf("%d lines", shown)
	}
}
