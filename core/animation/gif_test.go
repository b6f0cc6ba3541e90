package animation

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"testing"
)

// discs are pictures of a disc of many shades that moves right on a gradient; the last two are alike.
func discs(count int) (frames []*image.RGBA) {
	for k := range count {
		m := image.NewRGBA(image.Rect(0, 0, 100, 80))
		at := 20 + 15*min(k, count-2)
		for y := range 80 {
			for x := range 100 {
				c := color.RGBA{uint8(30 + y), uint8(35 + y), uint8(50 + y/2), 255}
				if dx, dy := x-at, y-40; dx*dx+dy*dy < 225 {
					c = color.RGBA{uint8(150 + 6*dx), uint8(120 + 6*dy), 40, 255}
				}
				m.SetRGBA(x, y, c)
			}
		}
		frames = append(frames, m)
	}
	return frames
}

// What a GIF shows is what was drawn, but for the palette; what stays is not written again.
func TestEncodeGIF(t *testing.T) {
	frames := discs(4)
	var file bytes.Buffer
	var told []float64
	if err := EncodeGIF(t.Context(), &file, frames, 7, func(share float64) { told = append(told, share) }); err != nil {
		t.Fatal(err)
	}
	if len(told) != 4 || told[0] != 0 || told[3] != 0.75 {
		t.Errorf("progress %v", told)
	}
	g, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	shown := image.NewRGBA(frames[0].Bounds())
	for k, m := range g.Image {
		draw.Draw(shown, m.Bounds(), m, m.Bounds().Min, draw.Over)
		sum := 0
		for i, x := range shown.Pix {
			sum += max(int(x)-int(frames[k].Pix[i]), int(frames[k].Pix[i])-int(x))
		}
		if mean := float64(sum) / float64(len(shown.Pix)); mean > 4 {
			t.Errorf("frame %d: channels are off by %.1f in the mean", k, mean)
		}
		if g.Delay[k] != 7 {
			t.Errorf("frame %d: %d hundredths", k, g.Delay[k])
		}
	}
	if b := g.Image[3].Bounds(); b.Dx() != 1 || b.Dy() != 1 {
		t.Errorf("a frame that does not differ is written as %v", b)
	}
}

func TestEncodeGIFRefuses(t *testing.T) {
	var file bytes.Buffer
	quiet := func(float64) {}
	if err := EncodeGIF(t.Context(), &file, nil, 7, quiet); err == nil {
		t.Error("no frames, no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := EncodeGIF(ctx, &file, discs(3), 7, func(float64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
