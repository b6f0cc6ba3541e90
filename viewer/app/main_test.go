package app

import (
	"fmt"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// Tests of this package need a screen, because ebiten does: `make window`
// runs them under Xvfb. Without one they are skipped, and say so.

// onScreen runs the tests within the game's loop, where pixels can be read.
type onScreen struct {
	m    *testing.M
	code int
	done bool
}

func (g *onScreen) Update() error {
	if g.done {
		return ebiten.Termination
	}
	g.done = true
	g.code = g.m.Run()
	return ebiten.Termination
}

func (g *onScreen) Draw(*ebiten.Image) {}

func (g *onScreen) Layout(w, h int) (int, int) { return w, h }

func TestMain(m *testing.M) {
	if os.Getenv("DISPLAY") == "" {
		fmt.Println("viewer/app: SKIPPED, there is no screen (DISPLAY is empty); run `make window`, which uses Xvfb")
		os.Exit(0)
	}
	ebiten.SetWindowSize(640, 480)
	g := &onScreen{m: m, code: 1}
	if err := ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true}); err != nil {
		fmt.Println("viewer/app: the game did not run:", err)
		os.Exit(1)
	}
	os.Exit(g.code)
}
