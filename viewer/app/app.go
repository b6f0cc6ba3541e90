// Package app is the page's canvas: it draws the scene with ebiten and turns
// the pointer into the scene's intents. It alone imports ebiten, which cannot
// be imported where there is no document.
package app

import (
	"fmt"
	"image"
	"runtime/debug"
	"slices"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"genussink/viewer/camera"
	"genussink/viewer/colormap"
	"genussink/viewer/drawing"
	"genussink/viewer/pick"
	"genussink/viewer/scene"
)

// Hooks are what a host adds to each frame. Any may be nil.
type Hooks struct {
	// Frame is called once per frame on the main thread, after the scene's time
	// has passed and before it is drawn: the place to exchange messages with the
	// engine and to redraw the panel.
	Frame func()
	// Fault is told of a panic that was caught, with its stack. The scene shows
	// the panic's message by itself when Fault is nil.
	Fault func(report string)
	// Drawn returns a function. It says, whenever it is called, whether the graphics have done all that was asked of them before Drawn.
	// A picture is read once they have. Without Drawn it is read at the next frame.
	Drawn func() func() bool
}

// Game draws a scene. It implements ebiten.Game.
type Game struct {
	scene   *scene.Scene
	hooks   Hooks
	picture picture
	pointer pointer
	stats   stats

	tree         *pick.Tree
	treeRevision uint64
	foreseen     bool // the tree is made as far as pointers need it

	last          time.Time
	width, height int     // of the frame, device pixels
	pixel         float64 // device pixels in one of the page's
	still         float64 // seconds since the mesh's image last changed
	waited        float64 // seconds since anything was drawn
	busy          bool    // the last frame showed something or got on with what frames do by and by
	idle          float64 // seconds since the last such frame
	shown         overlay // what the frame shows on top of the mesh's image
	target        key     // what the mesh's image was last asked to be, at rest or not
	wishes        []wish
	pending       []pending
	largest       int  // pixels on a side that a refined picture may have
	redrew        bool // the last frame made the mesh's image anew
	faulty        int  // frames in a row that panicked
	stopped       bool
}

// A mesh that is still is drawn at twice the resolution and shown at half, unless the screen itself is that fine. It must have been still
// for restSeconds, or for slowSeconds where frames come slowly. From the start of a solve until its mass moves the picture waits for longSeconds:
// software graphics would take the processor from the solve.
const (
	restSeconds = 0.15
	slowSeconds = 1
	longSeconds = 5
	idleSeconds = 0.5 // without anything to show or to do, until the game rests
	finest      = 2
	safeImage   = 4096    // pixels on a side that all graphics draw
	mostImage   = 8192    // pixels on a side of a refined picture
	grasp       = 14      // pixels of the page within which a graph's vertex is hit
	maxFaults   = 120     // frames in a row that panic until the game gives up
	largeFaces  = 1 << 15 // above which another mesh is drawn in painter's order first, and a picture takes more than one frame
	slowFrame   = 0.05    // seconds between frames: with more they come slowly, and nothing is refined while something is played
	slowDraw    = 0.014   // seconds of a redraw above which motion is drawn in painter's order
	sparing     = 0.06    // seconds between pictures of moving mass where the processor draws, which others compute on
)

// overlay is all that is drawn on top of the mesh's image depends on, beyond
// what that does.
type overlay struct {
	revision uint64
	moving   bool
	position float64 // of the playback
	color    colormap.RGB
}

// New makes a game of a scene. Shaders are compiled when it starts to run.
func New(s *scene.Scene, hooks Hooks) *Game {
	return &Game{scene: s, hooks: hooks, picture: picture{drawing: drawing.New(s)}, pixel: 1, largest: safeImage, pointer: newPointer()}
}

// Run hands the main thread to ebiten until the page or window closes.
func (g *Game) Run() error {
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false) // a frame in which nothing changes is not drawn, see frame
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetWindowTitle("GenusSink")
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	return ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true})
}

// Stop has Run return: there is nothing to draw on any more.
func (g *Game) Stop() { g.stopped = true }

// TwoFingersTurn has two fingers turn the mesh, where one scrolls the page.
func (g *Game) TwoFingersTurn() { g.pointer.turns = true }

// Largest says how many pixels on a side the graphics draw: wide windows are refined then, too.
func (g *Game) Largest(pixels int) { g.largest = min(max(pixels, safeImage), mostImage) }

// Stats is what frames cost. See scene.FrameState.
func (g *Game) Stats() scene.FrameState { return g.stats.state() }

// Pictured is the revision of the mesh that has been drawn last.
func (g *Game) Pictured() uint64 { return g.picture.have.mesh }

// Shot is a picture that is asked for.
type Shot struct {
	Width, Height int  // pixels, each at least 1 and within what the graphics allow
	Finer         int  // drawn so many times finer, and then shrunk: 1 or 2
	Clear         bool // without a ground: what is beside the mesh is transparent

	Within func(draw func()) // calls draw once, with the scene as it is to be seen; nil: as it is
}

// wish is a picture that waits for the next frame.
type wish struct {
	Shot
	done  func(*image.RGBA)
	begun bool // its mesh has been drawn, in a frame of its own
}

// pending is a picture that the graphics are at work on.
type pending struct {
	wish
	image *ebiten.Image
	drawn func() bool // nil until they have been asked for it
}

// Resting says whether for a while there was nothing to show or to do: frames may come more rarely until somebody does something.
func (g *Game) Resting() bool {
	return g.idle >= idleSeconds && g.scene.Mesh.Mesh != nil && g.Pictured() == g.scene.Mesh.Revision() && !g.scene.Played()
}

// Picture draws what is shown at the next frame, in the shape of the shot, and calls done with it: at that frame, or some frames later
// where it is large. None of these frames is shown.
func (g *Game) Picture(shot Shot, done func(*image.RGBA)) {
	g.wishes = append(g.wishes, wish{Shot: shot, done: done})
}

// Redrew says whether the last frame made the mesh's image anew, which takes long of a large mesh.
func (g *Game) Redrew() bool { return g.redrew }

// Size is the frame's, in pixels; 0 before the first.
func (g *Game) Size() (width, height int) { return g.width, g.height }

// Layout is required by ebiten.Game; LayoutF is called instead.
func (g *Game) Layout(width, height int) (int, int) {
	w, h := g.LayoutF(float64(width), float64(height))
	return int(w), int(h)
}

// LayoutF asks for a frame of one pixel for each of the device's.
func (g *Game) LayoutF(width, height float64) (float64, float64) {
	g.pixel = 1
	if m := ebiten.Monitor(); m != nil {
		g.pixel = max(m.DeviceScaleFactor(), 0.25)
	}
	return max(width*g.pixel, 1), max(height*g.pixel, 1)
}

// Update lets time pass and takes the pointer's and the host's messages.
func (g *Game) Update() error {
	if g.stopped {
		return ebiten.Termination
	}
	start := time.Now()
	defer func() { g.stats.update = time.Since(start) }()
	g.guard(func() {
		dt := 0.0
		if !g.last.IsZero() {
			dt = start.Sub(g.last).Seconds()
			if g.idle += dt; g.busy {
				g.idle = 0
			}
			if !g.Resting() {
				g.stats.between(dt)
			}
		}
		g.last = start
		g.still += dt
		g.waited += dt
		g.foreseen = g.foresee()
		g.busy = !g.foreseen || len(g.wishes)+len(g.pending) > 0
		g.pointer.update(g)
		g.scene.Tick(dt)
		if g.hooks.Frame != nil {
			g.hooks.Frame()
		}
	})
	if g.faulty > maxFaults {
		return fmt.Errorf("app: %d frames in a row failed", g.faulty)
	}
	return nil
}

// guard keeps a panic from ending the page, and says what happened.
func (g *Game) guard(f func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		g.faulty++
		if g.faulty > 1 {
			return // said already
		}
		if g.hooks.Fault != nil {
			g.hooks.Fault(fmt.Sprintf("%v\n%s", r, debug.Stack()))
		} else {
			g.scene.Fail(fmt.Sprintf("The picture failed: %v", r))
		}
	}()
	f()
}

// Draw shows the scene.
func (g *Game) Draw(screen *ebiten.Image) {
	start := time.Now()
	redrawn := false
	g.guard(func() {
		redrawn = g.frame(screen)
		g.faulty = 0
	})
	g.redrew = redrawn
	g.stats.drawn(time.Since(start), redrawn, g.picture.have.painter)
	g.guard(func() { g.grant(screen) })
}

// frame draws one frame and says whether the mesh's image was made anew. Where
// all is as it was it draws nothing, and ebiten shows nothing anew: processors
// and battery are for those who compute.
func (g *Game) frame(screen *ebiten.Image) bool {
	if g.picture.shaders == nil {
		s, err := newShaders()
		if err != nil {
			panic(err)
		}
		g.picture.shaders = s
	}
	g.width, g.height = screen.Bounds().Dx(), screen.Bounds().Dy()
	if len(g.wishes)+len(g.pending) > 0 {
		return false
	}
	if g.picture.have.width > 0 && g.picture.drawing.Grow(faceStep) {
		g.busy = true
		return false // a frame of its own: with the drawing of a large mesh it would be a long one
	}
	now := overlay{revision: g.scene.OverlayRevision(), moving: g.scene.Showing().Mass != scene.AtRest}
	if now.moving {
		now.position, now.color = g.scene.Playback.Position(), g.scene.Showing().Mass.Color()
	}
	if g.spares(now) {
		return false
	}
	redrawn := g.refresh()
	if now == g.shown && !redrawn {
		if !g.scene.Preparing() {
			g.picture.warm() // mass comes next
		}
		return false
	}
	g.shown, g.waited, g.busy = now, 0, true
	g.stats.shown++
	g.picture.show(screen)
	g.picture.over(screen, g.scene, g.pixel)
	return redrawn
}

// spares says whether a frame is left out in which nothing but the mass has moved.
func (g *Game) spares(now overlay) bool {
	if !g.scene.View.Looks().Software || g.waited >= sparing || !now.moving {
		return false
	}
	now.position = g.shown.position
	k := g.picture.wanted(g.scene, g.width, g.height, 1, false)
	k.color = g.target.color // in which mass that is shown as density moves
	return now == g.shown && k == g.target
}

// refresh makes the mesh's image anew if what it depends on has changed, or if
// it has been still and can be refined. Another large mesh comes in painter's order first.
func (g *Game) refresh() bool {
	p := &g.picture
	rest := p.wanted(g.scene, g.width, g.height, 1, false)
	if rest != g.target || p.have.width == 0 {
		g.target, g.still = rest, 0
		another := rest.mesh != p.have.mesh || rest.form != p.have.form
		rest.painter = g.stats.slow() || another && g.large()
		p.draw(g.scene, rest, g.pixel)
		g.scene.Drawn()
		return true
	}
	if g.still < g.calm() {
		return false
	}
	rest.finer = g.fineness()
	if rest != p.have {
		p.draw(g.scene, rest, g.pixel)
		return true
	}
	return false
}

// calm is how many seconds the mesh is still before its picture is refined.
func (g *Game) calm() float64 {
	switch {
	case g.scene.Preparing() || g.scene.Starting():
		return longSeconds
	case g.slowFrames():
		return slowSeconds
	}
	return restSeconds
}

// slowFrames says whether frames come slowly.
func (g *Game) slowFrames() bool { return g.stats.interval() > slowFrame }

// fineness is how much finer than the screen a still picture is drawn.
func (g *Game) fineness() int {
	if g.pixel >= finest || max(g.width, g.height)*finest > g.largest || g.slowFrames() && g.scene.Played() {
		return g.picture.have.keep()
	}
	return finest
}

// keep is the present fineness: a picture that is refined already stays so.
func (k key) keep() int { return max(k.finer, 1) }

// grant makes the pictures that were asked for. The next frame draws the mesh's image anew. What takes long of a large mesh has a frame of
// its own: drawing the mesh, drawing what moves on it, and reading the picture.
func (g *Game) grant(screen *ebiten.Image) {
	for len(g.pending) > 0 {
		p := &g.pending[0]
		if p.drawn == nil && g.hooks.Drawn != nil {
			p.drawn = g.hooks.Drawn()
		}
		if p.drawn != nil && !p.drawn() {
			break
		}
		g.pending = g.pending[1:]
		p.done(read(p.image))
		if g.large() {
			return
		}
	}
	if len(g.wishes) == 0 || g.width == 0 {
		return
	}
	wishes := g.wishes
	g.wishes, g.target = nil, key{}
	for i, w := range wishes {
		waits := false
		draw := func() {
			k := g.picture.wanted(g.scene, w.Width, w.Height, w.Finer, false)
			k.clear = w.Clear
			pixel := g.pixel * float64(w.Width) / float64(g.width) // lines and dots are as much thicker than the frame's as it is wider
			if k != g.picture.have {
				g.picture.draw(g.scene, k, pixel)
				if waits = !w.begun && g.large(); waits {
					return
				}
			}
			to := ebiten.NewImageWithOptions(image.Rect(0, 0, w.Width, w.Height), &ebiten.NewImageOptions{Unmanaged: true})
			g.picture.show(to)
			g.picture.over(to, g.scene, pixel)
			g.pending = append(g.pending, pending{wish: w, image: to})
			send(screen, to)
		}
		if w.Within == nil {
			draw()
		} else {
			w.Within(draw)
		}
		if waits {
			send(screen, g.picture.mesh)
			wishes[i].begun = true
			g.wishes = append(slices.Clone(wishes[i:]), g.wishes...)
			return
		}
	}
}

// send has the graphics draw an image. Ebiten sends drawings to them only when the screen changes. So one pixel of it is drawn, without
// opacity.
func send(screen, drawn *ebiten.Image) {
	unseen := &ebiten.DrawImageOptions{}
	unseen.ColorScale.ScaleAlpha(0)
	screen.DrawImage(drawn.SubImage(image.Rect(0, 0, 1, 1)).(*ebiten.Image), unseen)
}

// large says whether the mesh takes so long to draw that nothing else is done in the same frame.
func (g *Game) large() bool {
	m := g.scene.Mesh.Mesh
	return m != nil && len(m.Faces) > 3*largeFaces
}

// read takes a picture off the graphics.
func read(from *ebiten.Image) *image.RGBA {
	defer from.Deallocate()
	out := image.NewRGBA(from.Bounds())
	from.ReadPixels(out.Pix)
	return out
}

// faceStep is about how many faces a frame looks at to make a surface ready, or for pointers to come: some milliseconds.
const faceStep = 1 << 15

// foresee makes the tree that pointers need, in frames after the one that shows the mesh, and says whether it is there: a
// pointer that only hovers waits for it.
func (g *Game) foresee() bool {
	m := g.scene.Mesh.Mesh
	if m == nil || m.Graph() {
		return true
	}
	if g.picture.have.mesh != g.scene.Mesh.Revision() {
		return false
	}
	g.plant(m)
	return !g.tree.Grow(faceStep)
}

// plant begins the tree of a mesh that has none.
func (g *Game) plant(m *scene.Mesh) {
	if g.tree == nil || g.treeRevision != g.scene.Mesh.Revision() {
		g.tree, g.treeRevision = pick.New(m.Points, m.Faces), g.scene.Mesh.Revision()
	}
}

// at returns the vertex under a place on the frame, -1 for none.
func (g *Game) at(x, y float64) int32 {
	hit, _ := g.ray(x, y)
	return hit.Vertex
}

// under returns what is under a place on the frame: of a graph also the nearest edge.
func (g *Game) under(x, y float64) pick.Hit {
	hit, lens := g.ray(x, y)
	if m := g.scene.Mesh.Mesh; lens != nil && m.Graph() {
		hit.Edge = pick.NearestEdge(m.Points, m.Edges(), lens.Project, lens.Near, x, y, grasp*g.pixel)
	}
	return hit
}

// ray returns what is seen at a place on the frame, but for a graph's edges, and the lens that it is seen through: nil before there is a picture.
func (g *Game) ray(x, y float64) (pick.Hit, *camera.Lens) {
	hit, m := pick.Nothing(), g.scene.Mesh.Mesh
	if m == nil || g.width == 0 {
		return hit, nil
	}
	g.plant(m)
	lens := g.scene.Lens(float64(g.width), float64(g.height))
	if m.Graph() {
		hit.Vertex = pick.Nearest(m.Points, lens.Project, lens.Near, x, y, grasp*g.pixel)
		return hit, &lens
	}
	origin, direction := lens.Ray(x, y)
	hit, _ = g.tree.Behind(lens.Section, origin, direction)
	return hit, &lens
}
