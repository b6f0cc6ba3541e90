// Package mutation holds every decoder of the project to mutations of the project's own files: no panic, no more time
// and memory than a file may take, and as many vertices and faces as an independent count finds.
//
//	make mutate             10,000 mutations
//	make mutate SEED=7      the same again
package mutation

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"genussink/core/graphio"
	"genussink/core/internal/budget"
	"genussink/core/internal/shared"
	"genussink/core/job"
	"genussink/core/mesh/generate"
	"genussink/core/meshio"
	"genussink/core/session"
	"genussink/core/treedec"
)

var (
	mutations = flag.Int("mutations", 400, "how many inputs are tried")
	seed      = flag.Uint64("seed", 1, "of all choices")
)

// counts are what a file has; -1: nobody can tell.
type counts struct{ vertices, faces int }

var unknown = counts{-1, -1}

// decoder is one kind of file: how it is read, and how what is in it is counted without the reader.
type decoder struct {
	name   string
	read   func(data []byte) (counts, error)
	count  func(data []byte) counts
	corpus [][]byte
}

// limit is how much of a processor one input may take.
const limit = 20 * time.Second

func TestMutations(t *testing.T) {
	t.Logf("seed %d, %d mutations", *seed, *mutations)
	rng := rand.New(rand.NewPCG(*seed, 22))
	all := decoders(t)
	told := map[string]int{}
	for n := range *mutations {
		d := all[n%len(all)]
		data := slices.Clone(d.corpus[rng.IntN(len(d.corpus))])
		for range 1 + rng.IntN(3) {
			data = mutate(rng, data, d.corpus)
		}
		got, fault := try(d, data)
		if fault == "" && d.count != nil && got != unknown {
			if want := d.count(data); want != unknown {
				told[d.name]++
				if want.vertices >= 0 && want.vertices != got.vertices || want.faces >= 0 && want.faces != got.faces {
					fault = fmt.Sprintf("%d vertices and %d faces were read, there are %d and %d", got.vertices, got.faces, want.vertices, want.faces)
				}
			}
		}
		if fault != "" {
			file := filepath.Join(os.TempDir(), fmt.Sprintf("mutation-%d-%d-%s", *seed, n, d.name))
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Error(err)
			}
			t.Errorf("seed %d, mutation %d: %s: %s; the input is in %s", *seed, n, d.name, fault, file)
		}
	}
	t.Logf("counted independently: %v", told)
	for _, d := range all { // or the count says nothing
		if tried := *mutations / len(all); d.count != nil && told[d.name] < tried/50+1 {
			t.Errorf("%s: only %d of %d mutations were counted", d.name, told[d.name], tried)
		}
	}
}

// try decodes one input and counts what it holds. fault says which limit the decoder broke, "" none.
func try(d *decoder, data []byte) (got counts, fault string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				fault = fmt.Sprintf("panic: %v", p)
			}
		}()
		got, err = d.read(slices.Clone(data))
	}()
	for start, over := shared.Processor(), false; !over; {
		select {
		case <-done:
			over = true
		case <-time.After(time.Second):
			if shared.Processor().Sub(start) > limit {
				return unknown, fmt.Sprintf("it takes more than %v of a processor", limit)
			}
		}
	}
	runtime.ReadMemStats(&after)
	most := 5 * (budget.Least + budget.Share*uint64(len(data))) // garbage included
	switch bytes := after.TotalAlloc - before.TotalAlloc; {
	case fault != "":
	case bytes > most:
		fault = fmt.Sprintf("%d bytes were allocated for %d, at most %d", bytes, len(data), most)
	case err != nil && (err.Error() == "" || strings.Contains(err.Error(), "the document is inconsistent") || strings.Contains(err.Error(), "runtime error")):
		fault = fmt.Sprintf("the error is %q", err)
	}
	if err != nil {
		got = unknown
	}
	return got, fault
}

// numbers are what often goes wrong.
var numbers = strings.Fields("0 -1 1 2 3 255 256 65535 65536 2147483647 2147483648 4294967295 -2147483649 9223372036854775808 1e999 -1e309 nan inf 0x10 1_0 1e-320 .5 1e 007")

// mutate changes one thing.
func mutate(rng *rand.Rand, data []byte, corpus [][]byte) []byte {
	if len(data) == 0 {
		return []byte("x")
	}
	at := func() int { return rng.IntN(len(data)) }
	piece := func() (from, to int) {
		from = at()
		return from, min(len(data), from+1+rng.IntN(1+min(len(data), 64)))
	}
	switch rng.IntN(11) {
	case 0:
		data[at()] ^= 1 << rng.IntN(8)
	case 1:
		data[at()] = []byte{0, 1, 0x7f, 0x80, 0xff, '-', '.', '\n', ' ', '"'}[rng.IntN(10)]
	case 2: // cut short
		data = data[:at()]
	case 3:
		from, to := piece()
		data = slices.Delete(data, from, to)
	case 4: // said twice
		from, to := piece()
		data = slices.Insert(data, at(), slices.Clone(data[from:to])...)
	case 5: // a hole
		from, to := piece()
		clear(data[from:to])
	case 6: // a word of 32 bits
		if len(data) >= 4 {
			binary.LittleEndian.PutUint32(data[rng.IntN(len(data)-3):], []uint32{0, 1, 1 << 16, 1 << 31, math.MaxUint32, uint32(len(data)), rng.Uint32()}[rng.IntN(7)])
		}
	case 7, 8: // a number in a text
		from := at()
		for from < len(data) && !strings.ContainsRune("0123456789", rune(data[from])) {
			from++
		}
		to := from
		for to < len(data) && strings.ContainsRune("0123456789.e-", rune(data[to])) {
			to++
		}
		data = slices.Concat(data[:from], []byte(numbers[rng.IntN(len(numbers))]), data[to:])
	case 9: // two pieces change places
		a, b := at(), at()
		data[a], data[b] = data[b], data[a]
	case 10: // of another file
		other := corpus[rng.IntN(len(corpus))]
		data = slices.Concat(data[:at()], other[rng.IntN(len(other)):])
	}
	return data
}

func decoders(t *testing.T) (all []*decoder) {
	t.Helper()
	for _, format := range meshio.Formats() {
		d := &decoder{name: format, read: func(data []byte) (counts, error) {
			r, err := meshio.Read("a."+format, bytes.NewReader(data), meshio.Options{})
			if err != nil {
				return unknown, err
			}
			return counts{len(r.Mesh.Positions), len(r.Mesh.Faces)}, nil
		}}
		d.count = map[string]func([]byte) counts{"obj": countOBJ, "off": countOFF, "ply": countPLY, "stl": countSTL, "glb": countGLB, "gltf": countGLTF}[format]
		for _, params := range []map[string]float64{{"frequency": 1}, {"frequency": 3}} {
			m, err := generate.Make("sphere", params)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := meshio.Write(&b, format, m); err != nil {
				t.Fatal(err)
			}
			d.corpus = append(d.corpus, b.Bytes())
		}
		all = append(all, d)
	}
	gallery, err := filepath.Glob("../../../assets/meshes/*.glb")
	if err != nil || len(gallery) == 0 {
		t.Fatal("the gallery is not there", err)
	}
	glb := all[slices.IndexFunc(all, func(d *decoder) bool { return d.name == "glb" })]
	for _, name := range gallery {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		glb.corpus = append(glb.corpus, data)
	}
	graph := func(name string, files func(data []byte) (graphio.File, []graphio.File)) func(data []byte) (counts, error) {
		return func(data []byte) (counts, error) {
			main, others := files(data)
			net, err := graphio.Read(main, others, 0)
			if err != nil {
				return unknown, err
			}
			return counts{net.Graph.Len(), -1}, nil
		}
	}
	alone := func(name string) func(data []byte) (graphio.File, []graphio.File) {
		return func(data []byte) (graphio.File, []graphio.File) { return graphio.File{Name: name, Data: data}, nil }
	}
	const (
		pace   = "c a ring\np tw 6 6\n1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n"
		dimacs = "c a road\np sp 4 6\na 1 2 10\na 2 1 10\na 2 3 2.5\na 3 2 2.5\na 3 4 1e3\na 4 3 1e3\n"
		places = "v 1 12500000 41900000\nv 2 12510000 41900000\nv 3 12520000 41910000\nv 4 12530000 41900000\n"
		points = "id,lat,lon\n10,41.9,12.5\n11,41.91,12.5\n12,41.92,12.51\n"
		edges  = "id,from,to\n1,10,11\n2,11,12\n3,12,10\n"
		td     = "s td 4 3 6\nb 1 1 2 6\nb 2 2 3 6\nb 3 3 5 6\nb 4 3 4 5\n1 2\n2 3\n3 4\n"
	)
	texts := func(s ...string) (corpus [][]byte) {
		for _, x := range s {
			corpus = append(corpus, []byte(x))
		}
		return corpus
	}
	none := func(err error) (counts, error) { return unknown, err }
	return append(all,
		&decoder{"PACE", graph("a.gr", alone("a.gr")), countGraph("tw"), texts(pace)},
		&decoder{"DIMACS", graph("a.gr", alone("a.gr")), countGraph("sp"), texts(dimacs)},
		&decoder{"coordinates", graph("a.gr", func(data []byte) (graphio.File, []graphio.File) {
			return graphio.File{Name: "a.gr", Data: []byte(dimacs)}, []graphio.File{{Name: "a.co", Data: data}}
		}), nil, texts(places)},
		&decoder{"points", graph("v.csv", func(data []byte) (graphio.File, []graphio.File) {
			return graphio.File{Name: "v.csv", Data: data}, []graphio.File{{Name: "e.csv", Data: []byte(edges)}}
		}), nil, texts(points)},
		&decoder{"roads", graph("v.csv", func(data []byte) (graphio.File, []graphio.File) {
			return graphio.File{Name: "v.csv", Data: []byte(points)}, []graphio.File{{Name: "e.csv", Data: data}}
		}), nil, texts(edges)},
		&decoder{"decomposition", func(data []byte) (counts, error) {
			_, err := treedec.ReadPACE(bytes.NewReader(data))
			return none(err)
		}, nil, texts(td)},
		&decoder{"order", func(data []byte) (counts, error) {
			_, err := treedec.ReadOrder(bytes.NewReader(data), 6)
			return none(err)
		}, nil, texts("3\n1\n2\n4\n6\n5\n", "1 2 3 4 5 6\n")},
		&decoder{"message", func(data []byte) (counts, error) {
			_, _, err := job.Decode(data)
			return none(err)
		}, nil, [][]byte{
			job.Encode(3, &job.Solve{Source: []float64{1, 2, 3}, Target: []float64{3, 2, 1}, KernelSpec: job.KernelSpec{Epsilon: job.Fraction(0.2), Method: "exact"}}),
			job.Encode(4, &job.Loaded{Name: "a.obj", Positions: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Faces: []int32{0, 1, 2}}),
			job.Encode(5, &job.Paint{Vertices: 3, Steps: []job.Step{{Kind: job.StrokeSource, Radius: 1, Strength: 0.5, Centres: []int32{0, 1}}}}),
		}},
		&decoder{"session", func(data []byte) (counts, error) {
			_, err := session.Decode(data)
			return none(err)
		}, nil, [][]byte{session.Encode(&session.Session{
			Level: 2, Epsilon: 0.1, Method: "exact", File: &job.Load{Name: "a.gr", Data: []byte(pace)},
			Painting: &session.Painting{Vertices: 6, Steps: []job.Step{{Kind: job.StepClear}, {Kind: job.StrokeSource, Radius: 1, Strength: 0.5, Centres: []int32{0, 5}}}, First: 1, Now: 2},
		})}},
		&decoder{"link", func(data []byte) (counts, error) {
			_, err := session.ParseLink(string(data))
			return none(err)
		}, nil, texts("v=3&mesh=cat&level=2&eps=0.1&method=certified&delta=0.02&brush=0.1,0.5&on=wireframe&cam=py,0.1,0.2,0.9,0,0,0")},
	)
}

// lines are the lines of a text without comments; nil where it is not plainly one.
func lines(data []byte) (all [][]string) {
	if bytes.ContainsAny(data, "\x00\r\\\v\f") || !bytes.HasPrefix(bytes.ToValidUTF8(data, nil), data) {
		return nil
	}
	for _, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		text, _, _ := strings.Cut(line, "#")
		all = append(all, strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' }))
	}
	return all
}

func countOBJ(data []byte) counts {
	var c counts
	all := lines(data)
	for _, f := range all {
		switch {
		case len(f) == 0:
		case f[0] == "v":
			c.vertices++
		case f[0] == "f" || f[0] == "fo":
			c.faces += max(0, len(f)-3)
		}
	}
	if all == nil {
		return unknown
	}
	return c
}

// countOFF counts a file that is laid out line by line.
func countOFF(data []byte) counts {
	all := slices.DeleteFunc(lines(data), func(f []string) bool { return len(f) == 0 })
	if len(all) < 2 || len(all[0]) != 1 || all[0][0] != "OFF" || len(all[1]) != 3 {
		return unknown
	}
	vertices, err := strconv.Atoi(all[1][0])
	faces, wrong := strconv.Atoi(all[1][1])
	if all = all[2:]; err != nil || wrong != nil || vertices < 0 || faces < 0 || vertices > len(all) || faces > len(all)-vertices {
		return unknown
	}
	c := counts{vertices: vertices}
	for i, f := range all[:vertices+faces] {
		if i < vertices {
			if len(f) != 3 {
				return unknown
			}
			continue
		}
		corners, err := strconv.Atoi(f[0])
		if err != nil || len(f) <= corners {
			return unknown
		}
		c.faces += max(0, corners-2)
	}
	return c
}

// countPLY counts a file as the project writes it.
func countPLY(data []byte) counts {
	head, body, ok := bytes.Cut(data, []byte("end_header\n"))
	var vertices, faces int
	var rest string
	if n, err := fmt.Sscanf(string(head), "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\nelement face %d\nproperty list uchar int vertex_indices\n%s", &vertices, &faces, &rest); n < 2 || rest != "" || !ok || err == nil {
		return unknown
	}
	if !bytes.HasSuffix(head, []byte("\nproperty list uchar int vertex_indices\n")) || vertices < 0 || vertices > len(body)/24 {
		return unknown
	}
	body = body[24*vertices:]
	c := counts{vertices: vertices}
	for range faces {
		if len(body) == 0 || len(body) < 1+4*int(body[0]) {
			return unknown
		}
		c.faces += max(0, int(body[0])-2)
		body = body[1+4*int(body[0]):]
	}
	return c
}

func countSTL(data []byte) counts {
	if len(data) < 84 || bytes.HasPrefix(bytes.TrimSpace(data), []byte("solid")) || bytes.HasPrefix(bytes.TrimSpace(data), []byte("facet")) {
		return unknown
	}
	n := int(binary.LittleEndian.Uint32(data[80:]))
	if n > (len(data)-84)/50 {
		return unknown
	}
	seen := map[[3]float32]bool{}
	for f := range n {
		for corner := range 3 {
			var p [3]float32
			for c := range p {
				p[c] = math.Float32frombits(binary.LittleEndian.Uint32(data[84+50*f+12+12*corner+4*c:]))
			}
			seen[p] = true
		}
	}
	return counts{len(seen), n}
}

func countGLB(data []byte) counts {
	if len(data) < 20 || string(data[:4]) != "glTF" {
		return unknown
	}
	size := int(binary.LittleEndian.Uint32(data[12:]))
	if size < 0 || size > len(data)-20 {
		return unknown
	}
	return countGLTF(data[20 : 20+size])
}

// countGLTF counts the triangles of a document with one node, one mesh and one primitive. Welding leaves an unknown number of vertices.
func countGLTF(data []byte) counts {
	var doc struct {
		Nodes     []map[string]any
		Meshes    []struct{ Primitives []map[string]any }
		Accessors []struct{ Count float64 }
	}
	if json.Unmarshal(bytes.TrimRight(data, " \x00"), &doc) != nil || len(doc.Nodes) != 1 || len(doc.Meshes) != 1 || len(doc.Meshes[0].Primitives) != 1 {
		return unknown
	}
	p := doc.Meshes[0].Primitives[0]
	at, ok := p["indices"].(float64)
	if mode, given := p["mode"]; !ok || given && mode != 4. || at < 0 || int(at) >= len(doc.Accessors) {
		return unknown
	}
	return counts{-1, int(doc.Accessors[int(at)].Count) / 3}
}

// countGraph counts the vertices of a .gr file.
func countGraph(kind string) func(data []byte) counts {
	return func(data []byte) counts {
		for _, line := range strings.Split(string(data), "\n") {
			if f := strings.Fields(line); len(f) == 4 && f[0] == "p" && f[1] == kind {
				if n, err := strconv.Atoi(f[2]); err == nil {
					return counts{n, -1}
				}
			}
		}
		return unknown
	}
}
