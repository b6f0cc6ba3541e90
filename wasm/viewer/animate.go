//go:build js

package main

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"syscall/js"

	"genussink/viewer/app"
	"genussink/viewer/camera"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// gifFrames is how many pictures an animation of scene.PlaySeconds has as a gif.
const gifFrames = 60

// animator makes an animation: once along the transport, or around the mesh. The scene is where it was before once that is done.
type animator struct {
	running bool
	turns   bool // around the mesh
	pose    camera.Pose
	at      float64 // the playback's position before
	playing bool

	frames   []byte   // of a gif, so far
	recorder js.Value // of a video; undefined without
	began    float64  // ms
	seconds  float64  // that the video takes
	complete func()   // the video has come to its end: it is saved when it stops
}

// animations connects the dialog's part about them.
func (p *page) animations() {
	p.click("save-animation", p.animate)
	stop := func() {
		if p.animator.running {
			p.endAnimation()
			p.say("The animation stopped: nothing was saved.")
		}
	}
	p.click("stop-saving", func() {
		stop()
		p.scene.StopExport()
	})
	p.id("saving").On("close", func(js.Value) { stop() })
	for _, id := range []string{"animation-of", "animation-format"} {
		p.choose(id, func(string) { p.showSaving(p.scene.State()) })
	}
}

// showAnimation says whether there can be one, and how far it has come.
func (p *page) showAnimation(st scene.State) {
	a, why := &p.animator, ""
	video := p.id("animation-format").Input() == "webm"
	w, h := p.game.Size()
	switch {
	case w == 0 || largest() == 0:
		why = "There is no picture: this browser has no graphics."
	case p.id("animation-of").Input() == "transport" && !st.Playback.Available:
		why = "No mass moves yet: solve first, or choose a turn."
	case video && videoType() == "":
		why = "This browser does not record WebM: choose GIF."
	}
	p.id("gif-width-field").Show(!video)
	p.allow("animation-note", choice{"save-animation", why})
	if video && why == "" {
		p.text("animation-note", fmt.Sprintf("As large as the canvas, %s × %s pixels, and recorded while it plays here.", quantity.Count(w), quantity.Count(h)))
	}
	busy := a.running || st.Exporting
	p.id("save-animation").Enable(why == "" && !busy)
	p.id("stop-saving").Enable(busy)
	p.id("writing").Class("idle", !busy)
	if !a.running {
		p.id("saving-bar").Number("value", st.Fraction)
	}
}

// videoType is a kind of WebM that the browser records, "" where there is none.
func videoType() string {
	recorder := js.Global().Get("MediaRecorder")
	if !recorder.Truthy() || !js.Global().Get("HTMLCanvasElement").Get("prototype").Get("captureStream").Truthy() {
		return ""
	}
	for _, kind := range []string{"video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"} {
		if recorder.Call("isTypeSupported", kind).Bool() {
			return kind
		}
	}
	return ""
}

// animate begins.
func (p *page) animate() {
	play := p.scene.State().Playback
	p.animator = animator{
		running: true, turns: p.id("animation-of").Input() == "turn", pose: p.scene.View.Camera().Goal(), at: play.Position, playing: play.Playing,
		seconds: scene.PlaySeconds,
	}
	if !p.animator.turns {
		p.scene.Play() // it shows the mass, whatever is shown
	}
	p.scene.Playback.Pause()
	if p.id("animation-format").Input() == "webm" {
		p.record(play.Speed)
	} else {
		p.collect(0)
	}
}

// move goes to a share of the animation.
func (p *page) move(share float64) {
	a := &p.animator
	p.id("saving-bar").Number("value", share)
	if !a.turns {
		p.scene.Playback.Seek(share)
		return
	}
	pose := a.pose
	pose.Yaw = math.Remainder(pose.Yaw+2*math.Pi*share, 2*math.Pi)
	p.scene.View.Camera().Set(pose)
}

// endAnimation goes back to where all was before, where an animation is under way.
func (p *page) endAnimation() {
	a := &p.animator
	if !a.running {
		return
	}
	a.running = false
	if a.recorder.Truthy() && a.recorder.Get("state").String() != "inactive" {
		a.recorder.Call("stop")
	}
	if a.turns {
		p.scene.View.Camera().Set(a.pose)
	} else {
		p.scene.Playback.Seek(a.at)
	}
	if a.playing {
		p.scene.Play()
	}
	p.showSaving(p.scene.State())
}

// collect takes the pictures of a gif, one a frame, from the k-th on. A Worker writes the file.
func (p *page) collect(k int) {
	w, h := p.game.Size()
	width, err := strconv.Atoi(p.id("gif-width").Input())
	if err != nil {
		width = 480
	}
	shot := app.Shot{Width: width, Height: max(1, int(math.Round(float64(width)*float64(h)/float64(w)))), Finer: 2}
	last := gifFrames - 1 // the transport's end is shown, a turn's is its beginning
	if p.animator.turns {
		last = gifFrames
	}
	p.move(float64(k) / float64(last))
	p.game.Picture(shot, func(m *image.RGBA) {
		a := &p.animator
		if !a.running {
			return
		}
		a.frames = append(a.frames, m.Pix...)
		if k+1 < gifFrames {
			p.collect(k + 1)
			return
		}
		p.scene.Animate(shot.Width, shot.Height, int(100*scene.PlaySeconds/gifFrames), a.frames)
		a.frames = nil
		p.endAnimation()
	})
}

// record records the canvas while the animation plays on it.
func (p *page) record(speed float64) {
	a := &p.animator
	if !a.turns {
		a.seconds /= speed
	}
	kind, name := videoType(), p.base()+".webm"
	stream := dom.Document().Call("querySelector", "canvas").Call("captureStream", 30)
	a.recorder = js.Global().Get("MediaRecorder").New(stream, map[string]any{"mimeType": kind, "videoBitsPerSecond": 8e6})
	var parts []any
	take := dom.Func(func(args []js.Value) { parts = append(parts, args[0].Get("data")) })
	a.recorder.Call("addEventListener", "dataavailable", take)
	a.recorder.Call("addEventListener", "error", dom.Once(func(args []js.Value) {
		p.endAnimation()
		p.scene.Fail("The browser could not record the video: " + args[0].Get("error").Get("message").String())
	}))
	whole := false
	a.complete = func() { whole = true }
	a.recorder.Call("addEventListener", "stop", dom.Once(func([]js.Value) {
		take.Release()
		for tracks := stream.Call("getTracks"); tracks.Length() > 0; tracks = tracks.Call("slice", 1) {
			tracks.Index(0).Call("stop")
		}
		if whole {
			p.downloadBlob(name, blob("video/webm", parts...))
			p.say(name + " is saved.")
		}
	}))
	p.move(0)
	a.recorder.Call("start")
	a.began = now()
}

func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// recording moves on with a video, at every frame.
func (p *page) recording() {
	a := &p.animator
	if !a.running || !a.recorder.Truthy() {
		return
	}
	share := (now() - a.began) / 1000 / a.seconds
	if p.move(min(share, 1)); share >= 1 {
		a.complete()
		p.endAnimation()
	}
}
