package meshio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"genussink/core/mesh"

	"github.com/qmuntal/gltf"
)

func writeGLB(w *bufio.Writer, m *mesh.Mesh, a *Attributes) error {
	return encodeGLTF(w, m, a, true)
}
func writeGLTF(w *bufio.Writer, m *mesh.Mesh) error { return encodeGLTF(w, m, nil, false) }

// encodeGLTF writes one node with one mesh of one primitive: float32 positions,
// 16 or 32 bit indices and then the attributes in one buffer.
func encodeGLTF(w *bufio.Writer, m *mesh.Mesh, a *Attributes, asBinary bool) error {
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
	indices := len(data)
	var extra []extraAttribute
	if a != nil {
		data, extra = a.append(data)
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
			{ByteOffset: positions, ByteLength: indices - positions, Target: gltf.TargetElementArrayBuffer},
		},
		Buffers: []*gltf.Buffer{{ByteLength: len(data), Data: data}},
	}
	if a != nil && a.Colors != nil {
		doc.Materials = []*gltf.Material{{PBRMetallicRoughness: &gltf.PBRMetallicRoughness{MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(0.9)}, DoubleSided: true}}
		doc.Meshes[0].Primitives[0].Material = gltf.Index(0)
	}
	for _, x := range extra {
		doc.Meshes[0].Primitives[0].Attributes[x.name] = len(doc.Accessors)
		doc.Accessors = append(doc.Accessors, &gltf.Accessor{BufferView: gltf.Index(len(doc.BufferViews)), ComponentType: gltf.ComponentFloat, Type: x.kind, Count: len(m.Positions)})
		doc.BufferViews = append(doc.BufferViews, &gltf.BufferView{ByteOffset: x.from, ByteLength: x.to - x.from, Target: gltf.TargetArrayBuffer})
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

// extraAttribute is an attribute in the buffer, in float32.
type extraAttribute struct {
	name     string
	kind     gltf.AccessorType
	from, to int
}

// append puts the attributes behind the data. COLOR_0 is in linear light, as
// glTF wants it.
func (a *Attributes) append(data []byte) ([]byte, []extraAttribute) {
	for len(data)%4 != 0 { // behind an odd number of 16 bit indices
		data = append(data, 0)
	}
	put := func(x float64) { data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x))) }
	var list []extraAttribute
	if a.Colors != nil {
		from := len(data)
		for _, c := range a.Colors {
			for _, x := range c {
				put(linearLight(float64(x) / 255))
			}
		}
		list = append(list, extraAttribute{gltf.COLOR_0, gltf.AccessorVec3, from, len(data)})
	}
	for _, x := range a.Values {
		from := len(data)
		for _, y := range x.Values {
			put(y)
		}
		kind := gltf.AccessorScalar
		if x.Size == 3 {
			kind = gltf.AccessorVec3
		}
		list = append(list, extraAttribute{"_" + strings.ToUpper(x.Name), kind, from, len(data)})
	}
	return data, list
}

// linearLight decodes a channel of sRGB.
func linearLight(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func widen(q [3]float32) []float64 {
	return []float64{float64(q[0]), float64(q[1]), float64(q[2])}
}
