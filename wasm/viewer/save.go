//go:build js

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/session"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// share copies the link if the link carries everything. If not, it saves the
// session as a file and says why.
func (p *page) share() {
	p.keep(true)
	sn, complete := p.scene.Session()
	if !complete {
		p.say("Not ready yet: share in a moment.")
		return
	}
	link, whole := sn.Link()
	if whole && !sn.Own() {
		p.copy(p.linked(link), "Link copied, painting included.")
		return
	}
	why := "The mesh is a file of your own, which no link can carry."
	if !sn.Own() {
		why = fmt.Sprintf("The painting is too long for a link, which has at most %s characters.", quantity.Count(session.MaxLink))
	}
	p.saveSession()
	p.text("sharing-why", why)
	p.text("share-link", "Copy link without "+leftOut(sn))
	p.dialog("sharing")
}

// linked is this page's address with a query.
func (p *page) linked(query string) string {
	location := dom.Window().Get("location")
	return location.Get("origin").String() + location.Get("pathname").String() + "?" + query
}

// copyPart copies the link as far as it goes.
func (p *page) copyPart() {
	p.id("sharing").Call("close")
	sn, _ := p.scene.Session()
	link, _ := sn.Link()
	p.copy(p.linked(link), "Link copied, without "+leftOut(sn)+".")
}

// leftOut is what a link does not carry of a session that needs a file.
func leftOut(sn *session.Session) string {
	if sn.Own() {
		return "the mesh"
	}
	return "the painting"
}

// saveSession offers the session as a file.
func (p *page) saveSession() {
	sn, complete := p.scene.Session()
	if !complete {
		p.say("Not ready yet: save in a moment.")
		return
	}
	name := p.base() + session.Extension
	p.download(name, "application/octet-stream", session.Encode(sn))
	p.say("Session file saved.")
}

// say puts a sentence of the page's own in the status line for a while, and in the dialog that lies over it.
func (p *page) say(sentence string) {
	p.notice = sentence
	p.text("status", sentence)
	over := dom.Document().Call("querySelector", "dialog[open] .said")
	if over.Truthy() {
		over.Set("textContent", sentence)
	}
	dom.After(noticeFor, func() {
		if over.Truthy() && over.Get("textContent").String() == sentence { // said in a dialog, it goes even where something else was said since
			over.Set("textContent", "")
		}
		if p.notice == sentence {
			p.notice = ""
			p.text("status", p.scene.State().Status)
		}
	})
}

// noticeFor is how long such a sentence stands, in milliseconds.
const noticeFor = 6000

// copy puts text on the clipboard and says what was copied, or that nothing was.
func (p *page) copy(text, said string) {
	clipboard := dom.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.say("Nothing was copied: the browser allows that only to addresses of https.")
		return
	}
	go func() {
		if _, err := dom.Await(clipboard.Call("writeText", text)); err != nil {
			p.say(sentence("Nothing was copied: " + err.Error()))
			return
		}
		p.say(said)
	}()
}

// download offers a file to save.
func (p *page) download(name, kind string, data []byte) {
	p.downloadBlob(name, blob(kind, dom.Array(data)))
}

// blob is a file of the browser's, of arrays and other blobs.
func blob(kind string, parts ...any) js.Value {
	return js.Global().Get("Blob").New(parts, map[string]any{"type": kind})
}

func (p *page) downloadBlob(name string, blob js.Value) {
	url := js.Global().Get("URL").Call("createObjectURL", blob)
	a := dom.New("a", "")
	a.Set("href", url)
	a.Set("download", name)
	a.Call("click")
	dom.After(10_000, func() { js.Global().Get("URL").Call("revokeObjectURL", url) })
}

// base is the mesh's name without its ending, for names of downloads.
func (p *page) base() string {
	name := p.scene.State().Mesh.Name
	if name = strings.TrimSuffix(name, path.Ext(name)); name == "" {
		return "genussink"
	}
	return name
}

// saveColumns saves columns of numbers, the vertex first, which are written between frames.
func (p *page) saveColumns(what, header string, n int, cells func(v int) []string) {
	name := p.base() + "-" + what + ".csv"
	go dom.Guard(func() {
		var rest dom.Pauses
		out := []byte(header + "\n")
		for v := range n {
			out = strconv.AppendInt(out, int64(v), 10)
			for _, c := range cells(v) {
				out = append(append(out, ','), c...)
			}
			out = append(out, '\n')
			rest.Pause()
		}
		p.download(name, "text/csv", out)
	})
}

func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (p *page) saveDensities() {
	source, target := p.scene.Densities.Values()
	source, target = slices.Clone(source), slices.Clone(target) // painting goes on
	p.saveColumns("densities", "vertex,source,target", len(source), func(v int) []string { return []string{exact(source[v]), exact(target[v])} })
}

func (p *page) savePotentials() {
	if s := p.scene.Transport.Solved(); s != nil {
		p.saveColumns("potentials", "vertex,log_u,log_v", len(s.LogU), func(v int) []string { return []string{exact(s.LogU[v]), exact(s.LogV[v])} })
	}
}

func (p *page) saveSeparation() {
	if s := p.scene.Separation.Tree(); s != nil {
		p.saveColumns("separation", "vertex,cell,level", len(s.Cells), func(v int) []string {
			return []string{fmt.Sprint(s.Cells[v]), fmt.Sprint(s.Nodes[s.Cells[v]].Depth)}
		})
	}
}

// savePartners writes the partners of the vertex that is looked at.
func (p *page) savePartners() {
	h := p.scene.State().Hover
	if h == nil {
		return
	}
	var out bytes.Buffer
	out.WriteString("from,to,mass\n")
	for _, to := range h.Partners {
		fmt.Fprintf(&out, "%d,%d,%s\n", h.Vertex, to.Vertex, exact(to.Mass))
	}
	p.download(fmt.Sprintf("%s-partners-%d.csv", p.base(), h.Vertex), "text/csv", out.Bytes())
}

// timings is every figure of the last run.
func (p *page) timings() []byte {
	st := p.state()
	text, err := json.MarshalIndent(map[string]any{
		"mesh": st.Mesh, "result": st.Transport.Result, "timings": st.Timings, "frame": st.Frame, "workers": st.Workers,
	}, "", "  ")
	if err != nil {
		p.fault(err.Error())
	}
	return text
}

func (p *page) saveTimings() { p.download(p.base()+"-timings.json", "application/json", p.timings()) }

func (p *page) copyTimings() { p.copy(string(p.timings()), "The timings were copied.") }
