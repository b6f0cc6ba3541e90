//go:build !amd64

package tile

import "genussink/core/hub/label"

// wide is false: this processor compares one number at a time. So the two functions below are never called.
const wide = false

func nearestByFours(*[chunk]label.Fixed, *label.Fixed, int, *label.Fixed, int, *int32, int, label.Fixed) {
}

func leadsByFours(*label.Fixed, int, *[chunk]label.Fixed, *label.Fixed, int) {}
