package job

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"
)

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
