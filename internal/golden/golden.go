// Package golden compares pictures in tests with those that were accepted.
package golden

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Write keeps a picture as a PNG file, and makes the folder that it is in. It ends the test where that fails.
func Write(t testing.TB, path string, m image.Image) {
	t.Helper()
	var file bytes.Buffer
	err := png.Encode(&file, m)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, file.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Read reads a PNG file. It ends the test where there is none.
func Read(t testing.TB, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

// Unlike counts the pixels of which red, green or blue differs by more than so many of 255 steps. Where the sizes differ, all do.
func Unlike(a, b image.Image, steps int) (n int) {
	from, to := a.Bounds().Min, b.Bounds().Min
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		return size.X * size.Y
	}
	for y := range size.Y {
		for x := range size.X {
			p := color.RGBAModel.Convert(a.At(from.X+x, from.Y+y)).(color.RGBA)
			q := color.RGBAModel.Convert(b.At(to.X+x, to.Y+y)).(color.RGBA)
			if max(gap(p.R, q.R), gap(p.G, q.G), gap(p.B, q.B)) > steps {
				n++
			}
		}
	}
	return n
}

func gap(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
