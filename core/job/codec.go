package job

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// Version is the version of the binary form. A frame of another version is
// refused: both ends are built from one tree, so a difference means a stale
// cache.
const Version = 1

// A frame is the magic "GSJ", the version (1 byte), the message's kind (1 byte), its id (4
// bytes), and the fields in order: integers as 8 bytes, floats as their bits,
// strings and slices as a 4-byte count and the elements; all little endian.
// Slices of numbers are raw memory, so that a frame costs a copy.
const magic = "GSJ"

// Body is what a Request or an Event carries: one of this package's message
// types, by pointer.
type Body interface {
	fields(c *coder) // one list of fields serves both directions
}

// The kinds, by position: append, never reorder.
var kinds = []func() Body{
	func() Body { return new(Load) },
	func() Body { return new(Generate) },
	func() Body { return new(Loaded) },
	func() Body { return new(Separate) },
	func() Body { return new(Separated) },
	func() Body { return new(Measure) },
	func() Body { return new(Measured) },
	func() Body { return new(Brush) },
	func() Body { return new(Brushed) },
	func() Body { return new(Distance) },
	func() Body { return new(Path) },
	func() Body { return new(Solve) },
	func() Body { return new(Solved) },
	func() Body { return new(Partners) },
	func() Body { return new(Partnered) },
	func() Body { return new(Push) },
	func() Body { return new(Pushed) },
	func() Body { return new(Flow) },
	func() Body { return new(Flowed) },
	func() Body { return new(Cancel) },
	func() Body { return new(Progress) },
	func() Body { return new(Failed) },
	func() Body { return new(Cancelled) },
	func() Body { return new(Apply) },
	func() Body { return new(Applied) },
	func() Body { return new(Label) },
	func() Body { return new(Labelled) },
	func() Body { return new(Rows) },
	func() Body { return new(Rowed) },
	func() Body { return new(Hold) },
	func() Body { return new(Held) },
	func() Body { return new(Tune) },
	func() Body { return new(Tuned) },
	func() Body { return new(Multiply) },
	func() Body { return new(Multiplied) },
	func() Body { return new(Sweep) },
	func() Body { return new(Swept) },
	func() Body { return new(Decompose) },
	func() Body { return new(Narrowed) },
	func() Body { return new(Decomposed) },
	func() Body { return new(Between) },
	func() Body { return new(Shared) },
	func() Body { return new(Centres) },
	func() Body { return new(Centred) },
	func() Body { return new(Draw) },
	func() Body { return new(Drawn) },
	func() Body { return new(Dissect) },
	func() Body { return new(Dissected) },
	func() Body { return new(Flowing) },
	func() Body { return new(Paint) },
	func() Body { return new(Painted) },
	func() Body { return new(Polish) },
	func() Body { return new(Polishing) },
	func() Body { return new(Polished) },
	func() Body { return new(Opened) },
	func() Body { return new(Forecasted) },
	func() Body { return new(Balance) },
	func() Body { return new(Inspect) },
	func() Body { return new(Inspected) },
	func() Body { return new(Shade) },
	func() Body { return new(Shaded) },
	func() Body { return new(Export) },
	func() Body { return new(Exported) },
	func() Body { return new(Animate) },
	func() Body { return new(Mirror) },
	func() Body { return new(Mirrored) },
	func() Body { return new(Minimum) },
	func() Body { return new(Minimised) },
	func() Body { return new(Barycentre) },
	func() Body { return new(Barycentred) },
	func() Body { return new(Retrace) },
	func() Body { return new(Retraced) },
	func() Body { return new(Check) },
	func() Body { return new(Block) },
	func() Body { return new(Blocked) },
	func() Body { return new(Profile) },
	func() Body { return new(Profiled) },
	func() Body { return new(Benchmark) },
	func() Body { return new(Benchmarking) },
	func() Body { return new(Benchmarked) },
}

func kindOf(b Body) (byte, bool) {
	for kind, make := range kinds {
		if reflect.TypeOf(make()) == reflect.TypeOf(b) {
			return byte(kind), true
		}
	}
	return 0, false
}

// Encode writes a message as one frame.
func Encode(id uint32, b Body) []byte {
	kind, ok := kindOf(b)
	if !ok {
		panic("job: Encode: not a message type")
	}
	c := &coder{writing: true, buf: append(append(make([]byte, 0, 64), magic...), Version, kind)}
	c.buf = binary.LittleEndian.AppendUint32(c.buf, id)
	b.fields(c)
	return c.buf
}

// Decode reads one frame. It never panics: a frame that is short, long, of
// another version or of no known kind is an error, and counts are checked
// against the bytes that are there before anything is allocated.
func Decode(frame []byte) (id uint32, b Body, err error) {
	if len(frame) < len(magic)+6 || string(frame[:len(magic)]) != magic {
		return 0, nil, errors.New("job: not a message frame")
	}
	if v := frame[len(magic)]; v != Version {
		return 0, nil, fmt.Errorf("job: message of version %d, this is version %d: reload the page", v, Version)
	}
	kind := int(frame[len(magic)+1])
	if kind >= len(kinds) {
		return 0, nil, fmt.Errorf("job: message of unknown kind %d", kind)
	}
	id = binary.LittleEndian.Uint32(frame[len(magic)+2:])
	b = kinds[kind]()
	c := &coder{buf: frame[len(magic)+6:]}
	b.fields(c)
	if c.err == nil && len(c.buf) > 0 {
		c.err = fmt.Errorf("job: %d bytes after the message", len(c.buf))
	}
	if c.err != nil {
		return id, nil, c.err
	}
	return id, b, nil
}

// coder writes fields to the end of buf, or reads them from its start.
type coder struct {
	writing bool
	buf     []byte
	err     error // of the first read that failed; reads after it yield zeros
}

// take returns the next n bytes when reading, nil once they have run out.
func (c *coder) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.buf) {
		c.err = fmt.Errorf("job: message ends early: %d bytes wanted, %d left", n, len(c.buf))
		return nil
	}
	b := c.buf[:n:n]
	c.buf = c.buf[n:]
	return b
}

// count codes the length of a slice whose elements take at least size bytes.
func (c *coder) count(n, size int) int {
	if c.writing {
		if n > math.MaxUint32 {
			panic("job: slice too long for a frame")
		}
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(n))
		return n
	}
	b := c.take(4)
	if b == nil {
		return 0
	}
	got := int(binary.LittleEndian.Uint32(b))
	if got < 0 || got > len(c.buf)/size {
		c.err = fmt.Errorf("job: message announces %d elements of %d bytes, %d bytes are left", got, size, len(c.buf))
		return 0
	}
	return got
}

// room adds size bytes to write on.
func (c *coder) room(size int) []byte {
	at := len(c.buf)
	c.buf = slices.Grow(c.buf, size)[:at+size]
	return c.buf[at:]
}

func (c *coder) uint64(p *uint64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *p)
	} else if b := c.take(8); b != nil {
		*p = binary.LittleEndian.Uint64(b)
	}
}

func (c *coder) int64(p *int64) {
	u := uint64(*p)
	c.uint64(&u)
	*p = int64(u)
}

func (c *coder) int(p *int) {
	u := uint64(*p)
	c.uint64(&u)
	*p = int(int64(u))
}

func (c *coder) int32(p *int32) {
	i := int(*p)
	c.int(&i)
	if !c.writing && (i < math.MinInt32 || i > math.MaxInt32) && c.err == nil {
		c.err = fmt.Errorf("job: %d does not fit 32 bits", i)
	}
	*p = int32(i)
}

func (c *coder) uint32(p *uint32) {
	i := int64(*p)
	c.int64(&i)
	if !c.writing && (i < 0 || i > math.MaxUint32) && c.err == nil {
		c.err = fmt.Errorf("job: %d does not fit 32 bits", i)
	}
	*p = uint32(i)
}

func (c *coder) float(p *float64) {
	u := math.Float64bits(*p)
	c.uint64(&u)
	*p = math.Float64frombits(u)
}

func (c *coder) bool(p *bool) {
	var u uint64
	if *p {
		u = 1
	}
	c.uint64(&u)
	if u > 1 && c.err == nil {
		c.err = fmt.Errorf("job: truth value %d", u)
	}
	*p = u == 1
}

func (c *coder) string(p *string) {
	n := c.count(len(*p), 1)
	if c.writing {
		c.buf = append(c.buf, *p...)
	} else {
		*p = string(c.take(n))
	}
}

func (c *coder) bytes(p *[]byte) {
	n := c.count(len(*p), 1)
	if c.writing {
		c.buf = append(c.buf, *p...)
	} else if n > 0 {
		*p = append([]byte(nil), c.take(n)...)
	}
}

func (c *coder) floats(p *[]float64) { numbers(c, p) }
func (c *coder) shorts(p *[]float32) { numbers(c, p) }
func (c *coder) ints(p *[]int32)     { numbers(c, p) }

// numbers codes a slice of numbers by its memory: kernels' labels are millions.
func numbers[T float64 | float32 | int32](c *coder, p *[]T) {
	var one T
	size := int(unsafe.Sizeof(one))
	n := c.count(len(*p), size)
	if c.writing {
		littleEndian(c.room(size*n), memory(*p), size)
	} else if b := c.take(size * n); n > 0 && b != nil {
		*p = make([]T, n)
		littleEndian(memory(*p), b, size)
	}
}

// lists codes slices of numbers.
func lists[T float64 | float32](c *coder, p *[][]T) {
	if c.writing {
		size := 0
		for _, l := range *p {
			size += 4 + len(memory(l))
		}
		c.buf = slices.Grow(c.buf, size) // once
	}
	list(c, p, 4, func(l *[]T) { numbers(c, l) })
}

// memory is that of some numbers.
func memory[T float64 | float32 | int32](p []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(p))), len(p)*int(unsafe.Sizeof(one)))
}

// bigEndian says that this machine's numbers are not as a frame's are.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// littleEndian copies numbers of a size between this machine's memory and a frame, either way.
func littleEndian(to, from []byte, size int) {
	copy(to, from)
	for ; bigEndian && len(to) > 0; to = to[size:] {
		slices.Reverse(to[:size])
	}
}

// list codes a slice of structs, each of at least size bytes, by each.
func list[T any](c *coder, p *[]T, size int, each func(*T)) {
	n := c.count(len(*p), size)
	if !c.writing && n > 0 {
		*p = make([]T, n)
	}
	for i := range *p {
		each(&(*p)[i])
	}
}

func (c *coder) timings(p *[]Timing) {
	list(c, p, 12, func(t *Timing) { c.string(&t.Stage); c.float(&t.Seconds) })
}

func (m *Load) fields(c *coder) {
	c.string(&m.Name)
	c.bytes(&m.Data)
	list(c, &m.Files, 8, func(f *File) { c.string(&f.Name); c.bytes(&f.Data) })
	c.float(&m.Weld)
	c.bool(&m.Space)
	c.bool(&m.Brief)
	list(c, &m.Repairs, 4, c.string)
}

func (m *Generate) fields(c *coder) {
	c.string(&m.Kind)
	list(c, &m.Params, 12, func(p *Param) { c.string(&p.Name); c.float(&p.Value) })
	c.bool(&m.Brief)
}

func (m *Forecasted) fields(c *coder) {
	m.Asked.fields(c)
	list(c, &m.Others, 104, func(o *Outlook) { o.fields(c) })
	c.float(&m.Patience)
	c.int64(&m.Limit)
}

func (o *Outlook) fields(c *coder) {
	o.KernelSpec.fields(c)
	c.int64(&o.Bytes)
	c.float(&o.Seconds)
}

func (m *Opened) fields(c *coder) {
	c.string(&m.Name)
	c.string(&m.Format)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.bool(&m.Graph)
	c.ints(&m.Edges)
	c.floats(&m.Lengths)
	c.floats(&m.Numbers)
	c.bool(&m.Flat)
	c.float(&m.Diagonal)
	list(c, &m.Warnings, 4, c.string)
	list(c, &m.Repaired, 12, func(x *Repaired) { c.string(&x.Step); c.int(&x.Count) })
	c.timings(&m.Timings)
}

func (m *Loaded) fields(c *coder) {
	c.string(&m.Name)
	c.string(&m.Format)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.ints(&m.Edges)
	c.bool(&m.Flat)
	c.ints(&m.Component)
	m.Report.fields(c)
	c.timings(&m.Timings)
}

func (r *Report) fields(c *coder) {
	for _, p := range []*int{
		&r.Vertices, &r.Faces, &r.Edges, &r.Components, &r.BoundaryLoops, &r.Euler, &r.Genus,
		&r.NonmanifoldEdges, &r.NonmanifoldVertices, &r.DegenerateFaces, &r.IsolatedVertices,
	} {
		c.int(p)
	}
	for _, p := range []*float64{&r.EdgeMin, &r.EdgeMean, &r.EdgeMax, &r.Diagonal} {
		c.float(p)
	}
	c.bool(&r.Watertight)
	c.bool(&r.Oriented)
	list(c, &r.Warnings, 4, c.string)
}

func (m *Separate) fields(c *coder) {
	c.string(&m.Finder)
	c.float(&m.Balance)
	c.int(&m.Depth)
	c.float(&m.Patience)
	c.bytes(&m.Root)
}

func (m *Separated) fields(c *coder) {
	c.string(&m.Finder)
	list(c, &m.Nodes, 56, func(n *Node) {
		for _, p := range []*int32{&n.Parent, &n.Left, &n.Right, &n.Depth, &n.A, &n.S, &n.B} {
			c.int32(p)
		}
	})
	c.ints(&m.Cells)
	c.timings(&m.Timings)
}

func (m *Sweep) fields(*coder) {}

func (m *Swept) fields(c *coder) {
	list(c, &m.Cuts, 28, func(x *Cut) {
		for _, p := range []*int32{&x.A, &x.S, &x.B} {
			c.int32(p)
		}
		c.bytes(&x.Sides)
	})
	c.timings(&m.Timings)
}

func (m *Decompose) fields(c *coder) { c.float(&m.Seconds) }

func (m *Check) fields(c *coder) {
	c.string(&m.Name)
	c.bytes(&m.Data)
}

func (m *Narrowed) fields(c *coder) {
	c.int(&m.Lower)
	c.int(&m.Upper)
	m.Decomposition.fields(c)
}

func (m *Decomposed) fields(c *coder) {
	c.int(&m.Lower)
	c.int(&m.Upper)
	c.bool(&m.Exact)
	c.string(&m.Status)
	m.Decomposition.fields(c)
	c.timings(&m.Timings)
}

func (d *Decomposition) fields(c *coder) {
	for _, p := range []*[]int32{&d.Parents, &d.Sizes, &d.Tops, &d.Offsets, &d.Ends, &d.Order} {
		c.ints(p)
	}
}

func (m *Measure) fields(c *coder) {
	c.string(&m.Preset)
	c.string(&m.Components)
}

func (m *Balance) fields(c *coder) {
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (m *Measured) fields(c *coder) {
	c.string(&m.Preset)
	c.string(&m.Components)
	c.string(&m.Note)
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (s *Step) fields(c *coder) {
	c.string(&s.Kind)
	s.Measure.fields(c)
	c.float(&s.Radius)
	c.float(&s.Strength)
	c.ints(&s.Centres)
	c.bytes(&s.Pressures)
	c.bool(&s.Fill)
	c.bool(&s.Anew)
	c.floats(&s.Source)
	c.floats(&s.Target)
}

func (m *Paint) fields(c *coder) {
	c.int(&m.Vertices)
	list(c, &m.Steps, 40, func(s *Step) { s.fields(c) })
	c.int(&m.First)
}

func (m *Painted) fields(c *coder) {
	list(c, &m.States, 20, func(s *Measured) { s.fields(c) })
}

func (m *Brush) fields(c *coder) {
	c.int32(&m.Center)
	c.float(&m.Radius)
	c.bool(&m.Edges)
	c.bool(&m.Tree)
}

func (m *Brushed) fields(c *coder) {
	c.int32(&m.Center)
	c.ints(&m.Vertices)
	c.floats(&m.Distances)
	c.ints(&m.Edges)
	c.floats(&m.Lengths)
	c.ints(&m.Before)
}

func (m *Inspect) fields(*coder) {}

func (m *Mirror) fields(*coder) {}

func (m *Mirrored) fields(c *coder) {
	c.string(&m.Axis)
	c.ints(&m.Partners)
}

func (m *Inspected) fields(c *coder) {
	list(c, &m.BoundaryLoops, 4, func(l *Loop) { c.ints(&l.Vertices) })
	list(c, &m.SmallComponents, 4, func(x *Component) { c.ints(&x.Vertices) })
	c.int(&m.Doubles)
	for _, p := range []*[]int32{&m.NonmanifoldEdges, &m.NonmanifoldVertices, &m.DegenerateFaces, &m.FlippedFaces, &m.IsolatedVertices, &m.Edges, &m.Bent} {
		c.ints(p)
	}
	for _, p := range []*[]float64{&m.EdgeLengths, &m.AspectRatios, &m.Degrees, &m.Angles, &m.Mean, &m.Gaussian} {
		c.floats(p)
	}
	c.timings(&m.Timings)
}

func (m *Shade) fields(*coder) {}

func (m *Shaded) fields(c *coder) {
	c.ints(&m.Faces)
	c.ints(&m.Doubles)
	c.shorts(&m.Normals)
	c.shorts(&m.Open)
}

func (m *Distance) fields(c *coder) {
	c.int32(&m.From)
	c.int32(&m.To)
}

func (m *Path) fields(c *coder) {
	c.ints(&m.Vertices)
	c.float(&m.Length)
}

func (l *Length) fields(c *coder) {
	c.float(&l.Value)
	c.bool(&l.Units)
}

func (s *KernelSpec) fields(c *coder) {
	c.string(&s.Method)
	c.string(&s.Function)
	s.Epsilon.fields(c)
	s.Delta.fields(c)
	c.string(&s.Host)
	c.string(&s.Precision)
	c.int(&s.Levels)
	s.Sample.fields(c)
	c.int(&s.Representatives)
}

func (k *Kernel) fields(c *coder) {
	for _, p := range []*string{&k.Method, &k.Requested, &k.Note, &k.Function, &k.Host, &k.Precision} {
		c.string(p)
	}
	for _, p := range []*float64{&k.Share, &k.Epsilon, &k.Delta, &k.Bound} {
		c.float(p)
	}
	c.int(&k.Width)
	c.int(&k.Depth)
	k.Crosses.fields(c)
	c.int64(&k.MemoryBytes)
}

func (m *Solve) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Source)
	c.floats(&m.Target)
	m.Reach.fields(c)
	c.bool(&m.Debias)
	c.float(&m.Tolerance)
	c.int(&m.MaxIterations)
	c.float(&m.Patience)
	c.bool(&m.Warm)
	c.float(&m.Accuracy)
}

func (m *Minimum) fields(c *coder) {
	c.floats(&m.Source)
	c.floats(&m.Target)
}

func (m *Minimised) fields(c *coder) {
	c.float(&m.Cost)
	c.float(&m.Dual)
	c.ints(&m.From)
	c.ints(&m.To)
	c.floats(&m.Mass)
	c.floats(&m.Potential)
	c.int(&m.Iterations)
	c.timings(&m.Timings)
}

func (m *Barycentre) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Densities)
	c.floats(&m.Weights)
	c.float(&m.Tolerance)
	c.int(&m.MaxIterations)
}

func (m *Barycentred) fields(c *coder) {
	m.Kernel.fields(c)
	c.floats(&m.Density)
	c.floats(&m.Costs)
	c.string(&m.Status)
	c.int(&m.Iterations)
	c.float(&m.MarginalError)
	c.timings(&m.Timings)
}

func (m *Profiled) fields(c *coder) {
	c.int(&m.Rows)
	c.float(&m.Longest)
	c.ints(&m.Pairs)
	c.floats(&m.Values)
	c.float(&m.Tenth)
	c.float(&m.Nearer)
}

func (s *Sample) fields(c *coder) {
	c.int(&s.Keep)
	c.bool(&s.Farthest)
	c.uint64(&s.Seed)
}

func (m *Solved) fields(c *coder) {
	m.Kernel.fields(c)
	m.Solution.fields(c)
	c.int(&m.Vertices)
	c.int(&m.Edges)
	c.int(&m.Representatives)
	c.float(&m.Estimate.Cost)
	c.float(&m.Estimate.Low)
	c.float(&m.Estimate.High)
	c.float(&m.LowerBound)
	c.float(&m.Reach)
	c.float(&m.Destroyed)
	c.float(&m.Created)
	c.float(&m.Divergence)
	c.float(&m.DivergenceWithin)
	m.Accuracy.fields(c)
	c.floats(&m.LogU)
	c.floats(&m.LogV)
	c.int64(&m.PeakBytes)
	c.int64(&m.DenseBytes)
	c.bool(&m.Warm)
	c.timings(&m.Setup)
	c.float(&m.DenseSetup)
	c.float(&m.DenseSolve)
	c.int(&m.Threads)
	c.timings(&m.Timings)
}

func (s *Solution) fields(c *coder) {
	c.string(&s.Form)
	c.string(&s.Status)
	c.int(&s.Iterations)
	c.float(&s.MarginalError)
	c.floats(&s.Trace)
	for _, p := range s.Lengths() {
		c.float(p)
	}
}

func (x *Crosses) fields(c *coder) {
	c.int(&x.Single)
	c.int(&x.Range)
	c.int(&x.Cover)
	c.int(&x.Pairs)
	c.int(&x.Leaves)
}

func (a *Accuracy) fields(c *coder) {
	c.int(&a.Rows)
	for _, p := range []*float64{&a.Least, &a.Most, &a.Mean, &a.MostRelative, &a.MeanRelative} {
		c.float(p)
	}
	c.bool(&a.Holds)
}

func (m *Partners) fields(c *coder) {
	c.int32(&m.Vertex)
	c.int(&m.Top)
	c.bool(&m.Target)
	c.bool(&m.Distances)
}

func (m *Block) fields(c *coder) { c.int(&m.Number) }

func (m *Blocked) fields(c *coder) {
	c.int(&m.Number)
	c.int(&m.Count)
	for _, p := range []*[]int32{&m.RowStarts, &m.RowVertices, &m.ColumnStarts, &m.ColVertices, &m.Runs} {
		c.ints(p)
	}
}

func (m *Retrace) fields(*coder) {}

func (m *Retraced) fields(c *coder) {
	c.floats(&m.Trace)
	list(c, &m.Frames, 16, func(f *Frame) { c.int32(&f.Iteration); c.shorts(&f.Rows); c.shorts(&f.Columns) })
	c.timings(&m.Timings)
}

func (m *Partnered) fields(c *coder) {
	c.int32(&m.Vertex)
	c.ints(&m.Vertices)
	c.floats(&m.Mass)
	c.float(&m.Total)
	c.floats(&m.Distances)
	c.floats(&m.True)
}

func (m *Push) fields(c *coder) {
	c.floats(&m.Values)
	c.bool(&m.Transpose)
}

func (m *Pushed) fields(c *coder) { c.floats(&m.Values) }

func (m *Between) fields(c *coder) {
	c.ints(&m.From)
	c.ints(&m.To)
}

func (m *Shared) fields(c *coder) { c.float(&m.Mass) }

func (m *Centres) fields(*coder) {}

func (m *Centred) fields(c *coder) { c.floats(&m.Positions) }

func (m *Draw) fields(c *coder) {
	c.int(&m.Count)
	c.uint64(&m.Seed)
}

func (m *Drawn) fields(c *coder) {
	c.ints(&m.From)
	c.ints(&m.To)
}

func (m *Flow) fields(c *coder) {
	c.int(&m.Particles)
	c.uint64(&m.Seed)
}

func (m *Flowing) fields(c *coder) {
	c.ints(&m.Offsets)
	c.ints(&m.Vertices)
	c.floats(&m.Along)
}

func (m *Benchmark) fields(c *coder) {
	m.Epsilon.fields(c)
	c.floats(&m.Source)
	c.floats(&m.Target)
	list(c, &m.Methods, 4, c.string)
	c.int(&m.Particles)
}

func (m *Benchmarking) fields(c *coder) {
	for _, p := range []*string{&m.Method, &m.Setting, &m.Note} {
		c.string(p)
	}
	for _, p := range []*float64{&m.Cost, &m.Error, &m.Bound, &m.MarginalError, &m.Setup, &m.Solve} {
		c.float(p)
	}
	c.int(&m.Iterations)
	c.int64(&m.PeakBytes)
	m.Flowing.fields(c)
}

func (m *Benchmarked) fields(c *coder) { c.string(&m.Reference) }

func (m *Flowed) fields(c *coder) {
	c.int(&m.Particles)
	c.timings(&m.Timings)
}

func (m *Cancel) fields(c *coder) { c.uint32(&m.Request) }

func (m *Progress) fields(c *coder) {
	c.string(&m.Stage)
	c.float(&m.Fraction)
}

func (m *Failed) fields(c *coder) {
	c.string(&m.Kind)
	c.string(&m.Message)
}

func (m *Cancelled) fields(*coder) {}

func (m *Apply) fields(c *coder) {
	m.KernelSpec.fields(c)
	c.floats(&m.Values)
}

func (m *Applied) fields(c *coder) {
	m.Kernel.fields(c)
	c.floats(&m.Values)
	c.timings(&m.Timings)
}

func (m *Export) fields(c *coder) {
	c.string(&m.Format)
	c.string(&m.Mesh)
	c.floats(&m.Source)
	c.floats(&m.Target)
	c.bool(&m.Moved)
	c.ints(&m.Cells)
	c.bytes(&m.Colors)
}

func (m *Animate) fields(c *coder) {
	c.int(&m.Width)
	c.int(&m.Height)
	c.int(&m.Delay)
	c.bytes(&m.Frames)
}

func (m *Exported) fields(c *coder) {
	c.string(&m.Format)
	c.bytes(&m.Data)
}

func (m *Dissect) fields(c *coder) {
	c.ints(&m.Offsets)
	c.ints(&m.Targets)
	c.floats(&m.Weights)
	c.floats(&m.Positions)
	c.ints(&m.Faces)
	c.string(&m.Finder)
	c.float(&m.Balance)
	c.int(&m.Levels)
	c.int(&m.Depth)
}

func (m *Dissected) fields(c *coder) {
	c.ints(&m.Vertices)
	c.ints(&m.Sizes)
}

func (m *Polish) fields(c *coder) { c.float(&m.Seconds) }

func (m *Polishing) fields(c *coder) { m.Estimate.fields(c) }

func (m *Polished) fields(c *coder) {
	m.Estimate.fields(c)
	c.string(&m.Why)
	c.timings(&m.Timings)
}

func (e *Estimate) fields(c *coder) {
	c.float(&e.Cost)
	c.float(&e.Low)
	c.float(&e.High)
	c.int(&e.Rows)
	c.int(&e.Of)
	c.int(&e.Pairs)
	c.bool(&e.Known)
}

func (m *Label) fields(c *coder) {
	c.ints(&m.Offsets)
	c.ints(&m.Targets)
	c.floats(&m.Weights)
}

func (m *Labelled) fields(*coder) {}

func (m *Rows) fields(c *coder) {
	for _, p := range []*int32{&m.Lo, &m.Hi, &m.From, &m.To} {
		c.int32(p)
	}
	c.ints(&m.Sizes)
	c.floats(&m.Starts)
}

func (m *Rowed) fields(c *coder) { c.floats(&m.Distances) }

func (m *Hold) fields(c *coder) {
	c.ints(&m.Order)
	c.ints(&m.Sizes)
	c.ints(&m.Hubs)
	lists(c, &m.Distances)
	lists(c, &m.Short)
	c.float(&m.Delta)
	c.int(&m.Part)
	c.int(&m.Parts)
	c.int(&m.Cover)
}

func (m *Tune) fields(c *coder) { c.float(&m.Epsilon) }

func (m *Tuned) fields(c *coder) { c.int64(&m.Bytes) }

func (m *Held) fields(c *coder) { c.int64(&m.Bytes) }

func (m *Multiply) fields(c *coder) {
	c.string(&m.Product)
	c.float(&m.Epsilon)
	c.int(&m.Cover)
	c.floats(&m.X)
	c.floats(&m.Y)
}

func (m *Multiplied) fields(c *coder) { c.floats(&m.Values) }
