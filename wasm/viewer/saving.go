//go:build js

package main

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/viewer/app"
	"genussink/viewer/scene"
	"genussink/viewer/still"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// savings connects the dialog in which everything is saved.
func (p *page) savings() {
	p.click("save", func() {
		p.scene.Dismiss()
		p.dialog("saving")
		p.showSaving(p.scene.State())
		p.showCommand()
	})
	p.id("picture-size").On("change", func(js.Value) { p.showSaving(p.scene.State()) })
	p.choose("mesh-format", func(string) { p.showCommand() })
	p.choose("command-verb", func(string) { p.showCommand() })
	p.click("copy-command", func() { p.copyCommand("command-line") })
	p.click("save-picture", p.savePicture)
	p.click("save-mesh", func() { p.scene.Export(p.id("mesh-format").Input()) })
	p.animations()
	p.fillDrawings()
	p.click("save-csv", func() { p.scene.Export("csv") })
	p.click("save-json", func() { p.scene.Export("json") })
	p.click("save-densities", p.saveDensities)
	p.click("save-potentials", p.savePotentials)
	p.click("save-separation", p.saveSeparation)
	p.click("save-partners", p.savePartners)
	p.click("save-decomposition", p.saveDecomposition)
	p.click("save-timings", p.saveTimings)
}

// showSaving says what can be had, and why the rest cannot.
func (p *page) showSaving(st scene.State) {
	if !p.id("saving").Get("open").Bool() {
		return
	}
	if st.Error != "" { // the alert is behind the dialog
		p.id("saving").Call("close")
		return
	}
	shot, tooLarge := p.shot()
	p.allow("picture-note", choice{"save-picture", tooLarge})
	if tooLarge == "" {
		p.text("picture-note", fmt.Sprintf("%s × %s pixels", quantity.Count(shot.Width), quantity.Count(shot.Height)))
	}

	var noFaces, noDensities, noPlan, noTree, noPartners, noBags string
	if st.Mesh.Graph {
		noFaces = "A graph without faces is no mesh: save its vertices."
	}
	if st.Densities.Source == 0 && st.Densities.Target == 0 {
		noDensities = "Densities: none are painted."
	}
	if st.Transport.Result == nil {
		noPlan = "Potentials: nothing is solved yet."
	}
	if st.Separation.Nodes == 0 {
		noTree = "Separation: there is no separator tree yet."
	}
	if st.Hover == nil || len(st.Hover.Partners) == 0 {
		noPartners = "Partners: click a vertex that has mass, first."
	}
	if st.Treewidth.Bags == 0 {
		noBags = "Decomposition: find the treewidth first."
	}
	p.allow("mesh-note", choice{"save-mesh", noFaces})
	if noFaces == "" {
		p.text("mesh-note", "With "+whatIsKnown(st)+" of every vertex, and the colours shown.")
	}
	p.showAnimation(st)
	p.showDrawings(st)
	p.allow("data-note", choice{"save-csv", ""}, choice{"save-json", ""}, choice{"save-densities", noDensities}, choice{"save-potentials", noPlan},
		choice{"save-separation", noTree}, choice{"save-partners", noPartners}, choice{"save-decomposition", noBags}, choice{"save-timings", ""})
}

// showCommand shows the tool's line for what is shown now.
func (p *page) showCommand() {
	w, h := p.game.Size()
	if w == 0 { // no picture here: the tool's own size
		w, h = 1200, 900
	}
	// How large the mesh would be if it were fitted to the picture.
	camera := p.scene.View.Camera()
	pose := camera.Goal()
	still.Frame(p.scene, w, h, 1)
	look := scene.Look{Width: w, Height: h, Zoom: camera.Pose().Size / pose.Size}
	camera.Set(pose)
	line, needs := p.scene.Command(p.id("command-verb").Input(), p.id("mesh-format").Input(), look)
	code := p.id("command-line").Clear()
	for _, word := range strings.SplitAfter(line, " ") { // browsers break lines behind a hyphen
		code.Append(dom.New("span", "word").Text(word))
	}
	p.text("command-note", needs)
}

// whatIsKnown lists what a file of the mesh says of every vertex.
func whatIsKnown(st scene.State) string {
	words := []string{"source", "target"}
	if st.Transport.Result != nil && !st.Transport.Stale {
		words = append(words, "displacement")
	}
	if st.Separation.Nodes > 0 {
		words = append(words, fmt.Sprintf("cell at level %d", st.Separation.Level))
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// choice is a button, and why it cannot be pressed; "": it can.
type choice struct{ id, why string }

// allow enables buttons, and says why the others are not.
func (p *page) allow(note string, buttons ...choice) {
	var why []string
	for _, b := range buttons {
		p.id(b.id).Enable(b.why == "")
		if b.why != "" {
			why = append(why, b.why)
		}
	}
	p.text(note, strings.Join(why, " "))
}

// The most pixels that a picture is drawn finer with; the processor takes a second for some millions.
const (
	mostPixels         = 40e6
	mostSoftwarePixels = 5e6
)

// largest is the most pixels on a side of what the browser's graphics draw; without graphics there are none.
func largest() int { return js.Global().Get("genussinkGraphics").Get("largest").Int() }

// drawn says later whether the browser's graphics have done what they were asked for by now.
func drawn() func() bool {
	fence := js.Global().Get("genussinkGraphics").Call("fence")
	return func() bool { return fence.Invoke().Bool() }
}

// shot is the picture that is asked for, and why it cannot be had.
func (p *page) shot() (s app.Shot, why string) {
	times := 1
	if n, err := strconv.Atoi(p.id("picture-size").Input()); err == nil {
		times = n
	}
	w, h := p.game.Size()
	s = app.Shot{Width: times * w, Height: times * h, Finer: 1, Clear: p.id("picture-ground").Input() == "none"}
	most, fine := largest(), mostPixels
	if p.scene.View.Looks().Software {
		fine = mostSoftwarePixels
	}
	switch {
	case w == 0 || most == 0:
		return s, "There is no picture: this browser has no graphics."
	case max(s.Width, s.Height) > most:
		return s, fmt.Sprintf("%s × %s pixels are too many: this browser’s graphics have at most %s on a side. Choose a smaller size.",
			quantity.Count(s.Width), quantity.Count(s.Height), quantity.Count(most))
	case 2*max(s.Width, s.Height) <= most && float64(4*s.Width*s.Height) <= fine:
		s.Finer = 2
	}
	return s, ""
}

// copyCommand copies the command that an element shows.
func (p *page) copyCommand(id string) {
	p.copy(p.id(id).Get("textContent").String(), "The command was copied.")
}

// savePicture draws a picture, its labels too, and has the browser write it as a PNG.
func (p *page) savePicture() {
	s, why := p.shot()
	if why != "" {
		p.scene.Fail(why)
		return
	}
	name := p.base() + ".png"
	p.game.Picture(s, func(m *image.RGBA) {
		canvas := dom.New("canvas", "")
		canvas.Set("width", s.Width)
		canvas.Set("height", s.Height)
		context := canvas.Call("getContext", "2d", map[string]any{"willReadFrequently": true}) // not by the graphics, which would be waited for
		context.Call("putImageData", imageData(m), 0, 0)
		p.drawLabels(context, float64(s.Width)/p.id("labels").Get("clientWidth").Float())
		canvas.Call("toBlob", dom.Once(func(args []js.Value) {
			if args[0].IsNull() {
				p.scene.Fail(fmt.Sprintf("The browser could not write a picture of %s × %s pixels: choose a smaller size.", quantity.Count(s.Width), quantity.Count(s.Height)))
				return
			}
			p.downloadBlob(name, args[0])
			p.say(name + " is saved.")
		}), "image/png")
	})
}

// imageData is a picture as the browser has it: its colours not multiplied by its opacity.
func imageData(m *image.RGBA) js.Value {
	for i := 0; i+3 < len(m.Pix); i += 4 {
		if a := int(m.Pix[i+3]); a != 0 && a != 255 {
			for c, x := range m.Pix[i : i+3] {
				m.Pix[i+c] = uint8(min((255*int(x)+a/2)/a, 255))
			}
		}
	}
	data := js.Global().Get("Uint8ClampedArray").New(len(m.Pix))
	js.CopyBytesToJS(data, m.Pix)
	return js.Global().Get("ImageData").New(data, m.Rect.Dx(), m.Rect.Dy())
}

// mediaTypes are those of files that the engine writes.
var mediaTypes = map[string]string{"glb": "model/gltf-binary", "ply": "application/octet-stream", "csv": "text/csv", "json": "application/json", "gif": "image/gif"}

// takeExported saves a file that the engine has written.
func (p *page) takeExported() {
	if file := p.scene.Exported(); file != nil {
		name := p.base() + "." + file.Format
		p.download(name, mediaTypes[file.Format], file.Data)
		p.say(name + " is saved.")
	}
}
