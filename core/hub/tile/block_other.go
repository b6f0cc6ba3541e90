//go:build !amd64

package tile

import "genussink/core/hub/label"

// wide: no instructions for four numbers at a time are used here. What follows is never called.
const wide = false

func nearestByFours(*[chunk]label.Fixed, *label.Fixed, int, *label.Fixed, int, *int32, int, label.Fixed) {
}

func leadsByFours(*label.Fixed, int, *[chunk]label.Fixed, *label.Fixed, int) {}
