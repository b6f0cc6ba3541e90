// Package still draws what a scene shows as a picture of any size, without a
// window. It holds no state of its own but what makes one mesh ready to be drawn from many sides.
package still

import (
	"image"

	"genussink/viewer/colormap"
	"genussink/viewer/drawing"
	"genussink/viewer/raster"
	"genussink/viewer/scene"
)

// Options is the size of a picture. The zero value has none.
type Options struct {
	Width, Height int     // pixels
	Pixel         float64 // pixels in one of the page's, in which lines and dots are measured
	Samples       int     // per pixel and axis
}

// Picture draws a scene again and again.
type Picture struct {
	drawing *drawing.Drawing
	batch   raster.Batch
	sprites raster.Batch
}

// New is a picture of a scene.
func New(s *scene.Scene) *Picture { return &Picture{drawing: drawing.New(s)} }

// Draw makes the picture from where the scene's camera stands.
func (p *Picture) Draw(o Options) *image.RGBA {
	samples := max(o.Samples, 1)
	pixel := max(o.Pixel, 1) * float64(samples)
	v := &p.drawing.Scene().View
	lens := p.drawing.Scene().Lens(float64(o.Width*samples), float64(o.Height*samples))
	p.drawing.Prepare()
	p.drawing.Surface(&p.batch, &lens)
	on := raster.NewPicture(&lens, raster.Style{Theme: v.Theme(), Flat: !v.Looks().Smooth, Wire: v.Looks().Wireframe, Pixel: float32(pixel)})
	on.Surface(&p.batch)
	p.sprites.Reset()
	p.drawing.Lying(&p.sprites, &lens, pixel)
	p.drawing.Passing(&p.sprites, &lens, pixel)
	on.Sprites(&p.sprites)
	return shrink(on.Image, samples)
}

// shrink makes a pixel of every square of samples by samples: their mean in
// linear light.
func shrink(m *image.RGBA, samples int) *image.RGBA {
	if samples == 1 {
		return m
	}
	var linear [256]float32
	for i := range linear {
		linear[i] = float32(colormap.RGB{float32(i) / 255, 0, 0}.Linear()[0])
	}
	encode := colormap.NewEncoder()
	w, h := m.Bounds().Dx()/samples, m.Bounds().Dy()/samples
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	per := 1 / float32(samples*samples)
	for y := range h {
		for x := range w {
			var sum [3]float32
			for j := range samples {
				row := m.Pix[m.PixOffset(x*samples, y*samples+j):]
				for i := range samples {
					for k := range sum {
						sum[k] += linear[row[4*i+k]]
					}
				}
			}
			for k := range sum {
				sum[k] *= per
			}
			c := encode.RGB(sum)
			at := to.Pix[to.PixOffset(x, y):]
			for k := range c {
				at[k] = uint8(c[k]*255 + 0.5)
			}
			at[3] = 255
		}
	}
	return to
}
