//go:build js

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/core/session"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// gallery is meshes/MANIFEST.json, as far as the page reads it.
type gallery struct {
	Default string
	Meshes  []galleryMesh
}

type galleryMesh struct {
	File, Title     string
	Vertices, Genus int
}

// name is what an address calls it.
func (g galleryMesh) name() string { return strings.TrimSuffix(g.File, path.Ext(g.File)) }

// fetch reads a file of this origin. Call it from a goroutine of its own.
func fetch(address string) ([]byte, error) {
	response, err := dom.Await(js.Global().Call("fetch", address))
	if err != nil {
		return nil, err
	}
	if !response.Get("ok").Bool() {
		return nil, fmt.Errorf("the server says %d %s", response.Get("status").Int(), response.Get("statusText").String())
	}
	buffer, err := dom.Await(response.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	return dom.Bytes(buffer), nil
}

func fetchJSON(address string, to any) error {
	b, err := fetch(address)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, to)
}

// openFirst opens what the address asks for, or the gallery's default.
func (p *page) openFirst() {
	manifest := fetchJSON("meshes/MANIFEST.json", &p.gallery)
	p.fillCards()
	if manifest != nil {
		p.scene.Fail("The gallery could not be read: " + manifest.Error())
	}
	search := dom.Window().Get("location").Get("search").String()
	if p.embedded {
		search = unframed(search)
	} else {
		if p.resume(search) {
			p.fillGenerators()
			return
		}
		p.newcomer = search == "" && p.lessonState() == nil
	}
	sn, err := session.ParseLink(search)
	if err == nil {
		err = p.openSession(sn)
	}
	if err != nil {
		_ = p.openSession(&session.Session{Level: -1}) // the default; that the address was wrong says more than why this fails too
		if errors.Is(err, errDeclined) {
			p.keeper.news = "Nothing was asked of the other host."
			return
		}
		p.scene.Fail("The address cannot be opened: " + err.Error() + ".")
	}
}

// openOther opens the gallery's default where the first mesh could not be opened, and says still why that was.
func (p *page) openOther() {
	st := p.scene.State()
	if st.Mesh.Name != "" || st.Error == "" || p.fellBack {
		return
	}
	p.fellBack = true
	go func() {
		if p.openSession(&session.Session{Level: -1}) == nil {
			p.scene.Fail(st.Error)
		}
	}()
}

// openSession opens a session's mesh, or the gallery's default where it names
// none, and shows it as the session says. Call it from a goroutine of its own.
func (p *page) openSession(sn *session.Session) error {
	if sn.Kind == "" && sn.File == nil {
		if sn.Mesh == "" {
			sn.Mesh = galleryMesh{File: p.gallery.Default}.name()
		}
		var err error
		if sn.File, err = p.fetchMesh(sn.Mesh, false); err != nil {
			return fmt.Errorf("%s: %w", sn.Mesh, err)
		}
	}
	return p.scene.OpenSession(sn)
}

// openReference opens what a person chose: a gallery mesh by its name, or a file by
// its address. Call it from a goroutine of its own.
func (p *page) openReference(reference string) {
	load, err := p.fetchMesh(reference, true)
	if err != nil {
		p.scene.Fail("Could not open " + reference + ": " + err.Error() + ".")
		return
	}
	p.scene.OpenFile(load.Name, load.Data, nil, reference)
}

// fetchMesh reads a gallery mesh or a file by its address. One of another host is asked for where the person has named that
// host, or says that it may be.
func (p *page) fetchMesh(reference string, named bool) (*job.Load, error) {
	address := reference
	if i := slices.IndexFunc(p.gallery.Meshes, func(g galleryMesh) bool { return g.name() == reference }); i >= 0 {
		address = "meshes/" + p.gallery.Meshes[i].File
	}
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	file := path.Base(u.Get("pathname").String())
	if decoded, err := url.PathUnescape(file); err == nil {
		file = decoded
	}
	var data []byte
	if u.Get("origin").Equal(dom.Window().Get("location").Get("origin")) {
		data, err = fetch(u.Get("href").String())
	} else {
		data, err = p.fetchElsewhere(u, file, named)
	}
	if err != nil {
		return nil, err
	}
	return &job.Load{Name: file, Data: data}, nil
}

// parse resolves an address against the page's.
func parse(address string) (u js.Value, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("not an address")
		}
	}()
	return js.Global().Get("URL").New(address, dom.Document().Get("baseURI")), nil
}

// maxFile bounds what is read into memory; the reader has finer limits.
const maxFile = 1 << 29

// formats are the endings of the files that hold a mesh or a graph; others may
// come with one, such as a glTF's buffers.
var formats = []string{".glb", ".gltf", ".obj", ".stl", ".ply", ".off", ".gr", ".csv", session.Extension}

// files connects everything that opens a mesh.
func (p *page) files() {
	input := p.id("file")
	p.click("open", func() { input.Call("click") })
	input.On("change", func(js.Value) {
		p.openFiles(input.Get("files"))
		input.Set("value", "") // the same file may be chosen again
	})

	window := dom.Window()
	over := func(e js.Value) bool {
		types := e.Get("dataTransfer")
		return types.Truthy() && types.Get("types").Call("includes", "Files").Bool()
	}
	dom.Capture(window, "dragover", func(e js.Value) {
		if over(e) {
			e.Call("preventDefault")
			p.id("drop").Show(true)
		}
	})
	dom.Capture(window, "dragleave", func(e js.Value) {
		if e.Get("relatedTarget").IsNull() {
			p.id("drop").Show(false)
		}
	})
	dom.Capture(window, "drop", func(e js.Value) {
		p.id("drop").Show(false)
		if over(e) {
			e.Call("preventDefault")
			e.Call("stopPropagation") // the canvas has a listener of its own
			p.openFiles(e.Get("dataTransfer").Get("files"))
		}
	})
	p.click("show-gallery", func() { p.dialog("gallery") })
	p.id("by-address").On("submit", func(e js.Value) {
		e.Call("preventDefault")
		p.id("gallery").Call("close")
		go p.openReference(strings.TrimSpace(p.id("mesh-address").Input()))
	})
	p.click("generate", p.generate)
	p.choose("generator", func(string) { p.fillParams() })
}

// openFiles opens the mesh of a FileList and hands the others over as
// what it may refer to. Where no name is a mesh's the engine looks at the first
// file and says what it is. A dialog that is open is closed: it would cover what is said.
func (p *page) openFiles(list js.Value) {
	open := dom.Document().Call("querySelectorAll", "dialog[open]")
	for i := range open.Length() {
		open.Index(i).Call("close")
	}
	var files []js.Value
	var meshes []string
	total, main := 0.0, 0
	for i := range list.Length() {
		f := list.Index(i)
		files = append(files, f)
		total += f.Get("size").Float()
		name := f.Get("name").String()
		ending := strings.ToLower(path.Ext(name))
		if slices.Contains(formats, ending) && (len(meshes) == 0 || ending != ".csv") { // a road table has two files
			if meshes = append(meshes, name); len(meshes) == 1 {
				main = i
			}
		}
	}
	switch {
	case len(files) == 0:
		return
	case len(meshes) > 1:
		p.scene.Fail(fmt.Sprintf("Could not open %s together: drop or choose one of them.", strings.Join(meshes, " and ")))
		return
	case total > maxFile:
		p.scene.Fail(fmt.Sprintf("Could not open %s: %s are more than the %s that the page takes.",
			files[main].Get("name").String(), quantity.Bytes(int64(total)), quantity.Bytes(maxFile)))
		return
	}
	go func() {
		var data []byte
		var others []job.File
		for i, f := range files {
			name := f.Get("name").String()
			buffer, err := dom.Await(f.Call("arrayBuffer"))
			if err != nil {
				p.scene.Fail("Could not read " + name + ": " + err.Error() + ".")
				return
			}
			if i == main {
				data = dom.Bytes(buffer)
			} else {
				others = append(others, job.File{Name: name, Data: dom.Bytes(buffer)})
			}
		}
		name := files[main].Get("name").String()
		if !session.Is(data) && strings.ToLower(path.Ext(name)) != session.Extension {
			p.scene.OpenFile(name, data, others, "")
			return
		}
		sn, err := session.Decode(data)
		if err == nil {
			err = p.openSession(sn)
		}
		if err != nil {
			p.scene.Fail("Could not open " + name + ": " + err.Error() + ".")
		}
	}()
}

// fillCards fills the gallery.
func (p *page) fillCards() {
	cards := p.id("cards").Clear()
	for _, g := range p.gallery.Meshes {
		card := dom.New("button", "").Attr("type", "button").Append(
			picture(g, "light"), picture(g, "dark"), dom.New("b", "").Text(g.Title), dom.New("span", "").Text(quantity.Count(g.Vertices)+" vertices"))
		if g.Genus >= 0 {
			card.Append(dom.New("span", "").Text("genus " + quantity.Count(g.Genus)))
		}
		card.On("click", func(js.Value) {
			p.id("gallery").Call("close")
			go p.openReference(g.name())
		})
		cards.Append(card)
	}
}

// picture is a card's, which is shown in one theme. It is fetched when it is seen.
func picture(g galleryMesh, theme string) *dom.Element {
	return dom.New("img", theme).Attr("alt", "").Attr("loading", "lazy").Attr("width", "304").Attr("height", "208").Attr("src", "meshes/"+g.name()+"-"+theme+".png")
}

// generator is a kind of mesh that the engine can make: see wasm/pack.
type generator struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Params      []generatorParam `json:"params"`
}

type generatorParam struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Integer bool    `json:"integer"`

	value float64
}

func (p *page) fillGenerators() {
	if err := fetchJSON("generators.json", &p.generators); err != nil {
		p.scene.Fail("The generators could not be read: " + err.Error())
		return
	}
	box := p.id("generator")
	for _, g := range p.generators {
		box.Append(dom.New("option", "").Attr("value", g.Name).Text(strings.ReplaceAll(g.Name, "-", " ")))
	}
	p.fillParams()
}

func (p *page) chosenGenerator() *generator {
	i := slices.IndexFunc(p.generators, func(g generator) bool { return g.Name == p.id("generator").Input() })
	if i < 0 {
		return nil
	}
	return &p.generators[i]
}

// fillParams makes a slider for every parameter of the chosen generator. One
// that spans more than two decades moves in decades.
func (p *page) fillParams() {
	g := p.chosenGenerator()
	if g == nil {
		return
	}
	p.text("generator-note", g.Description)
	box := p.id("generator-params").Clear()
	for i := range g.Params {
		q := &g.Params[i]
		q.value = q.Default
		id := "param-" + q.Name
		logarithmic := q.Min > 0 && q.Max/q.Min > 100
		to, from := func(x float64) float64 { return x }, func(x float64) float64 { return x }
		lo, hi := q.Min, q.Max
		step := (hi - lo) / 200
		if logarithmic {
			to, from = math.Log10, func(x float64) float64 { return math.Pow(10, x) }
			lo, hi = math.Log10(q.Min), math.Log10(q.Max)
			step = (hi - lo) / 400
		} else if q.Integer {
			step = 1
		}
		out := dom.New("output", "").Attr("for", id)
		say := func() { out.Text(quantity.Number(q.value) + " " + q.Unit) }
		say()
		slider := dom.New("input", "").Attr("type", "range").Attr("id", id).
			Attr("title", fmt.Sprintf("From %s to %s %s", quantity.Number(q.Min), quantity.Number(q.Max), q.Unit))
		slider.Number("min", lo).Number("max", hi).Attr("step", strconv.FormatFloat(step, 'g', 6, 64))
		slider.Set("value", to(q.value))
		slider.On("input", func(js.Value) {
			q.value = min(max(from(slider.InputNumber()), q.Min), q.Max)
			if q.Integer {
				q.value = math.Round(q.value)
			}
			say()
		})
		label := dom.New("label", "").Attr("for", id).Text(strings.ToUpper(q.Name[:1]) + q.Name[1:])
		box.Append(dom.New("div", "slider").Append(label, out, slider))
	}
}

func (p *page) generate() {
	g := p.chosenGenerator()
	if g == nil {
		return
	}
	params := make([]job.Param, len(g.Params))
	for i, q := range g.Params {
		params[i] = job.Param{Name: q.Name, Value: q.value}
	}
	p.id("gallery").Call("close")
	p.scene.OpenGenerated(g.Name, params)
}
