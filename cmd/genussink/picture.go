package main

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"genussink/core/animation"
	"genussink/internal/decimal"
	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/scene"
	"genussink/viewer/still"
)

func pictureCommand() command {
	return command{
		name: "picture", args: "MESH ...", count: 1, more: true,
		summary: "Draw a mesh as the page shows it, without a browser.\n" +
			"-what says what the colours mean. Densities are those of solve; the paper's pair where none are named. Epsilon and method are the page's, unless given.\n" +
			"The extension of -out chooses the format: a .png is one picture, a .gif an animation: the transport or, with -turntable, a turn around the mesh.\n" +
			"Several meshes make a sheet with a picture and a name of each.",
		example: "picture bunny.obj -what transport -position 0.4 -theme light -out bunny.png",
		outputs: []string{"out"},
		setup: func(fs *flag.FlagSet) func(*call) error {
			p := pictureFlags{}
			p.declare(fs)
			fs.StringVar(&p.out, "out", "", "file to write, .png or .gif")
			fs.Var(&p.size, "size", "width and height in pixels, such as 1200x900; of several meshes the size of each; by default 1200x900, of an animation 480x360, of a sheet 400x320")
			fs.Float64Var(&p.scale, "scale", 1, "pixels for every one of -size, 1 to 4: lines and letters grow with the picture")
			fs.IntVar(&p.samples, "samples", 3, "samples per pixel and axis, 1 to 4, against steps in outlines")
			fs.Float64Var(&p.azimuth, "azimuth", math.Round(camera.Home().Yaw*180/math.Pi), "where the camera stands, in degrees around the upward axis; 0, with -elevation 0, looks straight onto a flat mesh")
			fs.Float64Var(&p.elevation, "elevation", math.Round(camera.Home().Pitch*180/math.Pi), "how high the camera stands, in degrees, -89 to 89")
			fs.Float64Var(&p.zoom, "zoom", 1, "1 fits the mesh to the picture; 2 is twice as large; 0.1 to 100")
			fs.StringVar(&p.up, "up", "y", "the mesh's axis that points up: x, y or z")
			fs.BoolVar(&p.wire, "wireframe", false, "with the edges of the faces")
			fs.BoolVar(&p.flat, "flat", false, "with one normal a face, instead of smooth shading")
			fs.BoolVar(&p.hidden, "hidden", false, "with the lines that the mesh hides, dashed and faint")
			fs.BoolVar(&p.orthographic, "orthographic", false, "without perspective")
			fs.Var(&p.section, "section", "cut the mesh across x, y, z or view (the direction of view), at a share of its extent, such as x:0.5: what lies between the plane and the camera is left out")
			fs.Float64Var(&p.position, "position", 0.5, "-what transport: where the mass is, 0 at the source to 1 at the target")
			fs.StringVar(&p.mass, "mass", string(scene.MassParticles), "-what transport: how the mass is shown: particles or density")
			fs.BoolVar(&p.arrows, "arrows", false, "-what transport: with arrows of the net flow of mass")
			fs.IntVar(&p.turntable, "turntable", 0, "a .gif of a whole turn: how many frames, 2 to 360")
			fs.IntVar(&p.frames, "frames", 60, "a .gif of the transport: how many frames, 2 to 360")
			fs.Float64Var(&p.seconds, "seconds", scene.PlaySeconds, "a .gif: how long it takes, 0.1 to 120")
			return func(c *call) error { return picture(c, &p) }
		},
	}
}

type pictureFlags struct {
	viewFlags
	out                string
	size               pixels
	scale              float64
	samples            int
	azimuth, elevation float64
	zoom               float64
	up                 string
	wire, flat, hidden bool
	orthographic       bool
	section            section
	position           float64
	mass               string
	arrows             bool
	turntable, frames  int
	seconds            float64

	turned     bool  // the camera's place was typed
	unfinished error // of a plan that has not converged
	notes      []string
}

// pixels is the value of -size.
type pixels struct{ width, height int }

func (p *pixels) String() string {
	if p.width == 0 {
		return ""
	}
	return fmt.Sprintf("%dx%d", p.width, p.height)
}

// section is the value of -section.
type section scene.SectionState

func (s *section) String() string {
	if s.Axis == "" {
		return ""
	}
	return s.Axis + ":" + strconv.FormatFloat(s.Position, 'g', -1, 64)
}

func (s *section) Set(text string) error {
	axis, at, ok := strings.Cut(text, ":")
	position, number := decimal.Float([]byte(at))
	if known := axis == "x" || axis == "y" || axis == "z" || axis == "view"; !ok || !known || !number || !(position >= 0 && position <= 1) {
		return fmt.Errorf("want x, y, z or view, a colon and a number from 0 to 1, such as x:0.5")
	}
	*s = section{axis, position}
	return nil
}

// Limits of pictures.
const (
	leastSide   = 16
	mostSide    = 8192
	mostSamples = 80e6 // of 12 bytes each
)

func (p *pixels) Set(s string) error {
	w, h, ok := strings.Cut(s, "x")
	width, errW := strconv.ParseUint(w, 10, 31)
	height, errH := strconv.ParseUint(h, 10, 31)
	if !ok || errW != nil || errH != nil || width == 0 || height == 0 {
		return fmt.Errorf("want a width and a height such as 1200x900")
	}
	*p = pixels{int(width), int(height)}
	return nil
}

func (p *pictureFlags) check(c *call) error {
	p.turned = false
	c.flags.Visit(func(f *flag.Flag) { p.turned = p.turned || f.Name == "azimuth" || f.Name == "elevation" })
	format := strings.ToLower(filepath.Ext(p.out))
	moves := p.what == "transport"
	if p.size.width == 0 {
		switch {
		case len(c.args) > 1:
			p.size = pixels{400, 320}
		case format == ".gif":
			p.size = pixels{480, 360}
		default:
			p.size = pixels{1200, 900}
		}
	}
	switch {
	case p.out == "":
		return usagef("needs -out FILE")
	case format != ".png" && format != ".gif":
		return usagef("-out %s: the extension must be .png or .gif", p.out)
	case format == ".gif" && len(c.args) > 1:
		return usagef("-out %s: a .gif shows one mesh, several make a .png", p.out)
	case format == ".gif" && !moves && p.turntable == 0:
		return usagef("-out %s: a .gif needs -what transport or -turntable FRAMES", p.out)
	case format == ".png" && p.turntable != 0:
		return usagef("-turntable %d: needs a .gif", p.turntable)
	case len(c.args) > 1 && (p.source != "" || p.target != "" || p.field != ""):
		return usagef("-source, -target and -field need a single mesh")
	case !(p.scale >= 1 && p.scale <= 4):
		return usagef("-scale %g: must be 1 to 4", p.scale)
	case p.samples < 1 || p.samples > 4:
		return usagef("-samples %d: must be 1 to 4", p.samples)
	case !(math.Abs(p.azimuth) <= 3600):
		return usagef("-azimuth %g: must be within 3600 degrees", p.azimuth)
	case !(math.Abs(p.elevation) <= 89):
		return usagef("-elevation %g: must be -89 to 89", p.elevation)
	case !(p.zoom >= 0.1 && p.zoom <= 100):
		return usagef("-zoom %g: must be 0.1 to 100", p.zoom)
	case p.up != "x" && p.up != "y" && p.up != "z":
		return usagef("-up %s: must be x, y or z", p.up)
	case !(p.position >= 0 && p.position <= 1):
		return usagef("-position %g: must be 0 to 1", p.position)
	case p.mass != string(scene.MassParticles) && p.mass != string(scene.MassDensity):
		return usagef("-mass %s: must be %s or %s", p.mass, scene.MassParticles, scene.MassDensity)
	case p.arrows && !moves:
		return usagef("-arrows needs -what transport")
	case p.turntable != 0 && (p.turntable < 2 || p.turntable > 360):
		return usagef("-turntable %d: must be 2 to 360", p.turntable)
	case p.frames < 2 || p.frames > 360:
		return usagef("-frames %d: must be 2 to 360", p.frames)
	case !(p.seconds >= 0.1 && p.seconds <= 120):
		return usagef("-seconds %g: must be 0.1 to 120", p.seconds)
	}
	width, height := p.pixels()
	if min(width, height) < leastSide || max(width, height) > mostSide {
		return usagef("-size %v -scale %g: a picture of %d by %d pixels; width and height must be %d to %d", &p.size, p.scale, width, height, leastSide, mostSide)
	}
	if n := float64(width*p.samples) * float64(height*p.samples); n > mostSamples {
		return usagef("-size %v -scale %g -samples %d: %.0f million samples, at most %.0f million; fewer -samples may help", &p.size, p.scale, p.samples, n/1e6, mostSamples/1e6)
	}
	if err := p.viewFlags.check(); err != nil {
		return err
	}
	return p.unseen(c, format == ".gif")
}

// unseen returns an error if a typed flag has no effect on this picture.
func (p *pictureFlags) unseen(c *call, animated bool) (err error) {
	c.flags.Visit(func(f *flag.Flag) {
		seen, only := true, ""
		switch f.Name {
		case "frames":
			seen, only = animated && p.turntable == 0, "a .gif of the transport"
		case "seconds":
			seen, only = animated, "a .gif"
		case "search":
			seen, only = p.what == "bag" || p.what == "elimination", "-what bag or elimination"
		}
		if !seen {
			err = usagef("-%s is not seen here: it needs %s", f.Name, only)
		}
	})
	return err
}

// pixels is the size of a picture of one mesh.
func (p *pictureFlags) pixels() (width, height int) {
	return int(math.Round(float64(p.size.width) * p.scale)), int(math.Round(float64(p.size.height) * p.scale))
}

func (p *pictureFlags) light() colormap.Theme {
	if p.theme == "light" {
		return colormap.Light
	}
	return colormap.Dark
}

func picture(c *call, p *pictureFlags) error {
	if err := p.check(c); err != nil {
		return err
	}
	files := c.args
	var tiles []*image.RGBA
	var vertices []int
	for _, name := range files {
		one := *c
		one.args = []string{name}
		frames, n, err := p.frame(&one)
		c.read = one.read
		if err != nil {
			return err
		}
		if strings.EqualFold(filepath.Ext(p.out), ".gif") {
			delay := max(int(math.Round(100*p.seconds/float64(len(frames)))), 2)
			return p.write(c, n, len(frames), func(w io.Writer) error {
				return animation.EncodeGIF(c.ctx, w, frames, delay, func(share float64) { c.progress.show("write", share) })
			})
		}
		tiles, vertices = append(tiles, frames[0]), append(vertices, n)
	}
	whole, total := tiles[0], 0
	for _, n := range vertices {
		total += n
	}
	if len(tiles) > 1 {
		var err error
		if whole, err = p.sheet(files, vertices, tiles); err != nil {
			return err
		}
	}
	return p.write(c, total, 1, func(w io.Writer) error {
		e := png.Encoder{CompressionLevel: png.BestCompression}
		return e.Encode(w, whole)
	})
}

func (p *pictureFlags) write(c *call, n, frames int, write func(w io.Writer) error) error {
	if err := c.writeFile(p.out, write); err != nil {
		return err
	}
	width, height := p.pixels()
	what := fmt.Sprintf("%s of %d x %d pixels", count(frames, "picture"), width, height)
	if len(c.args) > 1 {
		what = fmt.Sprintf("a sheet of %s, each of %d x %d pixels", count(len(c.args), "mesh picture"), width, height)
	}
	text := append(append(fileText(p.out, what), line{"shows", p.what + ", " + vertices(n)}), noteText(p.notes...)...)
	if err := c.report(text, field{"file", p.out}, field{"what", p.what}, field{"meshes", len(c.args)}, field{"vertices", n},
		field{"width", width}, field{"height", height}, field{"frames", frames}, field{"notes", p.notes}); err != nil {
		return err
	}
	return p.unfinished
}

// frame draws a mesh: one picture, or those of an animation.
func (p *pictureFlags) frame(c *call) (frames []*image.RGBA, vertices int, err error) {
	w, err := p.look(c, p.needs())
	if err != nil {
		return nil, 0, err
	}
	if w.solved != nil && p.unfinished == nil {
		p.unfinished = w.s.convergence(w.solved.Status, w.solved.Iterations, w.solved.MarginalError)
	}
	p.notes = append(p.notes, w.s.notes...)
	s, err := w.scene()
	if err != nil {
		return nil, 0, err
	}
	s.Shade()
	if err := w.answer(s); err != nil {
		return nil, 0, err
	}
	s.Playback.Show(scene.Mass(p.mass))
	s.Playback.Seek(p.position)
	s.View.Arrows(p.arrows)
	width, height := p.pixels()
	p.stand(s, width, height)
	s.View.Wireframe(p.wire)
	s.View.Orthographic(p.orthographic)
	s.View.Smooth(!p.flat)
	s.View.Hidden(p.hidden)
	s.View.Section(p.section.Axis, p.section.Position)
	scale := func() (one still.Scale, ok bool) {
		color, most := s.MassScale()
		return still.Scale{High: 100 * most, Label: "mass per vertex, %", Color: func(t float64) (colormap.RGB, float64) { return colormap.Amount(color, p.light(), t) }}, most > 0
	}
	field, err := w.color(s)
	if err != nil {
		return nil, 0, err
	}
	if field != nil {
		scale = func() (still.Scale, bool) {
			return still.Scale{Low: field.low, High: field.high, Label: field.label, Color: func(t float64) (colormap.RGB, float64) { return colormap.Viridis(t), 1 }}, true
		}
	}
	var words *still.Writer
	if p.scaled() {
		if words, err = still.NewWriter(math.Max(float64(height)/52, 9*p.scale), p.light()); err != nil {
			return nil, 0, err
		}
	}
	on := still.New(s)
	draw := func() {
		m := on.Draw(still.Options{Width: width, Height: height, Pixel: p.scale * math.Max(1, float64(p.size.height)/900), Samples: p.samples})
		if words != nil && p.size.height >= 200 {
			if one, ok := scale(); ok {
				words.ColorBar(m, one)
			}
		}
		frames = append(frames, m)
	}
	n, animated := p.frames, strings.EqualFold(filepath.Ext(p.out), ".gif")
	switch {
	case p.turntable > 0:
		n = p.turntable
	case !animated:
		n = 1
	}
	pose := s.View.Camera().Pose()
	for k := range n {
		if err := c.ctx.Err(); err != nil {
			return nil, 0, err
		}
		switch {
		case p.turntable > 0:
			turned := pose
			turned.Yaw += 2 * math.Pi * float64(k) / float64(n)
			s.View.Camera().Set(turned)
		case animated:
			s.Playback.Seek(float64(k) / float64(n-1))
		}
		if n > 1 {
			c.progress.show("draw", float64(k)/float64(n))
		}
		draw()
	}
	return frames, w.vertices(), nil
}

// scaled says whether the colours are read off a scale.
func (p *pictureFlags) scaled() bool {
	return p.field != "" || p.what == "displacement" || slices.Contains(pageFields, p.what) || p.what == "transport" && p.mass == string(scene.MassDensity)
}

// stand puts the camera where it was asked to be, the mesh filling the picture.
// A mesh that turns stays within a ball, and so does not come and go.
func (p *pictureFlags) stand(s *scene.Scene, width, height int) {
	if p.up != "y" {
		s.View.Up(p.up)
	}
	if p.turned {
		pose := s.View.Camera().Goal()
		pose.Yaw, pose.Pitch = math.Remainder(p.azimuth*math.Pi/180, 2*math.Pi), p.elevation*math.Pi/180
		s.View.Camera().Set(pose)
	}
	if p.turntable > 0 {
		pose := s.View.Camera().Goal().Fitted(s.Mesh.Radius)
		pose.Size /= p.zoom
		s.View.Camera().Set(pose)
		return
	}
	if p.scaled() {
		// The colour bar stands below.
		still.Frame(s, width, height*8/9, p.zoom)
		pose := s.View.Camera().Pose()
		lens := s.View.Camera().Lens(float64(width), float64(height))
		pose.Size *= float64(min(width, height)) / float64(min(width, height*8/9))
		for k := range pose.Target {
			pose.Target[k] -= lens.Up[k] * pose.Size / 9 * float64(height) / float64(min(width, height))
		}
		s.View.Camera().Set(pose)
		return
	}
	still.Frame(s, width, height, p.zoom)
}

// columnsOf is how many pictures of an aspect stand in a row, so that few places
// stay empty and the sheet is about as wide as two times its height.
func columnsOf(n int, aspect float64) (columns int) {
	least := math.Inf(1)
	for k := 1; k <= n; k++ {
		rows := (n + k - 1) / k
		empty := float64(rows*k-n) / float64(n)
		if off := math.Abs(math.Log(aspect*float64(k)/float64(rows)/2)) + 2*empty; off < least {
			columns, least = k, off
		}
	}
	return columns
}

// sheet puts pictures side by side, each over the name and the size of its mesh.
func (p *pictureFlags) sheet(files []string, vertices []int, tiles []*image.RGBA) (*image.RGBA, error) {
	width, height := p.pixels()
	n := len(tiles)
	letter := math.Max(float64(height)/21, 11*p.scale)
	foot := int(2.3 * letter)
	columns := columnsOf(n, float64(width)/float64(height+foot))
	rows := (n + columns - 1) / columns
	whole := image.NewRGBA(image.Rect(0, 0, columns*width, rows*(height+foot)))
	_, ground := colormap.Ground(p.light())
	for i := 0; i < len(whole.Pix); i += 4 {
		for c := range ground {
			whole.Pix[i+c] = uint8(ground[c]*255 + 0.5)
		}
		whole.Pix[i+3] = 255
	}
	words, err := still.NewWriter(letter, p.light())
	if err != nil {
		return nil, err
	}
	for k, t := range tiles {
		x, y := k%columns*width, k/columns*(height+foot)
		draw.Draw(whole, image.Rect(x, y, x+width, y+height), t, image.Point{}, draw.Src)
		name := strings.TrimSuffix(filepath.Base(files[k]), filepath.Ext(files[k]))
		words.Center(whole, float64(x)+float64(width)/2, float64(y+height)+1.35*letter, 0.95*float64(width), fmt.Sprintf("%s, %d vertices", name, vertices[k]))
	}
	return whole, nil
}
