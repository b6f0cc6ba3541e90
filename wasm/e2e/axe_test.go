//go:build e2e && !js

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// violation is a rule of axe that elements break.
type violation struct {
	ID, Help string
	Nodes    []struct {
		Target         []any
		HTML           string
		FailureSummary string
	}
}

// axe lets axe-core look at the page as it is, in both themes, and fails for every element that breaks a rule.
func (p *tab) axe(where string) {
	p.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		p.do(emulate(theme, still))
		p.frames(2)
		for _, v := range eval[[]violation](p, "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)") {
			for _, n := range v.Nodes {
				p.t.Errorf("%s, %s: %s (%s): %v: %.300s\n%s", where, theme, v.ID, v.Help, n.Target, n.HTML, n.FailureSummary)
			}
		}
	}
}

// still is a person's wish for no motion: on their way from one theme to the other, colours are neither's.
var still = &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}

// audited opens a page that axe can look at.
func audited(t *testing.T, query string, s size) *tab {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "build/bin/axe-*/axe.min.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("axe-core is missing: run `make e2e` (%v)", err)
	}
	script, err := os.ReadFile(slices.Max(files))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, query, s, emulate("light", still))
	p.settled()
	eval[bool](p, string(script)+"; true")
	return p
}

// axe finds nothing to say against any task, lesson or dialog, in either theme.
func TestAxe(t *testing.T) {
	t.Parallel()
	p := audited(t, "?mesh=octopus", wide)
	p.axe("Introduction")
	for _, s := range eval[[]string](p, "[...document.querySelectorAll('summary')].map((s) => s.textContent)") {
		p.unfold(s)
	}
	p.axe("Transport")
	p.press("Separators")
	p.press("Size against balance")
	p.until("document.querySelectorAll('#pareto-list button').length > 1")
	p.axe("Separators")
	p.press("Treewidth")
	p.press("Find treewidth")
	p.until("!document.getElementById('treewidth-results').hidden")
	p.press("Widest bag")
	p.axe("Treewidth")
	p.press("Inspect")
	p.press("Inspect mesh")
	p.until("!document.getElementById('histograms').hidden")
	p.set("Colour by", "mean", "change")
	p.axe("Inspect")
	for dialog, button := range map[string]string{"gallery": "Gallery", "saving": "Save", "about": "About", "keys": "Keys", "sharing": "", "elsewhere": ""} {
		if button != "" {
			p.press(button)
		} else {
			eval[bool](p, fmt.Sprintf("document.getElementById(%q).showModal(), true", dialog))
		}
		p.until(fmt.Sprintf("document.getElementById(%q).open", dialog))
		p.axe("Dialog " + dialog)
		eval[bool](p, fmt.Sprintf("document.getElementById(%q).close(), true", dialog))
	}
	for i, name := range eval[[]string](p, "document.getElementById('learn').click(), new Promise((r) => setTimeout(() => r([...document.querySelectorAll('#lesson-list button')].map((b) => b.ariaLabel)), 500))") {
		p.press(name)
		p.until(fmt.Sprintf("document.querySelectorAll('#lesson-list button')[%d].getAttribute('aria-current')", i))
		p.until("document.querySelector('#lesson-figures svg')")
		p.axe(name)
	}
}
