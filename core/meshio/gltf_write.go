package meshio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"genussink/core/mesh"

	"github.com/qmuntal/gltf"
)

func writeGLB(w *bufio.Writer, m *mesh.Mesh) error  { return encodeGLTF(w, m, true) }
func writeGLTF(w *bufio.Writer, m *mesh.Mesh) error { return encodeGLTF(w, m, false) }

// encodeGLTF writes one node with one mesh of one primitive: float32 positions
// and 16 or 32 bit indices in one buffer.
func encodeGLTF(w *bufio.Writer, m *mesh.Mesh, asBinary bool) error {
	le := binary.LittleEndian
	var lo, hi [3]float32
	var data []byte
	for v, p := range m.Positions {
		q, err := single(v, p)
		if err != nil {
			return err
		}
		for c, x := range q {
			if v == 0 || x < lo[c] {
				lo[c] = x
			}
			if v == 0 || x > hi[c] {
				hi[c] = x
			}
			data = le.AppendUint32(data, math.Float32bits(x))
		}
	}
	positions := len(data)
	// 65535 is set aside for primitive restart.
	indexType := gltf.ComponentUint
	if len(m.Positions) <= math.MaxUint16 {
		indexType = gltf.ComponentUshort
	}
	for _, t := range m.Faces {
		for _, v := range t {
			if indexType == gltf.ComponentUshort {
				data = le.AppendUint16(data, uint16(v))
			} else {
				data = le.AppendUint32(data, uint32(v))
			}
		}
	}
	if len(data) > math.MaxInt32 {
		return fmt.Errorf("%d bytes of geometry, at most %d", len(data), math.MaxInt32)
	}
	doc := &gltf.Document{
		Asset:  gltf.Asset{Version: "2.0", Generator: "GenusSink"},
		Scene:  gltf.Index(0),
		Scenes: []*gltf.Scene{{Nodes: []int{0}}},
		Nodes:  []*gltf.Node{{Mesh: gltf.Index(0)}},
		Meshes: []*gltf.Mesh{{Primitives: []*gltf.Primitive{{
			Attributes: gltf.PrimitiveAttributes{gltf.POSITION: 0},
			Indices:    gltf.Index(1),
		}}}},
		Accessors: []*gltf.Accessor{
			{BufferView: gltf.Index(0), ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3,
				Count: len(m.Positions), Min: widen(lo), Max: widen(hi)},
			{BufferView: gltf.Index(1), ComponentType: indexType, Type: gltf.AccessorScalar, Count: 3 * len(m.Faces)},
		},
		BufferViews: []*gltf.BufferView{
			{ByteLength: positions, Target: gltf.TargetArrayBuffer},
			{ByteOffset: positions, ByteLength: len(data) - positions, Target: gltf.TargetElementArrayBuffer},
		},
		Buffers: []*gltf.Buffer{{ByteLength: len(data), Data: data}},
	}
	var out bytes.Buffer // the encoder passes over write errors
	enc := gltf.NewEncoder(&out)
	enc.AsBinary = asBinary
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, _ = w.Write(out.Bytes())
	return w.Flush()
}

func widen(q [3]float32) []float64 {
	return []float64{float64(q[0]), float64(q[1]), float64(q[2])}
}
