//go:build e2e && !js

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

// unexplained is a script that lists the controls on the screen that have no words but their name: neither a title nor a note. Where the
// name says all, none are needed.
const unexplained = `(() => {
	const clear = ['Close', '×', '−1', '+1', 'Play', 'Pause', 'Copy', 'Open', 'Hide', 'Open address', 'Don’t open', 'Dismiss', 'Paint your own', 'Learn in five minutes', 'Open a mesh'];
	const top = document.querySelector('dialog[open]') || document;
	return [...top.querySelectorAll('button, select, input')].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.hidden') && e.id != 'file' && !e.title &&
		!e.getAttribute('aria-describedby') && !e.closest('label[title]') && !clear.includes(e.textContent.trim()) && e.role != 'tab' && !e.closest('#lesson, #legend, #cards, #pareto-list'))
		.map((e) => e.id || e.ariaLabel || e.textContent.trim());
})()`

// Every control says what it is for when the mouse rests on it.
func TestControlsExplainThemselves(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", wide)
	p.settled()
	look := func(where string) {
		t.Helper()
		p.unfoldAll()
		p.frames(2)
		for _, name := range eval[[]string](p, unexplained) {
			t.Errorf("%s: %s says nothing of itself", where, name)
		}
	}
	for _, task := range []string{"Transport", "Separators", "Treewidth", "Inspect"} {
		p.press(task)
		look(task)
	}
	for _, kernel := range []string{"gauss", "cauchy", "rational", "poly", "features"} {
		p.set("Kernel", kernel)
		look("kernel " + kernel)
	}
	for _, dialog := range []string{"gallery", "saving", "comparing"} {
		eval[bool](p, fmt.Sprintf("document.getElementById(%q).showModal(), true", dialog))
		look(dialog)
		eval[bool](p, fmt.Sprintf("document.getElementById(%q).close(), true", dialog))
	}
}

// A finger that rests on a control has it explained in words that are seen whole, and presses nothing. A tap presses, and takes them away.
func TestFingerHasControlsExplained(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", phone)
	p.settled()
	if !eval[bool](p, "document.getElementById('share').title.length > 10 && !document.getElementById('saving').open") {
		t.Fatal("there is nothing to be explained")
	}
	at := p.place("#save")
	p.touch(input.DispatchTouchEventTypeTouchStart, at)
	time.Sleep(time.Second)
	p.touch(input.DispatchTouchEventTypeTouchEnd)
	p.until("document.getElementById('explained').textContent == document.getElementById('save').title + '.'")
	p.frames(5)
	p.picture("explained")
	if !eval[bool](p, `((e) => {
		const r = e.getBoundingClientRect();
		return e.checkVisibility() && r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight && e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight &&
			e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	})(document.getElementById('explained'))`) {
		t.Error("the words are not seen whole")
	}
	if eval[bool](p, "document.getElementById('saving').open") {
		t.Error("a finger that rests presses")
	}
	p.tap(p.place("#save"))
	p.until("document.getElementById('saving').open && !document.getElementById('explained').checkVisibility()")
}
