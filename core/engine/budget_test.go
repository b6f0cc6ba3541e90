package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"genussink/core/engine"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/internal/race"
)

// allocated is how many bytes f allocates, garbage included.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// What would take more memory than a file may is refused before it is taken, and says how much; what is within the
// budget opens in it. The files are of the kinds that made megabytes of input take gigabytes.
func TestFilesStayWithinTheirBudgets(t *testing.T) {
	race.Alone(t)
	const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	document := func(rest string) string { return `{"asset":{"version":"2.0"},` + rest + `}` }
	var ring strings.Builder
	for i := range 60 {
		r := 1 - 0.5*float64(i%2)
		sin, cos := math.Sincos(math.Pi * float64(i) / 30)
		fmt.Fprintf(&ring, "v %g %g 0\n", r*cos, r*sin)
	}
	corners := ""
	for i := range 60 {
		corners += fmt.Sprintf(" %d", i+1)
	}
	stl := func(n int) []byte {
		data := binary.LittleEndian.AppendUint32(make([]byte, 80), uint32(n))
		for i := range n {
			facet := make([]byte, 50)
			for c := range 9 {
				binary.LittleEndian.PutUint32(facet[12+4*c:], math.Float32bits(float32(i*9+c*c)))
			}
			data = append(data, facet...)
		}
		return data
	}
	path := func(n int) []byte {
		data := fmt.Appendf(nil, "p tw %d %d\n", n, n-1)
		for i := 1; i < n; i++ {
			data = fmt.Appendf(data, "%d %d\n", i, i+1)
		}
		return data
	}
	repeat := strings.Repeat
	for _, c := range []struct {
		name  string
		data  []byte
		words string // "": within the budget
	}{
		{"faces.obj", []byte(triangle + repeat("f 1 2 3\n", 200_000)), "faces"},
		{"faces.obj", []byte(triangle + repeat("f 1 2 3\n", 110_000)), ""},
		{"corners.off", []byte("OFF\n3 200000 0\n0 0 0\n1 0 0\n0 1 0\n" + repeat("3 0 1 2\n", 200_000)), "faces"},
		{"vertices.obj", []byte(repeat("v 0 0 0\n", 200_000) + "v 1 0 0\nv 0 1 0\nf 1 200001 200002\n"), "vertices"},
		{"vertices.obj", []byte(repeat("v 0 0 0\n", 140_000) + "v 1 0 0\nv 0 1 0\nf 1 140001 140002\n"), ""},
		{"concave.obj", []byte(ring.String() + repeat("f"+corners+"\n", 3_000)), "faces"},
		{"concave.obj", []byte(ring.String() + repeat("f"+corners+"\n", 1_000)), ""},
		{"facets.stl", stl(150_000), "faces"},
		{"facets.stl", stl(30_000), ""},
		{"children.gltf", []byte(document(`"nodes":[{"children":[` + repeat("0,", 1_000_000) + `0]}]`)), "values"},
		{"texts.gltf", []byte(document(`"extensionsRequired":[` + repeat(`"",`, 700_000) + `""]`)), "values"},
		{"objects.gltf", []byte(document(`"nodes":[` + repeat("{},", 60_000) + `{}]`)), "values"},
		{"announced.gr", []byte("p tw 16000000 0\n"), "vertices"},
		{"edges.gr", []byte("p tw 1000 500000\n" + repeat("1 2\n", 500_000)), "edges"},
		{"edges.gr", []byte("p tw 1000 150000\n" + repeat("1 2\n", 150_000)), ""},
		{"laid.gr", path(45_000), "vertices"}, // read it is, but not laid out
		{"laid.gr", path(30_000), ""},
		{"rows.csv", []byte("id,from,to\n" + repeat("1,1,1\n", 300_000)), "edges"},
	} {
		if c.words == "" && testing.Short() {
			continue
		}
		const limit = 20_000_000
		load := &job.Load{Name: c.name, Data: c.data}
		if c.name == "rows.csv" {
			load.Files = []job.File{{Name: "v.csv", Data: []byte("id,x,y\n1,0,0\n")}}
		}
		e := newClient(t, engine.Options{FileLimit: limit})
		var answer job.Body
		bytes := allocated(func() { answer = e.do(load) })
		failed, refused := answer.(*job.Failed)
		most := int64(5 * limit) // in all: what lists leave behind as they grow is collected
		if c.words != "" && (!refused || failed.Kind != "memory" || !strings.Contains(failed.Message, c.words) || !strings.Contains(failed.Message, "20 MB are allowed")) {
			t.Errorf("%s of %d bytes: %+v", c.name, len(c.data), answer)
		}
		if c.words == "" && refused {
			t.Errorf("%s of %d bytes: %s", c.name, len(c.data), failed.Message)
		}
		if bytes > most {
			t.Errorf("%s of %d bytes: %d bytes were allocated, at most %d", c.name, len(c.data), bytes, most)
		}
	}
	// By default a small file may take 20 times its size and 128 MiB.
	refuse(newClient(t, engine.Options{}), &job.Load{Name: "announced.gr", Data: []byte("p tw 16000000 0\n")}, "memory", "134 MB are allowed")
}

// A star, all of whose faces share a vertex, takes the work of any other mesh of as many faces, whatever their order.
func TestStarsAreNoWorse(t *testing.T) {
	shared.Long(t)
	const n = 100_000
	var star, strip strings.Builder
	star.WriteString("v 0 0 1\n")
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		fmt.Fprintf(&star, "v %.9g %.9g 0\n", cos, sin)
		fmt.Fprintf(&strip, "v %d %d 0\n", i/2, i%2)
	}
	fmt.Fprintf(&strip, "v %d 0 0\n", n/2)
	for i := range n {
		k := (i * 7919) % n // all of them, in no order
		fmt.Fprintf(&star, "f 1 %d %d\n", k+2, (k+1)%n+2)
		fmt.Fprintf(&strip, "f %d %d %d\n", i%(n-2)+1, i%(n-2)+2, i%(n-2)+3)
	}
	took := func(name, text string) (seconds float64) {
		seconds = math.Inf(1)
		for range 3 {
			loaded := ask[*job.Loaded](newClient(t, engine.Options{}), &job.Load{Name: name, Data: []byte(text)})
			sum := 0.0
			for _, s := range loaded.Timings {
				sum += s.Seconds
			}
			seconds = min(seconds, sum)
		}
		return seconds
	}
	if a, b := took("star.obj", star.String()), took("strip.obj", strip.String()); a > 8*b {
		t.Errorf("a star of %d faces takes %.2g s, a strip of as many %.2g s", n, a, b)
	}
}
