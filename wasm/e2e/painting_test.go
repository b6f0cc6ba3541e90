//go:build e2e

package e2e

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// What the asking brush selects, and where the plan takes its mass: on the mesh, and in words.
func TestQuery(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Preset", "uniform", "change")
	p.wait("s.densities.preset == 'uniform'")
	s := p.settled()
	at := p.find(0.5, 0.5)
	p.press("Where does this go?")
	p.drag(at, spot{at.X + 8, at.Y + 4}, spot{at.X + 16, at.Y + 4})
	s = p.wait("s.query?.known && !s.densities.stroke && s.workers.unfinished == 0")
	q := s.Query
	if want := float64(q.Vertices) / float64(s.Mesh.Vertices); math.Abs(q.Share-want) > 1e-9 || math.Abs(q.Mass-want) > 1e-6 {
		t.Errorf("%d of %d vertices: share %g, mass %g", q.Vertices, s.Mesh.Vertices, q.Share, q.Mass)
	}
	if q.Most < 1 || s.Densities.Undo != 1 {
		t.Errorf("%+v, %d steps to undo", q, s.Densities.Undo)
	}
	p.until("/ % of the source is selected; nine tenths of it goes to [0-9,]+ vertices\\./.test(document.getElementById('query-note').textContent.replaceAll('\u202f', ' '))")
	p.frames(20)
	p.picture("query")
	p.press("Where does it come from?")
	p.drag(at, spot{at.X + 8, at.Y + 4})
	if q := p.wait("s.query?.known && s.query.target && !s.densities.stroke").Query; !(q.Share > 0) {
		t.Errorf("where it comes from: %+v", q)
	}
	p.do(chromedp.KeyEvent("\x1b"))
	p.wait("!s.query && s.densities.tool == 'none'")
}
