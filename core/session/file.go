package session

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"genussink/core/job"
)

// Extension is what the name of a session file ends in.
const Extension = ".genussink"

// A file is the magic, the version (1 byte), and three parts, each after its
// length: the link without its painting; the painting, deflated, empty without
// one; the mesh, empty for a generator's: its name, its bytes, the number of
// further files and each one's name and bytes, the welding distance and a byte
// that says whether a graph is laid out in space. Lengths and counts are
// uvarints, numbers 8 bytes, little endian. Version 2 has a fourth part, the densities that a barycentre lies between: their number, and of each a byte that is
// 1 of a target, the weight, and the painting, deflated, after its length. Without such densities version 1 is written.
const (
	magic   = "GENUSSINK"
	version = 2

	maxPainting = 128 << 20 // bytes, inflated
	maxSteps    = 1 << 16
	maxFiles    = 1 << 10
)

// Is says whether a file's bytes begin as those of a session file.
func Is(data []byte) bool { return len(data) > len(magic) && string(data[:len(magic)]) == magic }

// Encode writes a session file.
func Encode(s *Session) []byte {
	w := &writer{buf: append([]byte(magic), 1)}
	if len(s.Kept) > 0 {
		w.buf[len(magic)] = version
	}
	w.string(s.settings())
	var painting []byte
	if s.Painting != nil {
		painting = encodePainting(s.Painting)
	}
	w.string(string(painting))
	mesh := encodeFile(s.File)
	length := 0
	for _, part := range mesh {
		length += len(part)
	}
	w.int(length)
	w.buf = slices.Grow(w.buf, length)
	for _, part := range mesh {
		w.buf = append(w.buf, part...)
	}
	if len(s.Kept) > 0 {
		w.bytes(encodeKept(s.Kept))
	}
	return w.buf
}

// encodeFile is a mesh's file in parts. The data is one of them and is not copied: it may be large. Without a file there are no parts.
func encodeFile(f *job.Load) (parts [][]byte) {
	if f == nil {
		return nil
	}
	w := &writer{}
	part := func(name string, data []byte) {
		w.string(name)
		w.int(len(data))
		parts, w = append(parts, w.buf, data), &writer{}
	}
	part(f.Name, f.Data)
	w.int(len(f.Files))
	for _, other := range f.Files {
		part(other.Name, other.Data)
	}
	w.float(f.Weld)
	if f.Space {
		w.buf = append(w.buf, 1)
	} else {
		w.buf = append(w.buf, 0)
	}
	return append(parts, w.buf)
}

// Decode reads what Encode wrote. It never panics, and allocates no more than
// the bytes that are there ask for; what is wrong is an error. The session's
// mesh shares the data's memory.
func Decode(data []byte) (*Session, error) {
	if !Is(data) {
		return nil, errors.New("not a session file: it does not begin with " + magic)
	}
	v := data[len(magic)]
	if v < 1 || v > version {
		return nil, fmt.Errorf("a session file of version %d, this program knows versions 1 to %d", v, version)
	}
	r := &reader{buf: data[len(magic)+1:]}
	link, painting, mesh := r.bytes("settings"), r.bytes("painting"), r.bytes("mesh")
	var kept []byte
	if v > 1 {
		kept = r.bytes("barycentre's densities")
	}
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%d bytes after the session's end", len(r.buf))
	}
	if r.err != nil {
		return nil, r.err
	}
	s, err := parse(string(link))
	if err != nil {
		return nil, err
	}
	if s.Painting != nil || s.Kept != nil {
		return nil, errors.New("a session file with a painting among its settings")
	}
	if len(painting) > 0 {
		if s.Painting, err = decodePainting(painting); err != nil {
			return nil, err
		}
	}
	if v > 1 {
		if s.Kept, err = decodeKept(kept); err != nil {
			return nil, err
		}
	}
	if len(mesh) > 0 {
		if s.File, err = decodeMesh(mesh); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func encodeKept(list []Kept) []byte {
	w := &writer{}
	w.int(len(list))
	for _, k := range list {
		target := byte(0)
		if k.Target {
			target = 1
		}
		w.buf = append(w.buf, target)
		w.float(k.Weight)
		w.bytes(encodePainting(k.Painting))
	}
	return w.buf
}

func decodeKept(data []byte) (list []Kept, err error) {
	r := &reader{buf: data}
	count := r.int("number of the barycentre's densities", MaxKept)
	if r.err == nil && count == 0 {
		return nil, errors.New("a barycentre of no densities")
	}
	for i := 0; i < count && r.err == nil; i++ {
		k := Kept{Target: r.byte("side of a density") == 1, Weight: r.float("weight of a density")}
		packed := r.bytes("painting of a density")
		if r.err == nil && !(k.Weight >= 0 && k.Weight <= 1) {
			r.fail(fmt.Errorf("density %d of the barycentre has the weight %g, not between 0 and 1", i+1, k.Weight))
		}
		if r.err != nil {
			break
		}
		if k.Painting, err = decodePainting(packed); err != nil {
			return nil, fmt.Errorf("density %d of the barycentre: %w", i+1, err)
		}
		list = append(list, k)
	}
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%d bytes after the barycentre's densities", len(r.buf))
	}
	return list, r.err
}

func decodeMesh(data []byte) (*job.Load, error) {
	r := &reader{buf: data}
	f := &job.Load{Name: string(r.bytes("mesh's name")), Data: r.bytes("mesh's bytes")}
	count := r.int("number of files", maxFiles)
	for i := 0; i < count && r.err == nil; i++ {
		f.Files = append(f.Files, job.File{Name: string(r.bytes("file's name")), Data: r.bytes("file's bytes")})
	}
	f.Weld = r.float("welding distance")
	f.Space = r.byte("layout") != 0
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%d bytes after the mesh", len(r.buf))
	}
	if r.err == nil && (!(f.Weld >= 0) || math.IsInf(f.Weld, 1)) {
		r.err = fmt.Errorf("a welding distance of %g", f.Weld)
	}
	return f, r.err
}

// kinds are the kinds of steps as the painting's bytes have them: append, never
// reorder.
var kinds = []string{job.StepMeasure, job.StrokeSource, job.StrokeTarget, job.StrokeErase, job.StepClear, job.StepSwap, job.StepValues, job.StepBalance, job.StrokeSmooth}

// What is set in the byte of a stroke's kind: it is a fill, it has pressures, one byte for each centre, after them, or it paints a density anew.
const (
	fillBit     = 0x80
	pressureBit = 0x40
	anewBit     = 0x20
)

func encodePainting(p *Painting) []byte {
	if p.packed != nil {
		return p.packed
	}
	w := &writer{}
	for _, n := range []int{p.Vertices, p.First, p.Now, len(p.Steps)} {
		w.int(n)
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		for kind, name := range kinds {
			if name == s.Kind {
				if s.Fill {
					kind |= fillBit
				}
				if len(s.Pressures) > 0 {
					kind |= pressureBit
				}
				if s.Anew {
					kind |= anewBit
				}
				w.buf = append(w.buf, byte(kind))
			}
		}
		switch {
		case s.Stroke():
			w.float(s.Radius)
			w.float(s.Strength)
			w.int(len(s.Centres))
			last := int32(0)
			for _, v := range s.Centres {
				w.buf = binary.AppendVarint(w.buf, int64(v-last))
				last = v
			}
			w.buf = append(w.buf, s.Pressures...)
		case s.Kind == job.StepMeasure:
			w.string(s.Measure.Preset)
			w.string(s.Measure.Components)
		case s.Kind == job.StepValues:
			for _, x := range s.Source {
				w.float(x)
			}
			for _, x := range s.Target {
				w.float(x)
			}
		}
	}
	p.packed = deflated(w.buf)
	return p.packed
}

// deflated is data compressed, the better the shorter it is.
func deflated(data []byte) []byte {
	level := flate.BestCompression
	if len(data) > 1<<20 {
		level = flate.BestSpeed
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil { // neither the level nor a buffer can be at fault
		panic("session: " + err.Error())
	}
	return out.Bytes()
}

func decodePainting(data []byte) (*Painting, error) {
	inflated, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxPainting+1))
	if err != nil {
		return nil, errors.New("the painting is damaged: it cannot be inflated")
	}
	if len(inflated) > maxPainting {
		return nil, fmt.Errorf("the painting takes more than %d bytes", maxPainting)
	}
	r := &reader{buf: inflated}
	p := &Painting{
		Vertices: r.int("painting's vertices", math.MaxInt32), First: r.int("painting's first step", maxSteps),
		Now: r.int("painting's present step", maxSteps),
	}
	count := r.int("number of steps", maxSteps)
	for i := 0; i < count && r.err == nil; i++ {
		p.Steps = append(p.Steps, r.step(p.Vertices))
	}
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%d bytes after the painting", len(r.buf))
	}
	if r.err == nil {
		r.err = p.check()
	}
	return p, r.err
}

func (r *reader) step(vertices int) (s job.Step) {
	said := int(r.byte("kind of a step"))
	kind := said &^ (fillBit | pressureBit | anewBit)
	if kind < len(kinds) {
		s.Kind = kinds[kind]
	}
	if kind >= len(kinds) || said != kind && !s.Stroke() {
		r.fail(fmt.Errorf("a step of the unknown kind %d", said))
		return s
	}
	s.Fill, s.Anew = said&fillBit != 0, said&anewBit != 0
	switch {
	case s.Stroke():
		s.Radius, s.Strength = r.float("brush's radius"), r.float("brush's strength")
		last := int64(0)
		for n := r.int("number of dabs", len(r.buf)); n > 0 && r.err == nil; n-- {
			v, size := binary.Varint(r.buf)
			if last += v; size <= 0 || v < -math.MaxInt32 || last < 0 || last > math.MaxInt32 {
				r.fail(errors.New("a dab that is at no vertex"))
				return s
			}
			r.buf = r.buf[size:]
			s.Centres = append(s.Centres, int32(last))
		}
		if said&pressureBit != 0 {
			s.Pressures = slices.Clone(r.take("pressures", len(s.Centres)))
		}
	case s.Kind == job.StepMeasure:
		s.Measure.Preset, s.Measure.Components = string(r.bytes("preset")), string(r.bytes("components"))
	case s.Kind == job.StepValues:
		if vertices > len(r.buf)/16 {
			r.fail(fmt.Errorf("the values of %d vertices in %d bytes", vertices, len(r.buf)))
			return s
		}
		for _, values := range []*[]float64{&s.Source, &s.Target} {
			*values = make([]float64, vertices)
			for v := range *values {
				(*values)[v] = r.float("values")
			}
		}
	}
	return s
}

type writer struct{ buf []byte }

func (w *writer) int(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }
func (w *writer) float(x float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(x))
}
func (w *writer) bytes(b []byte)  { w.int(len(b)); w.buf = append(w.buf, b...) }
func (w *writer) string(s string) { w.int(len(s)); w.buf = append(w.buf, s...) }

// reader takes from the start of buf; after the first error it yields zeros.
type reader struct {
	buf []byte
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) int(what string, most int) int {
	if r.err != nil {
		return 0
	}
	n, size := binary.Uvarint(r.buf)
	if size <= 0 || n > uint64(most) {
		r.fail(fmt.Errorf("the file is damaged at the %s", what))
		return 0
	}
	r.buf = r.buf[size:]
	return int(n)
}

func (r *reader) take(what string, n int) []byte {
	if r.err != nil || n > len(r.buf) {
		r.fail(fmt.Errorf("the file ends in the %s", what))
		return nil
	}
	b := r.buf[:n:n]
	r.buf = r.buf[n:]
	return b
}

func (r *reader) bytes(what string) []byte {
	return r.take(what, r.int("length of the "+what, math.MaxInt))
}

func (r *reader) byte(what string) byte {
	if b := r.take(what, 1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) float(what string) float64 {
	if b := r.take(what, 8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}
