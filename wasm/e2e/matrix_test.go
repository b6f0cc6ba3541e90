//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// matrix looks at the plan between the cells of the separator tree: its entries are the tool's, keys and pointer light cells on the mesh.
func matrix(t *testing.T, p *tab) {
	t.Helper()
	p.press("Show the plan as a matrix")
	for level := p.wait("s.transport.matrix.shown").Transport.Matrix.Level; level < 2; level++ {
		p.press("More cells")
		p.wait(fmt.Sprintf("s.transport.matrix.shown && s.transport.matrix.level == %d", level+1))
	}
	type plan struct {
		Names  []string
		Groups []int
		Values []float64
	}
	m := eval[plan](p, "genussink.matrix()")
	n := len(m.Names)
	if n < 7 || m.Names[n-1] != "separators" || len(m.Values) != n*n || len(m.Groups) != p.state().Mesh.Vertices {
		t.Fatalf("%d groups %v, %d values, %d vertices", n, m.Names, len(m.Values), len(m.Groups))
	}
	total, from, to := 0.0, 0, 1
	for a := range n {
		for b := range n {
			total += m.Values[a*n+b]
			if a != b && m.Values[a*n+b] > m.Values[from*n+to] {
				from, to = a, b
			}
		}
	}
	if math.Abs(total-1) > 1e-3 {
		t.Errorf("a mass of %g in all", total)
	}
	var files [2]string
	for k, group := range []int{from, to} {
		var lines strings.Builder
		for v, g := range m.Groups {
			if g == group {
				fmt.Fprintln(&lines, v)
			}
		}
		files[k] = filepath.Join(t.TempDir(), "cell.txt")
		if err := os.WriteFile(files[k], []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	told := toolSays[struct{ Mass float64 }](t, "query", gallery("cat.glb"), "-measures", "paper", "-method", "exact", "-epsilon", "0.01", "-between", files[0]+","+files[1])
	if got := m.Values[from*n+to]; !(math.Abs(got-told.Mass) <= 1e-9*told.Mass) {
		t.Errorf("from %s to %s %g is sent, the tool says %g", m.Names[from], m.Names[to], got, told.Mass)
	}
	// The pointer lights a row and says the entry below it; keys walk through rows and columns.
	names := eval[[]string](p, "[...document.querySelectorAll('#matrix .target')].map((e) => e.ariaLabel)")
	if len(names) != 2*n || !strings.HasPrefix(names[0], "Row cell "+m.Names[0]+", ") || !strings.HasPrefix(names[2*n-1], "Column separators, ") {
		t.Errorf("%d targets: %q", len(names), names)
	}
	at := p.place("#matrix .target[data-kind=row][data-id='2']")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.wait("s.transport.matrix.row == 2 && s.transport.matrix.column >= 0")
	p.until(fmt.Sprintf("document.getElementById('matrix-at').textContent.startsWith('From cell %s to ')", m.Names[2]))
	p.frames(20)
	p.picture("matrix")
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.wait("s.transport.matrix.row == 3 && s.transport.matrix.column == -1")
	p.until("document.activeElement.dataset.kind == 'row' && document.activeElement.dataset.id == '3'")
	p.do(chromedp.KeyEvent(kb.End))
	p.wait(fmt.Sprintf("s.transport.matrix.row == -1 && s.transport.matrix.column == %d", n-1))
	p.until("/^Separators, .* receives /.test(document.getElementById('matrix-at').textContent)")
	p.do(chromedp.KeyEvent(kb.Tab))
	p.wait("s.transport.matrix.row == -1 && s.transport.matrix.column == -1")
	// Another level of the mesh is another matrix, another theme other colours.
	drawn := eval[string](p, "document.getElementById('matrix').innerHTML")
	p.press("Switch theme")
	p.until("document.querySelector('#matrix svg')")
	p.frames(2)
	if eval[string](p, "document.getElementById('matrix').innerHTML") == drawn {
		t.Error("another theme leaves the matrix's colours")
	}
	p.picture("matrix-theme")
	p.press("Switch theme")
	p.press("Fewer cells")
	p.wait("s.transport.matrix.shown && s.transport.matrix.level == 1 && s.separation.level == 1")
	p.press("Hide matrix")
	p.wait("!s.transport.matrix.wanted")
	p.until("!document.querySelector('#matrix svg')")
}
