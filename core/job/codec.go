package job

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
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
