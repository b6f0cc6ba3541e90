package label

import (
	"math/rand/v2"
	"testing"
)

// Labels that are shown lie within the picture, beside their points, and cover neither each other nor a point; those that must be are shown.
func TestPlace(t *testing.T) {
	const width, height, radius = 400, 300, 5
	shown := 0
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		labels := make([]Label, 40)
		for i := range labels {
			labels[i] = Label{X: rng.Float64() * width, Y: rng.Float64() * height, Width: 8 + 8*rng.Float64(), Height: 12}
		}
		spots := Place(labels, radius, width, height)
		for i, s := range spots {
			if !s.Shown {
				continue
			}
			shown++
			b := box{s.X, s.Y, labels[i].Width, labels[i].Height}
			if b.x < -1e-6 || b.y < -1e-6 || b.x+b.w > width+1e-6 || b.y+b.h > height+1e-6 {
				t.Errorf("seed %d: label %d leaves the picture: %+v", seed, i, b)
			}
			if near := (box{b.x - radius - gap - 1, b.y - radius - gap - 1, b.w + 2*(radius+gap+1), b.h + 2*(radius+gap+1)}); near.covers(box{labels[i].X - 0.5, labels[i].Y - 0.5, 1, 1}) == 0 {
				t.Errorf("seed %d: label %d is far from its point", seed, i)
			}
			for j := range labels {
				if c := b.covers(box{labels[j].X - radius, labels[j].Y - radius, 2 * radius, 2 * radius}); c > 1e-6 {
					t.Errorf("seed %d: label %d covers %g of point %d", seed, i, c, j)
				}
				if c := b.covers(box{spots[j].X, spots[j].Y, labels[j].Width, labels[j].Height}); j != i && spots[j].Shown && c > 1e-6 {
					t.Errorf("seed %d: labels %d and %d share %g", seed, i, j, c)
				}
			}
		}
	}
	if shown < 50*30 {
		t.Errorf("only %d labels are shown", shown)
	}
	all := make([]Label, 60) // at one place: there is no room for all
	for i := range all {
		all[i] = Label{X: 50, Y: 50, Width: 30, Height: 12, Keep: i%2 == 0}
	}
	hidden := 0
	for i, s := range Place(all, radius, 100, 100) {
		if !s.Shown {
			hidden++
			if all[i].Keep {
				t.Errorf("label %d must be shown", i)
			}
		}
	}
	if hidden == 0 {
		t.Error("none is hidden")
	}
	if s := Place([]Label{{X: -1, Y: 5, Width: 5, Height: 5, Keep: true}}, radius, 100, 100); s[0].Shown {
		t.Error("a point outside the picture has a label")
	}
}
