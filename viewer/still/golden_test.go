package still

import (
	"context"
	"flag"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/internal/golden"
	"genussink/viewer/scene"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// The sheet's vertices, but for one of no face.
const columns, rows = 16, 7

// sheet is a mesh with a hole, a flipped face and a vertex of no face, as an OFF file, and a tree decomposition of it, as a .td file.
func sheet() (off, td []byte) {
	var points, faces, bags, tree strings.Builder
	count := 0
	for i := range columns {
		for j := range rows {
			fmt.Fprintf(&points, "%d %d %.3f\n", i, j, 0.8*math.Sin(0.5*float64(i)))
			a, b := i*rows+j, (i+1)*rows+j
			if i+1 == columns || j+1 == rows || i == 4 && j > 1 && j < 5 { // beyond the edge, or the hole
				continue
			}
			second, third := b, b+1
			if i == 10 && j == 2 { // flipped
				second, third = third, second
			}
			fmt.Fprintf(&faces, "3 %d %d %d\n3 %d %d %d\n", a, second, third, a, b+1, a+1)
			count += 2
		}
	}
	n := columns*rows + 1
	fmt.Fprintf(&points, "%d %d 0\n", columns+1, rows-1)
	width := rows + 2
	for k := 0; k+width < n; k++ {
		fmt.Fprintf(&bags, "b %d", k+1)
		for v := range width {
			fmt.Fprintf(&bags, " %d", k+v+1)
		}
		bags.WriteByte('\n')
		fmt.Fprintf(&tree, "%d %d\n", k+1, k+2)
	}
	fmt.Fprintf(&bags, "b %d %d\n", n-width+1, n)
	return fmt.Appendf(nil, "OFF\n%d %d 0\n%s%s", n, count, points.String(), faces.String()),
		fmt.Appendf(nil, "s td %d %d %d\n%s%s", n-width+1, width, n, bags.String(), tree.String())
}

// Bags and defects are drawn in both themes as they were accepted. Where rounding puts an edge on the
// other side a pixel may differ; one in a hundred may.
func TestGoldenTasks(t *testing.T) {
	const width, height = 160, 120
	off, td := sheet()
	var drawn []image.Image
	for name, do := range map[string]func(s *scene.Scene, run func()){
		"bag": func(s *scene.Scene, run func()) {
			s.OpenFile("sheet.td", td, nil, "")
			run()
			s.ShowBag(s.State().Treewidth.Centroid)
		},
		"defects": func(s *scene.Scene, run func()) {
			s.Task(scene.TaskInspect)
			s.Inspect()
			run()
			s.ShowDefects(true)
		},
	} {
		for _, light := range []bool{false, true} {
			theme := map[bool]string{false: "dark", true: "light"}[light]
			s, e := scene.New(), engine.New(engine.Options{})
			run := func() {
				for requests := s.Outbox(); len(requests) > 0; requests = s.Outbox() {
					for _, r := range requests {
						e.Run(context.Background(), r, s.Handle)
					}
					s.Drawn()
				}
			}
			s.View.ReducedMotion(true)
			s.View.Light(light)
			s.OpenFile("sheet.off", off, nil, "")
			run()
			do(s, run)
			run()
			if st := s.State(); st.Error != "" || st.Mesh.Vertices != columns*rows+1 {
				t.Fatalf("%s: %s, %d vertices", name, st.Error, st.Mesh.Vertices)
			}
			Frame(s, width, height, 1)
			got := New(s).Draw(Options{Width: width, Height: height, Pixel: 1, Samples: 3})
			accepted := filepath.Join("testdata", name+"-"+theme+".png")
			if *update {
				golden.Write(t, accepted, got)
				continue
			}
			if n := golden.Unlike(got, golden.Read(t, accepted), 8); n > width*height/100 {
				t.Errorf("%s: %d pixels differ (to accept them: go test ./viewer/still -run Golden -update)", accepted, n)
			}
			for _, other := range drawn { // the test can fail
				if n := golden.Unlike(got, other, 8); n < width*height/50 {
					t.Errorf("%s, %s: differs from another in %d pixels", name, theme, n)
				}
			}
			drawn = append(drawn, got)
		}
	}
}
