package meshio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
)

// componentSize is the size of a component in bytes.
func componentSize(c gltf.ComponentType) int {
	switch c {
	case gltf.ComponentByte, gltf.ComponentUbyte:
		return 1
	case gltf.ComponentShort, gltf.ComponentUshort:
		return 2
	}
	return 4
}

// spend takes count elements off the budget: a few bytes of JSON can ask for
// the same accessor, or for one of zeros, over and over.
func (r *gltfReader) spend(count int) error {
	budget := min(1<<20+r.builder.size, math.MaxInt32)
	if count > budget-r.spent {
		return fmt.Errorf("more than %d vertices and corners from %d bytes", budget, r.builder.size)
	}
	r.spent += count
	return nil
}

// view returns the bytes of a buffer view from an offset on.
func (r *gltfReader) view(i, offset int) ([]byte, *gltf.BufferView, error) {
	if i < 0 || i >= len(r.doc.BufferViews) || r.doc.BufferViews[i] == nil {
		return nil, nil, r.fault("buffer view", i, len(r.doc.BufferViews))
	}
	v := r.doc.BufferViews[i]
	data, err := r.buffer(v.Buffer)
	if err != nil {
		// The file may hold the plain data as a fall-back, or not.
		if name := unsupported(v.Extensions); name != "" {
			return nil, nil, fmt.Errorf("buffer view %d needs the extension %s", i, unread(name))
		}
		return nil, nil, fmt.Errorf("buffer view %d: %w", i, err)
	}
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > len(data) || v.ByteLength > len(data)-v.ByteOffset {
		return nil, nil, fmt.Errorf("buffer view %d: %d bytes at %d of a buffer of %d", i, v.ByteLength, v.ByteOffset, len(data))
	}
	data = data[v.ByteOffset : v.ByteOffset+v.ByteLength]
	if offset < 0 || offset > len(data) {
		return nil, nil, fmt.Errorf("buffer view %d: offset %d of %d bytes", i, offset, len(data))
	}
	return data[offset:], v, nil
}

// unsupported names the compression that hides an object's data, "" for none.
func unsupported(e gltf.Extensions) string {
	for _, name := range []string{"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"} {
		if _, ok := e[name]; ok {
			return name
		}
	}
	return ""
}

// elements checks that count elements of size bytes fit, stride apart.
func elements(data []byte, count, size, stride int) error {
	if count > 0 && (size > len(data) || count-1 > (len(data)-size)/stride) {
		return fmt.Errorf("%d elements of %d bytes, %d apart, in %d bytes", count, size, stride, len(data))
	}
	return nil
}

// accessor reads every component of an accessor of the given type as numbers,
// and gives them to put, element by element. Sparse values come last.
func (r *gltfReader) accessor(i int, kind gltf.AccessorType, indices bool, put func(i int, x [3]float64)) (count int, err error) {
	if i < 0 || i >= len(r.doc.Accessors) || r.doc.Accessors[i] == nil {
		return 0, r.fault("accessor", i, len(r.doc.Accessors))
	}
	a := r.doc.Accessors[i]
	defer func() {
		if err != nil {
			err = fmt.Errorf("accessor %d: %w", i, err)
		}
	}()
	if a.Type != kind {
		return 0, fmt.Errorf("type %s, want %s", a.Type, kind)
	}
	unsigned := a.ComponentType == gltf.ComponentUbyte || a.ComponentType == gltf.ComponentUshort || a.ComponentType == gltf.ComponentUint
	if indices && (!unsigned || a.Normalized) { //nolint:misspell // the library's name
		return 0, fmt.Errorf("indices of component type %s", a.ComponentType)
	}
	if a.Count < 1 {
		return 0, fmt.Errorf("count %d", a.Count)
	}
	n := 1
	if kind == gltf.AccessorVec3 {
		n = 3
	}
	size := n * componentSize(a.ComponentType)
	stride := size
	var data []byte
	if a.BufferView != nil {
		var view *gltf.BufferView
		if data, view, err = r.view(*a.BufferView, a.ByteOffset); err != nil {
			return 0, err
		}
		if view.ByteStride != 0 {
			stride = view.ByteStride
		}
		if stride < size {
			return 0, fmt.Errorf("stride %d of elements of %d bytes", stride, size)
		}
		if err := elements(data, a.Count, size, stride); err != nil {
			return 0, err
		}
	}
	if err := r.spend(a.Count); err != nil { // the buffer's bytes count by now
		return 0, err
	}
	for e := range a.Count {
		if a.BufferView == nil {
			put(e, [3]float64{})
		} else {
			put(e, component3(data[e*stride:], n, a))
		}
	}
	if a.Sparse != nil {
		return a.Count, r.sparse(a, n, size, put)
	}
	return a.Count, nil
}

// sparse replaces the listed elements of an accessor.
func (r *gltfReader) sparse(a *gltf.Accessor, n, size int, put func(i int, x [3]float64)) error {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count {
		return fmt.Errorf("%d sparse elements of %d", s.Count, a.Count)
	}
	index := &gltf.Accessor{ComponentType: s.Indices.ComponentType}
	if t := index.ComponentType; t != gltf.ComponentUbyte && t != gltf.ComponentUshort && t != gltf.ComponentUint {
		return fmt.Errorf("sparse indices of component type %s", t)
	}
	where, _, err := r.view(s.Indices.BufferView, s.Indices.ByteOffset)
	if err != nil {
		return err
	}
	values, _, err := r.view(s.Values.BufferView, s.Values.ByteOffset)
	if err != nil {
		return err
	}
	step := componentSize(index.ComponentType)
	if err := elements(where, s.Count, step, step); err != nil {
		return fmt.Errorf("sparse indices: %w", err)
	}
	if err := elements(values, s.Count, size, size); err != nil {
		return fmt.Errorf("sparse values: %w", err)
	}
	for e, last := 0, -1.0; e < s.Count; e++ {
		at := component3(where[e*step:], 1, index)[0]
		if at >= float64(a.Count) {
			return fmt.Errorf("sparse index %g of %d elements", at, a.Count)
		}
		if at <= last {
			return fmt.Errorf("sparse index %g after %g: they must rise", at, last)
		}
		last = at
		put(int(at), component3(values[e*size:], n, a))
	}
	return nil
}

// component3 decodes n <= 3 components of one element.
func component3(data []byte, n int, a *gltf.Accessor) (x [3]float64) {
	le := binary.LittleEndian
	for c := range n {
		full := 0.0 // what a normalised integer is divided by
		switch a.ComponentType {
		case gltf.ComponentFloat:
			x[c] = float64(math.Float32frombits(le.Uint32(data[4*c:])))
		case gltf.ComponentUint:
			x[c] = float64(le.Uint32(data[4*c:]))
			full = math.MaxUint32
		case gltf.ComponentUshort:
			x[c] = float64(le.Uint16(data[2*c:]))
			full = math.MaxUint16
		case gltf.ComponentShort:
			x[c] = float64(int16(le.Uint16(data[2*c:])))
			full = math.MaxInt16
		case gltf.ComponentUbyte:
			x[c] = float64(data[c])
			full = math.MaxUint8
		case gltf.ComponentByte:
			x[c] = float64(int8(data[c]))
			full = math.MaxInt8
		}
		if a.Normalized && full > 0 { //nolint:misspell // the library's name
			x[c] = max(x[c]/full, -1)
		}
	}
	return x
}
