//go:build e2e && !js

package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kit is a file of three spheres beside each other, the first the largest, and a
// vertex that no face uses.
func kit(t *testing.T) string {
	t.Helper()
	var vertices, faces strings.Builder
	first, count := 0, 0
	for i, frequency := range []string{"8", "5", "3"} {
		name := filepath.Join(t.TempDir(), "one.off")
		tool(t, "generate", "sphere", "-frequency", frequency, "-out", name)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		var v, f, e int
		for lines.Scan() && f == 0 {
			_, _ = fmt.Sscan(lines.Text(), &v, &f, &e)
		}
		for row := 0; row < v+f; row++ {
			if row < v {
				var x, y, z float64
				if _, err := fmt.Sscan(lines.Text(), &x, &y, &z); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(&vertices, x+2.5*float64(i), y, z)
			} else {
				var n, a, b, c int
				if _, err := fmt.Sscan(lines.Text(), &n, &a, &b, &c); err != nil || n != 3 {
					t.Fatal(n, err)
				}
				fmt.Fprintln(&faces, 3, a+first, b+first, c+first)
			}
			lines.Scan()
		}
		first, count = first+v, count+f
	}
	name := filepath.Join(t.TempDir(), "kit.off")
	if err := os.WriteFile(name, fmt.Appendf(nil, "OFF\n%d %d 0\n%s2 2 0\n%s", first+1, count, &vertices, &faces), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A mesh of several components opens, is solved and plays without an alert. What
// is painted on one of them alone is explained at once; a button balances the
// masses, and undo takes that back.
func TestSeveralComponents(t *testing.T) {
	t.Parallel()
	p := open(t, "", small)
	p.settled()
	p.file(kit(t))
	p.wait("s.mesh.name == 'kit.off'")
	s := p.settled()
	if d := s.Densities; s.Error != "" || p.alert() != "" || s.Transport.Result == nil || s.Transport.Result.Status != "converged" || d.Count != 4 || d.Unequal != nil ||
		p.text("components-note") != "Each of 3 components has the share of source and target that it has of the vertices. 1 vertex without an edge has no mass." {
		t.Fatalf("%q, %q: %+v", p.alert(), p.text("components-note"), d)
	}
	if !s.Playback.Playing {
		p.press("Play")
	}
	at := p.wait("s.playback.playing").Playback.Position
	p.wait(fmt.Sprintf("s.playback.position != %v", at))
	p.press("Pause")

	p.press("Paint source")
	on := p.find(0.25, 0.5)
	p.drag(on, spot{on.X + 4, on.Y + 4}, spot{on.X + 8, on.Y + 4})
	p.wait("!s.densities.stroke && s.densities.unequal")
	p.until("document.getElementById('unequal').checkVisibility() && document.getElementById('unequal-note').textContent.includes('4 components')")
	p.press("Paint source") // puts the tool down
	p.frames(60)            // longer than a repaint waits before it solves by itself
	s = p.state()
	if s.Error != "" || p.alert() != "" || s.Transport.Solving || !s.Transport.Stale || !strings.HasPrefix(s.Status, "Not solved") {
		t.Errorf("after painting: %q, %q, %+v", p.alert(), s.Status, s.Transport)
	}
	painted := s.Densities.Source
	eval[bool](p, "(document.getElementById('unequal').scrollIntoView({block: 'center'}), true)")
	p.frames(2)
	p.picture("unequal")

	p.press("Solve")
	p.until("document.querySelector('[role=alert]').textContent.includes('source and target differ')")
	p.press("Balance masses")
	p.wait("!s.densities.unequal && s.densities.undo == 2")
	s = p.settled()
	if s.Error != "" || p.alert() != "" || s.Transport.Stale || s.Transport.Result.Status != "converged" || !strings.HasPrefix(p.text("components-note"), "In every component") {
		t.Errorf("balanced: %q, %+v, %q", p.alert(), s.Transport.Result, p.text("components-note"))
	}
	p.press("Undo")
	if s := p.wait("s.densities.undo == 1 && s.densities.unequal"); s.Densities.Source != painted {
		t.Errorf("undo left mass %g, %g was painted", s.Densities.Source, painted)
	}
	p.press("Undo")
	p.wait("s.densities.undo == 0 && !s.densities.unequal && s.densities.preset == 'paper'")
	p.settled()

	p.set("Preset components", "largest")
	p.wait("s.densities.components == 'largest' && s.densities.undo == 1")
	s = p.settled()
	if words := "Only the largest of 4 components has mass: 642 of 987 vertices."; s.Error != "" || p.text("components-note") != words || s.Densities.Note != words || s.Transport.Stale {
		t.Errorf("%q: %q", s.Error, p.text("components-note"))
	}
	p.picture("largest")

	// Components are split off first. The page says so, and why no separation of the list can be taken.
	p.press("Separators")
	p.until("document.getElementById('cell-note').textContent.includes('Components are split off first')")
	p.press("Size against balance")
	p.wait("s.separation.swept")
	p.until("document.getElementById('pareto-note').checkVisibility() && document.querySelector('#pareto-list button').disabled")
}

// Small graphs have separators to see, level by level.
func TestSmallGraphs(t *testing.T) {
	t.Parallel()
	tree := filepath.Join(t.TempDir(), "tree.gr")
	dodecahedron := filepath.Join(t.TempDir(), "dodecahedron.gr")
	var edges strings.Builder
	for v := range 10 { // the generalised Petersen graph GP(10, 2)
		fmt.Fprintf(&edges, "%d %d\n%d %d\n%d %d\n", v+1, (v+1)%10+1, v+1, v+11, v+11, (v+2)%10+11)
	}
	for name, text := range map[string]string{tree: "p tw 7 6\n1 2\n1 3\n2 4\n2 5\n3 6\n3 7\n", dodecahedron: "p tw 20 30\n" + edges.String()} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, "", wide)
	p.settled()
	for _, c := range []struct {
		file   string
		levels int
		root   [3]int
	}{
		{tree, 2, [3]int{3, 1, 3}},
		{dodecahedron, 3, [3]int{7, 6, 7}},
	} {
		p.file(c.file)
		p.wait(fmt.Sprintf("s.mesh.name == %q", filepath.Base(c.file)))
		s := p.settled()
		sep := s.Separation
		if s.Error != "" || len(sep.Levels) != c.levels || sep.Nodes < 7 {
			t.Fatalf("%s: %q, %+v", filepath.Base(c.file), s.Error, sep)
		}
		if l := sep.Levels[0]; [3]int{l.A, l.S, l.B} != c.root {
			t.Errorf("%s: the root is %+v", filepath.Base(c.file), l)
		}
		for level := range c.levels {
			p.set("Separator level", fmt.Sprint(level))
			p.until(fmt.Sprintf("document.querySelectorAll('#tree [role=treeitem]').length == %d", sep.Nodes))
			p.wait(fmt.Sprintf("s.separation.level == %d", level))
			p.until(fmt.Sprintf("document.getElementById('level-out').textContent == '%d of %d'", level, c.levels-1))
			eval[bool](p, "(document.getElementById('tree').scrollIntoView({block: 'center'}), true)")
			p.frames(30)
			p.picture(fmt.Sprintf("%s-level-%d", strings.TrimSuffix(filepath.Base(c.file), ".gr"), level))
		}
		for _, l := range sep.Levels {
			if l.S == 0 {
				t.Errorf("%s: no separator at level %d", filepath.Base(c.file), l.Level)
			}
		}
	}
}
