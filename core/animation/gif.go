// Package animation writes pictures that follow each other as one file.
package animation

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
)

// EncodeGIF writes frames of one size as an animation that begins again at its
// end, each shown for so many hundredths of a second. All frames share one
// palette, and what does not change from one to the next is not written again.
// Progress is told the share of the frames that are ready. An ended context is an error.
func EncodeGIF(ctx context.Context, w io.Writer, frames []*image.RGBA, delay int, progress func(share float64)) error {
	if len(frames) == 0 {
		return errors.New("an animation without frames")
	}
	p, err := newPalette(ctx, frames)
	if err != nil {
		return err
	}
	out := &gif.GIF{Config: image.Config{ColorModel: p.colors, Width: frames[0].Bounds().Dx(), Height: frames[0].Bounds().Dy()}}
	var shown *image.Paletted
	for k, f := range frames {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(float64(k) / float64(len(frames)))
		full := p.apply(f)
		part := full
		if shown != nil {
			part = p.difference(shown, full)
		}
		shown = full
		out.Image, out.Delay, out.Disposal = append(out.Image, part), append(out.Delay, delay), append(out.Disposal, gif.DisposalNone)
	}
	return gif.EncodeAll(w, out)
}

// palette is up to 255 colours, and in front of them the one of pixels that stay.
type palette struct {
	colors color.Palette
	rgb    [][3]int
	near   []int16 // by 5 bits of each channel, the nearest colour; -1 where that is not known yet
}

// stays is the place of the colour of pixels that stay.
const stays = 0

// cell is a colour of 5 bits per channel, and how often it was seen.
type cell struct {
	rgb   [3]int
	count int
}

// newPalette halves the colours of some frames, at the middle of the longest
// side of a box, until there are 255 (median cut; Heckbert, 1982).
func newPalette(ctx context.Context, frames []*image.RGBA) (*palette, error) {
	counts := make([]int, 1<<15)
	sums := make([][3]int, 1<<15)
	for _, f := range frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := 0; i+3 < len(f.Pix); i += 4 {
			k := bucket(int(f.Pix[i]), int(f.Pix[i+1]), int(f.Pix[i+2]))
			counts[k]++
			for c := range 3 {
				sums[k][c] += int(f.Pix[i+c])
			}
		}
	}
	var cells []cell
	for k, n := range counts {
		if n > 0 {
			cells = append(cells, cell{[3]int{sums[k][0] / n, sums[k][1] / n, sums[k][2] / n}, n})
		}
	}
	boxes := [][]cell{cells}
	for len(boxes) < 255 {
		best, axis, worth := -1, 0, 0
		for b, box := range boxes {
			for c := range 3 {
				lo, hi := 255, 0
				n := 0
				for _, x := range box {
					lo, hi, n = min(lo, x.rgb[c]), max(hi, x.rgb[c]), n+x.count
				}
				// A box is worth splitting for its length first, then for its pixels.
				if score := (hi - lo) * (hi - lo) * root(n); hi > lo && score > worth {
					best, axis, worth = b, c, score
				}
			}
		}
		if best < 0 {
			break
		}
		box := boxes[best]
		slices.SortFunc(box, func(a, b cell) int {
			return cmp.Or(cmp.Compare(a.rgb[axis], b.rgb[axis]), slices.Compare(a.rgb[:], b.rgb[:]))
		})
		middle := (box[0].rgb[axis] + box[len(box)-1].rgb[axis] + 1) / 2
		at := slices.IndexFunc(box, func(x cell) bool { return x.rgb[axis] >= middle })
		boxes[best] = box[:at]
		boxes = append(boxes, box[at:])
	}
	p := &palette{colors: color.Palette{color.RGBA{}}, rgb: [][3]int{{-1000, -1000, -1000}}, near: make([]int16, 1<<18)}
	for i := range p.near {
		p.near[i] = -1
	}
	for _, box := range boxes {
		var sum [3]int
		n := 0
		for _, x := range box {
			for c := range sum {
				sum[c] += x.count * x.rgb[c]
			}
			n += x.count
		}
		rgb := [3]int{sum[0] / n, sum[1] / n, sum[2] / n}
		p.rgb = append(p.rgb, rgb)
		p.colors = append(p.colors, color.RGBA{uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2]), 255})
	}
	return p, nil
}

// root is about the fourth root: large flat grounds do not take all colours.
func root(n int) int {
	r := 1
	for r*r*r*r < n {
		r++
	}
	return r
}

func bucket(r, g, b int) int { return r>>3<<10 | g>>3<<5 | b>>3 }

// bayer is an order in which the pixels of a square are rounded up: a pattern
// that stays where it is, so that what does not change does not flicker.
var bayer = [16]int{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5}

// apply gives every pixel a colour of the palette.
func (p *palette) apply(f *image.RGBA) *image.Paletted {
	b := f.Bounds()
	to := image.NewPaletted(b, p.colors)
	for y := range b.Dy() {
		for x := range b.Dx() {
			at := f.Pix[f.PixOffset(x, y):]
			d := (bayer[y%4*4+x%4] - 7) * 5 / 8
			to.Pix[to.PixOffset(x, y)] = uint8(p.nearest(int(at[0])+d, int(at[1])+d, int(at[2])+d))
		}
	}
	return to
}

func (p *palette) nearest(r, g, b int) int16 {
	r, g, b = min(max(r, 0), 255), min(max(g, 0), 255), min(max(b, 0), 255)
	known := &p.near[r>>2<<12|g>>2<<6|b>>2]
	if *known < 0 {
		least := 1 << 30
		for i, c := range p.rgb {
			x, y, z := c[0]-(r&^3+2), c[1]-(g&^3+2), c[2]-(b&^3+2)
			if d := 3*x*x + 6*y*y + z*z; d < least { // as bright as they look
				least, *known = d, int16(i)
			}
		}
	}
	return *known
}

// difference is what of a frame differs from the one before: the smallest
// rectangle of it, in which pixels that stay are left out.
func (p *palette) difference(before, now *image.Paletted) *image.Paletted {
	b := now.Bounds()
	change := image.Rectangle{}
	for y := range b.Dy() {
		for x := range b.Dx() {
			if i := now.PixOffset(x, y); now.Pix[i] != before.Pix[i] {
				change = change.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if change.Empty() {
		change = image.Rect(0, 0, 1, 1)
	}
	to := image.NewPaletted(change, p.colors)
	for y := change.Min.Y; y < change.Max.Y; y++ {
		for x := change.Min.X; x < change.Max.X; x++ {
			c := now.Pix[now.PixOffset(x, y)]
			if before.Pix[before.PixOffset(x, y)] == c {
				c = stays
			}
			to.Pix[to.PixOffset(x, y)] = c
		}
	}
	return to
}
