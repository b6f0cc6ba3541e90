package still

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"genussink/viewer/colormap"
)

// Writer puts words into pictures.
type Writer struct {
	face   font.Face
	size   float64
	ink    color.Color
	ground colormap.RGB
}

// NewWriter writes letters of a size in pixels, in the ink of a theme.
func NewWriter(size float64, theme colormap.Theme) (*Writer, error) {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	w := &Writer{face: face, size: size, ink: color.RGBA{0xE8, 0xEB, 0xF0, 255}}
	_, w.ground = colormap.Ground(theme)
	if theme == colormap.Light {
		w.ink = color.RGBA{0x2A, 0x2F, 0x37, 255}
	}
	return w, nil
}

// Center writes a line around x with its foot at y. What is wider than room
// ends in an ellipsis.
func (w *Writer) Center(m *image.RGBA, x, y, room float64, text string) {
	runes := []rune(text)
	for n := len(runes); w.width(text) > room && n > 1; n-- {
		text = strings.TrimRight(string(runes[:n-1]), " ") + "…"
	}
	w.write(m, x-w.width(text)/2, y, text)
}

func (w *Writer) width(text string) float64 {
	return float64(font.MeasureString(w.face, text)) / 64
}

func (w *Writer) write(m *image.RGBA, x, y float64, text string) {
	d := font.Drawer{Dst: m, Src: image.NewUniform(w.ink), Face: w.face, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(text)
}

// Scale is the colours from one value to another.
type Scale struct {
	Low, High float64
	Label     string                                                // what is measured, in which unit
	Color     func(t float64) (color colormap.RGB, opacity float64) // from 0 at Low to 1 at High
}

// ColorBar draws a scale along the picture's foot: its colours with
// ticks at round values, and what is measured.
func (w *Writer) ColorBar(m *image.RGBA, s Scale) {
	b := m.Bounds()
	wide, tall := math.Min(0.42*float64(b.Dx()), 22*w.size), 0.7*w.size
	x0 := (float64(b.Dx()) - wide) / 2
	y0 := float64(b.Dy()) - 2.7*w.size
	for y := int(y0); y < int(y0+tall); y++ {
		for x := int(x0); x < int(x0+wide); x++ {
			c, opacity := s.Color((float64(x) + 0.5 - x0) / wide)
			c = colormap.Mix(w.ground, c, opacity)
			m.SetRGBA(x, y, color.RGBA{uint8(c[0]*255 + 0.5), uint8(c[1]*255 + 0.5), uint8(c[2]*255 + 0.5), 255})
		}
	}
	w.Center(m, x0+wide/2, y0-0.55*w.size, float64(b.Dx()), s.Label)
	for _, t := range colormap.Ticks(s.Low, s.High) {
		x := x0
		if s.High > s.Low {
			x += (t - s.Low) / (s.High - s.Low) * wide
		}
		for y := int(y0 + tall); y < int(y0+tall+0.3*w.size); y++ {
			m.Set(min(int(x), int(x0+wide)-1), y, w.ink)
		}
		w.Center(m, x, y0+tall+1.35*w.size, wide, strconv.FormatFloat(t, 'g', 4, 64))
	}
}
