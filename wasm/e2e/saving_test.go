//go:build e2e && !js

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"genussink/core/meshio"
)

// downloads lets the page save files, and returns a function that waits for one.
func downloads(p *tab) (saved func(name string) []byte) {
	p.t.Helper()
	dir := p.t.TempDir()
	allowDownloads(p, dir)
	return func(name string) []byte {
		p.t.Helper()
		return p.saved(filepath.Join(dir, name))
	}
}

// saved waits for a file that the page saves, and returns what it holds.
func (p *tab) saved(file string) []byte {
	p.t.Helper()
	for end, shown := time.Now().Add(patience), 0.0; time.Now().Before(end); p.frames(1) {
		if now := eval[float64](p, "document.getElementById('saving-bar').value"); now != shown { // many pictures take long
			end, shown = time.Now().Add(patience), now
		}
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return data // the browser renames it once it is whole
		}
	}
	p.t.Fatalf("%s was not saved; the page says %q", filepath.Base(file), p.alert())
	return nil
}

// saveMesh saves the mesh in a format.
func (p *tab) saveMesh(format string) {
	p.t.Helper()
	p.set("Mesh format", format)
	p.press("Save mesh")
}

// enabled is a script that is true while the button with an accessible name can be pressed.
func enabled(name string) string {
	return fmt.Sprintf("[...document.querySelectorAll('button')].some((b) => b.textContent.trim() === %q && !b.disabled)", name)
}

// A picture has as many pixels as were chosen, with or without a ground.
func TestSavePicture(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	saved := downloads(p)
	canvas := eval[spot](p, "(({width, height}) => ({X: width, Y: height}))(document.querySelector('canvas'))")
	p.press("Save")
	p.picture("saving")
	picture := func(times int) image.Image {
		p.set("Picture size", strconv.Itoa(times))
		p.press("Save picture")
		m, err := png.Decode(bytes.NewReader(saved("cat.png")))
		if err != nil {
			t.Fatal(err)
		}
		if want := image.Pt(times*int(canvas.X), times*int(canvas.Y)); m.Bounds().Max != want {
			t.Errorf("%d times the size is %v, want %v", times, m.Bounds().Max, want)
		}
		return m
	}
	one := picture(1)
	if _, _, _, a := one.At(1, 1).RGBA(); a != 0xffff {
		t.Error("the background is transparent where it is to be as shown")
	}
	saved = downloads(p)
	picture(3)
	saved = downloads(p)
	p.set("Background", "none")
	four := picture(4)
	through, solid := 0, 0
	for y := 0; y < four.Bounds().Dy(); y += 4 {
		for x := 0; x < four.Bounds().Dx(); x += 4 {
			switch _, _, _, a := four.At(x, y).RGBA(); a {
			case 0:
				through++
			case 0xffff:
				solid++
			}
		}
	}
	if total := int(canvas.X * canvas.Y); through < total/4 || solid < total/50 {
		t.Errorf("of %d pixels %d are transparent and %d are not", total, through, solid)
	}
}

// More pixels than the graphics have are refused in words.
func TestPictureTooLarge(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	eval[int](p, "genussinkGraphics.largest = 1000")
	p.press("Save")
	p.set("Picture size", "4")
	p.until("!" + enabled("Save picture"))
	if note := p.text("picture-note"); !strings.Contains(note, "at most 1") || !strings.Contains(note, "smaller size") {
		t.Errorf("of a picture that is too large: %q", note)
	}
	p.set("Picture size", "1")
	p.until(enabled("Save picture"))
}

// Our own reader and three.js read the files that the page saves. The values are the tool's.
func TestSaveMesh(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat&level=2&eps=0.05", small)
	s := p.settled()
	saved := downloads(p)
	p.press("Save")
	if note := p.text("mesh-note"); !strings.Contains(note, "source, target, displacement and cell at level 2") {
		t.Errorf("what is known: %q", note)
	}
	dir := t.TempDir()
	for _, format := range []string{"glb", "ply"} {
		p.saveMesh(format)
		data := saved("cat." + format)
		if err := os.WriteFile(filepath.Join(dir, "cat."+format), data, 0o644); err != nil {
			t.Fatal(err)
		}
		back, err := meshio.Read("cat."+format, bytes.NewReader(data), meshio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(back.Mesh.Positions) != s.Mesh.Vertices || len(back.Mesh.Faces) != s.Mesh.Faces || len(back.Warnings) > 0 {
			t.Errorf("%s: %d vertices, %d faces, %q; the page has %d and %d", format, len(back.Mesh.Positions), len(back.Mesh.Faces), back.Warnings, s.Mesh.Vertices, s.Mesh.Faces)
		}
	}
	p.press("Vertices (CSV)")
	ours := table(t, saved("cat.csv"))
	out := filepath.Join(dir, "tool.csv")
	tool(t, "export", gallery("cat.glb"), "-method", "exact", "-epsilon", "0.05", "-level", "2", "-out", out)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	theirs := table(t, data)
	if strings.Join(ours[0], ",") != strings.Join(theirs[0], ",") || len(ours) != len(theirs) {
		t.Fatalf("%d lines below %v, the tool has %d below %v", len(ours), ours[0], len(theirs), theirs[0])
	}
	readByThree(t, dir, s.Mesh.Faces, ours)
	for v := range ours[1:] {
		for k, name := range ours[0] {
			x, errX := strconv.ParseFloat(ours[v+1][k], 64)
			y, errY := strconv.ParseFloat(theirs[v+1][k], 64)
			if errX != nil || errY != nil || math.Abs(x-y) > 1e-6*math.Abs(y)+1e-7*s.Mesh.Diagonal {
				t.Fatalf("%s of vertex %d is %s, the tool says %s", name, v, ours[v+1][k], theirs[v+1][k])
			}
		}
	}
}

// readByThree has three.js read cat.glb and cat.ply in a folder. It compares every number with a table of the same vertices.
func readByThree(t *testing.T, dir string, faces int, table [][]string) {
	t.Helper()
	script, err := os.Open("testdata/three.mjs")
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	node := exec.Command("node", "--input-type=module", "-", filepath.Join(dir, "cat.glb"), filepath.Join(dir, "cat.ply"))
	node.Dir, node.Stdin, node.Stderr = fetched(t, "three-*"), script, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		Faces      int
		Attributes map[string][]float64
	}
	if err := json.Unmarshal(out, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	columns := map[string][]string{
		"position": {"x", "y", "z"}, "_displacement": {"displacement_x", "displacement_y", "displacement_z"},
		"_source": {"source"}, "_target": {"target"}, "_cell": {"cell"},
	}
	for format, file := range files {
		if file.Faces != faces {
			t.Errorf("three.js finds %d faces in the %s, want %d", file.Faces, format, faces)
		}
		if n := len(file.Attributes["color"]); n != 3*(len(table)-1) {
			t.Errorf("%d numbers of colours in the %s", n, format)
		}
		for name, parts := range columns {
			values := file.Attributes[name]
			if len(values) != len(parts)*(len(table)-1) {
				t.Fatalf("%d numbers of %s in the %s", len(values), name, format)
			}
			for k, part := range parts {
				column := slices.Index(table[0], part)
				for v, row := range table[1:] {
					want, err := strconv.ParseFloat(row[column], 64)
					if got := values[v*len(parts)+k]; err != nil || math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
						t.Fatalf("%s of vertex %d is %g in the %s, in the table %s", part, v, got, format, row[column])
					}
				}
			}
		}
	}
}

// Each figure stands alone: an image that a browser draws, with the light theme's colours also where the page is dark.
func TestSaveFigures(t *testing.T) {
	t.Parallel()
	p := open(t, "?make=torus&p.segments=24&p.sides=8", wide, emulate("dark"))
	p.settled()
	saved := downloads(p)
	p.press("Save")
	if note := p.text("figure-note"); !strings.Contains(note, "ask for it in Separators") || !strings.Contains(note, "inspect the mesh first") {
		t.Errorf("what cannot be had: %q", note)
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	p.press("Size against balance")
	p.wait("s.separation.swept")
	p.press("Find treewidth")
	p.wait("s.treewidth.known")
	p.press("Inspect mesh")
	p.wait("s.findings.known")
	p.press("Save")
	p.frames(2)
	p.picture("saving-dark")
	for button, parts := range map[string]string{
		"Separator tree": "circle", "Size against balance": "path", "Marginal error": "polyline", "Treewidth bounds": "line", "Histogram": "rect",
	} {
		p.press(button + " (SVG)")
		data := saved("torus-" + strings.ToLower(strings.ReplaceAll(button, " ", "-")) + ".svg")
		if err := os.WriteFile(filepath.Join(root, "build/e2e", "figure-"+strings.ToLower(strings.ReplaceAll(button, " ", "-"))+".svg"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("var(")) || bytes.Contains(data, []byte("class=")) || !bytes.Contains(data, []byte("<"+parts+" ")) {
			t.Errorf("%s does not stand alone, or has no %s: %.400s", button, parts, data)
		}
		// How light the corner is, and how many pixels differ from it.
		drawn := eval[struct{ Width, Corner, Others int }](p, fmt.Sprintf(`(async () => {
			const image = new Image();
			image.src = URL.createObjectURL(new Blob([%q], { type: 'image/svg+xml' }));
			await image.decode();
			const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
			const pen = canvas.getContext('2d');
			pen.drawImage(image, 0, 0);
			const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
			let Others = 0;
			for (let i = 0; i < data.length; i += 4) Others += Math.abs(data[i] - data[0]) > 8;
			return { Width: image.naturalWidth, Corner: data[0], Others };
		})()`, data))
		if drawn.Width < 272 || drawn.Corner < 200 || drawn.Others < 500 {
			t.Errorf("%s as an image: %+v", button, drawn)
		}
	}
}

// A gif decodes: it is as wide as chosen, has its frames, and they differ. What was shown before is shown after.
func TestSaveGIF(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	p.settled()
	p.set("Playback position", "0.3")
	p.frames(3)
	p.camera(0, "")
	pose := eval[string](p, "new URLSearchParams(location.search).get('cam')")
	p.press("Separators") // where no mass is seen: the transport shows it
	for _, what := range []string{"transport", "turn"} {
		saved := downloads(p)
		p.press("Save")
		p.set("Animation of", what)
		p.set("GIF width", "320")
		p.press("Save animation")
		g, err := gif.DecodeAll(bytes.NewReader(saved("cat.gif")))
		if err != nil {
			t.Fatal(err)
		}
		moved := 0
		for _, m := range g.Image[1:] {
			if m.Bounds().Dx() > 20 {
				moved++
			}
		}
		if g.Config.Width != 320 || len(g.Image) != 60 || moved < 30 || g.Delay[0] != 10 || g.LoopCount != 0 {
			t.Errorf("%s: %d frames of %d pixels, %d differ, %d hundredths", what, len(g.Image), g.Config.Width, moved, g.Delay[0])
		}
		p.do(chromedp.KeyEvent(kb.Escape))
		if s := p.wait("!s.exporting && s.playback.position == 0.3"); s.Playback.Playing {
			t.Error("it plays, and did not before")
		}
	}
	p.frames(60)
	if now := eval[string](p, "new URLSearchParams(location.search).get('cam')"); now != pose {
		t.Errorf("the camera stands at %s, before %s", now, pose)
	}
	p.press("Save")
	p.press("Save animation")
	p.press("Stop saving")
	p.until(enabled("Save animation"))
	p.press("Save animation")
	p.until("document.getElementById('stop-saving').checkVisibility()")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until("!document.getElementById('saving').open && document.getElementById('status').textContent == 'The animation stopped: nothing was saved.'")
}

// A video is what a browser plays. Where it cannot be recorded the dialog says so.
func TestSaveVideo(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat&speed=1", small)
	p.settled()
	p.press("Save")
	p.set("Format", "webm")
	elsewhere := openAt(t, "about:blank", small) // the page's policy has no media
	for _, of := range []string{"transport", "turn"} {
		saved := downloads(p)
		p.set("Animation of", of)
		p.press("Save animation")
		p.frames(10)
		p.picture("saving-video-" + of)
		data := saved("cat.webm")
		if !bytes.HasPrefix(data, []byte{0x1a, 0x45, 0xdf, 0xa3}) {
			t.Errorf("%s: no EBML header: % x", of, data[:min(len(data), 16)])
		}
		// The browser's own player reads it: it plays to its end, and the picture changes on the way.
		played := eval[struct{ Width, Height, At, Changed float64 }](elsewhere, fmt.Sprintf(`(async () => {
			const video = document.createElement('video'), canvas = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
			video.muted = true;
			video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], { type: 'video/webm' }));
			const look = () => { canvas.drawImage(video, 0, 0, 64, 64); return canvas.getImageData(0, 0, 64, 64).data; };
			await video.play();
			const first = look();
			let changed = 0;
			const differ = () => { const now = look(); changed = Math.max(changed, first.filter((x, i) => Math.abs(x - now[i]) > 24).length / first.length); };
			const timer = setInterval(differ, 200);
			await new Promise((done) => video.addEventListener('ended', done));
			clearInterval(timer);
			return { Width: video.videoWidth, Height: video.videoHeight, At: video.currentTime, Changed: changed };
		})()`, base64.StdEncoding.EncodeToString(data)))
		if played.Width < 100 || played.Height < 100 || played.At < 3 || played.At > 12 { // a busy machine begins to record a second late
			t.Errorf("%s: played to %.2f s, %g by %g pixels; want 6 s", of, played.At, played.Width, played.Height)
		}
		if played.Changed < 0.01 {
			t.Errorf("%s: of the first picture %.2g has changed at most", of, played.Changed)
		}
	}
	eval[bool](p, "delete globalThis.MediaRecorder")
	p.set("Format", "gif")
	p.set("Format", "webm")
	p.until("!" + enabled("Save animation"))
	if note := p.text("animation-note"); !strings.Contains(note, "choose GIF") {
		t.Errorf("without a recorder: %q", note)
	}
}

// The line that is copied gives the page's cost with the tool, and a picture and a mesh.
func TestCopyCommand(t *testing.T) {
	t.Parallel()
	run := func(dir, line string) []byte {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(root, "build")+":"+os.Getenv("PATH"))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, &stderr)
		}
		return out
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for query, file := range map[string]string{
		"?mesh=cat&eps=0.05&method=certified&delta=0.02": "cat.glb", "?make=torus&p.segments=40&p.sides=20&eps=0.05": "", "?mesh=swan&eps=0.05": "swan.genussink",
	} {
		p := open(t, query, small, onNewDocument("navigator.clipboard.writeText = (text) => (globalThis.copied = text, Promise.resolve())"))
		s := p.settled()
		dir := t.TempDir()
		switch {
		case strings.HasSuffix(file, ".genussink"): // what is painted comes by the session
			saved := downloads(p)
			p.press("Swap")
			p.wait("s.densities.preset == ''")
			s = p.settled()
			p.unfold("Session")
			p.press("Save session file")
			write(filepath.Join(dir, file), saved(file))
		case file != "":
			data, err := os.ReadFile(gallery(file))
			if err != nil {
				t.Fatal(err)
			}
			write(filepath.Join(dir, file), data)
		}
		p.press("Save")
		p.press("Copy command")
		line := eval[string](p, "copied")
		if line != p.text("command-line") {
			t.Errorf("copied was %q", line)
		}
		if note := p.text("command-note"); strings.Contains(note, "save the session file swan.genussink") != (file == "swan.genussink") {
			t.Errorf("%s needs: %q", line, note)
		}
		var solved struct{ Cost float64 }
		out := run(dir, line+" -json")
		if err := json.Unmarshal(out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:], &solved); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if want := s.Transport.Result.Cost; math.Abs(solved.Cost-want) > 1e-6*want {
			t.Errorf("%s costs %g, on the page %g", line, solved.Cost, want)
		}
		p.set("Command for", "picture")
		run(dir, p.text("command-line"))
		p.set("Command for", "export")
		run(dir, p.text("command-line"))
		for _, pattern := range []string{"*-shown.png", "*-shown.glb"} {
			if found, err := filepath.Glob(filepath.Join(dir, pattern)); err != nil || len(found) != 1 {
				t.Errorf("%s: %v, %v", pattern, found, err)
			}
		}
	}
}

func table(t *testing.T, data []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d lines, %v", len(rows), err)
	}
	return rows
}

// What is not there yet is disabled, and the dialog says why.
func TestSaveData(t *testing.T) {
	t.Parallel()
	p := open(t, "?mesh=cat", small)
	s := p.settled()
	saved := downloads(p)
	p.press("Save")
	if note := p.text("data-note"); !strings.Contains(note, "Decomposition: find the treewidth") || !strings.Contains(note, "Partners: click a vertex") {
		t.Errorf("what cannot be had: %q", note)
	}
	for _, name := range []string{"Partners (CSV)", "Decomposition (.td)"} {
		if eval[bool](p, enabled(name)) {
			t.Errorf("%s is enabled, and there is none", name)
		}
	}
	for button, file := range map[string]string{"Densities (CSV)": "densities", "Potentials (CSV)": "potentials", "Separation (CSV)": "separation"} {
		p.press(button)
		if rows := table(t, saved("cat-"+file+".csv")); len(rows) != s.Mesh.Vertices+1 {
			t.Errorf("%s: %d lines for %d vertices", button, len(rows), s.Mesh.Vertices)
		}
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	vertex := p.find(0.5, 0.5)
	p.mouse(chromedp.MousePressed, vertex, 1)
	p.mouse(chromedp.MouseReleased, vertex, 0)
	if h := p.wait("s.hover?.focused && s.hover.partners.length > 0").Hover; h != nil {
		p.press("Save")
		p.press("Partners (CSV)")
		rows := table(t, saved(fmt.Sprintf("cat-partners-%d.csv", h.Vertex)))
		if len(rows) != len(h.Partners)+1 || rows[1][1] != strconv.Itoa(int(h.Partners[0].Vertex)) {
			t.Errorf("partners %v, want %v", rows, h.Partners)
		}
	}
	p.press("Timings (JSON)")
	var timings struct{ Result struct{ Cost float64 } }
	if err := json.Unmarshal(saved("cat-timings.json"), &timings); err != nil || timings.Result.Cost != s.Transport.Result.Cost {
		t.Errorf("timings of a cost of %g, %v; want %g", timings.Result.Cost, err, s.Transport.Result.Cost)
	}
	p.press("Vertices (JSON)")
	var all struct {
		Vertices int
		Source   []float64
	}
	if err := json.Unmarshal(saved("cat.json"), &all); err != nil || all.Vertices != s.Mesh.Vertices || len(all.Source) != s.Mesh.Vertices {
		t.Errorf("%d vertices, %d of the source, %v", all.Vertices, len(all.Source), err)
	}
	p.resize(phone)
	p.frames(3)
	p.picture("saving-narrow")
	if wide := eval[float64](p, "document.getElementById('saving').scrollWidth"); wide > float64(phone.width) {
		t.Errorf("the dialog is %g wide on a screen of %d", wide, phone.width)
	}
}
