package meshio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"genussink/core/internal/budget"
)

// readBinaryOFF reads what follows "OFF BINARY": int32 counts, float32
// positions, and for every face its corner count, its corners and the number
// of float32 colour parts after them. Geomview writes big-endian; other
// programs write their own order or leave the colour count out, so the reading
// that ends exactly at the file's end is taken.
func readBinaryOFF(b *builder, data []byte) error {
	var first error
	for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
		for _, colours := range []bool{true, false} {
			try := builder{format: b.format, budget: b.budget, detail: "binary " + orderName(order)}
			err := try.binaryOFF(data, order, colours)
			var much *budget.Error
			if err == nil || errors.As(err, &much) {
				*b = try
				return err
			}
			if first == nil {
				first = err
			}
		}
	}
	return fmt.Errorf("binary: neither byte order fits; as big-endian: %w", first)
}

func orderName(order binary.ByteOrder) string {
	if order == binary.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}

func (b *builder) binaryOFF(data []byte, order binary.ByteOrder, colours bool) error {
	if len(data) < 12 {
		return errTruncated
	}
	nv, nf := int64(order.Uint32(data)), int64(order.Uint32(data[4:]))
	data = data[12:]
	faceSize := int64(4)
	if colours {
		faceSize = 8
	}
	if 12*nv+faceSize*nf > int64(len(data)) {
		return fmt.Errorf("%d vertices and %d faces announced, %d bytes follow", nv, nf, len(data))
	}
	if err := b.budget.Check(vertexBytes*nv+faceBytes*nf, "%d vertices and %d faces", nv, nf); err != nil {
		return err
	}
	b.positions = make([][3]float64, nv)
	for v := range b.positions {
		p := &b.positions[v]
		for c := range p {
			p[c] = float64(math.Float32frombits(order.Uint32(data[4*c:])))
		}
		if !finite(*p) {
			return fmt.Errorf("vertex %d: position %g is not finite", v, *p)
		}
		data = data[12:]
	}
	var corners []int32
	for f := range nf {
		if len(data) < 4 {
			return fmt.Errorf("face %d: %w", f, errTruncated)
		}
		n := int64(order.Uint32(data))
		data = data[4:]
		if 4*n > int64(len(data)) {
			return fmt.Errorf("face %d: %d corners announced, %d bytes follow", f, n, len(data))
		}
		corners = corners[:0]
		for range n {
			v := int64(order.Uint32(data))
			if v >= nv {
				return fmt.Errorf("face %d: vertex index %d of %d vertices", f, v, nv)
			}
			corners = append(corners, int32(v))
			data = data[4:]
		}
		if colours {
			if len(data) < 4 {
				return fmt.Errorf("face %d: %w", f, errTruncated)
			}
			parts := int64(order.Uint32(data))
			if data = data[4:]; 4*parts > int64(len(data)) {
				return fmt.Errorf("face %d: %d colour parts announced, %d bytes follow", f, parts, len(data))
			}
			data = data[4*parts:]
		}
		if err := b.polygon(corners); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return fmt.Errorf("%d bytes after the last face", len(data))
	}
	return nil
}
