package meshio_test

import (
	"fmt"
	"os"
	"strings"

	"genussink/core/meshio"
)

// A square in an OBJ file becomes two triangles, here as an OFF file.
func ExampleRead() {
	square := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
	r, err := meshio.Read("square.obj", strings.NewReader(square), meshio.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := meshio.Write(os.Stdout, "off", r.Mesh); err != nil {
		fmt.Println(err)
	}
	// Output:
	// OFF
	// 4 2 0
	// 0 0 0
	// 1 0 0
	// 1 1 0
	// 0 1 0
	// 3 0 1 2
	// 3 0 2 3
}
