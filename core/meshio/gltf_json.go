package meshio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/qmuntal/gltf"
)

// geometry lists what positions and triangles depend on, for each kind of
// object in a glTF file. The rest is looks, names and motion: where it is
// malformed it is passed over.
type geometry map[string]geometry

var (
	keptAccessor = geometry{"bufferView": nil, "byteOffset": nil, "componentType": nil, "normalized": nil, "count": nil, "type": nil, "sparse": { //nolint:misspell // the format's name
		"count": nil, "indices": {"bufferView": nil, "byteOffset": nil, "componentType": nil}, "values": {"bufferView": nil, "byteOffset": nil}}}
	keptBuffer    = geometry{"uri": nil, "byteLength": nil}
	keptView      = geometry{"buffer": nil, "byteOffset": nil, "byteLength": nil, "byteStride": nil, "extensions": nil}
	keptPrimitive = geometry{"attributes": {gltf.POSITION: nil, gltf.JOINTS_0: nil}, "indices": nil, "mode": nil, "extensions": nil}
	keptMesh      = geometry{"primitives": keptPrimitive}
	keptNode      = geometry{"children": nil, "skin": nil, "matrix": nil, "mesh": nil, "rotation": nil, "scale": nil, "translation": nil}
	keptScene     = geometry{"nodes": nil}
	keptAsset     = geometry{"version": nil, "minVersion": nil}
)

// prune keeps of a value what the geometry lists; of an array, of every
// element. Values of another kind stay as they are.
func prune(value json.RawMessage, kept geometry) json.RawMessage {
	if kept == nil {
		return value
	}
	var out any
	switch value = bytes.TrimLeft(value, " \t\r\n"); value[0] {
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			return value
		}
		for i := range list {
			list[i] = prune(list[i], kept)
		}
		out = list
	case '{':
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return value
		}
		for key, inner := range object {
			if below, ok := kept[key]; ok {
				object[key] = prune(inner, below)
			} else {
				delete(object, key)
			}
		}
		out = object
	default:
		return value
	}
	pruned, err := json.Marshal(out)
	if err != nil {
		return value
	}
	return pruned
}

// parse reads the document out of its JSON. What geometry does not need may be
// malformed: it is passed over with a warning. So is an object that geometry
// could need; it counts as a fault only where something refers to it.
func (r *gltfReader) parse(b *builder, text []byte) error {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(text, &top); err != nil {
		return jsonError(text, err)
	}
	if _, ok := top["asset"]; !ok {
		return errors.New("the JSON has no object \"asset\", so that the file is not glTF 2.0")
	}
	if err := member(top, "asset", keptAsset, &r.doc.Asset); err != nil {
		return err
	}
	if err := supported(r.doc.Asset.Version, r.doc.Asset.MinVersion); err != nil {
		return err
	}
	if err := member(top, "extensionsRequired", nil, &r.doc.ExtensionsRequired); err != nil {
		return err
	}
	for _, err := range []error{
		member(top, "scene", nil, &r.doc.Scene),
		objects(r, b, top, "scene", keptScene, &r.doc.Scenes),
		objects(r, b, top, "node", keptNode, &r.doc.Nodes),
		objects(r, b, top, "mesh", keptMesh, &r.doc.Meshes),
		objects(r, b, top, "accessor", keptAccessor, &r.doc.Accessors),
		objects(r, b, top, "buffer view", keptView, &r.doc.BufferViews),
		objects(r, b, top, "buffer", keptBuffer, &r.doc.Buffers),
	} {
		if err != nil {
			return err
		}
	}
	looks[gltf.Material](b, top, "material")
	looks[gltf.Texture](b, top, "texture")
	looks[gltf.Image](b, top, "image")
	looks[gltf.Sampler](b, top, "sampler")
	looks[gltf.Animation](b, top, "animation")
	looks[gltf.Skin](b, top, "skin")
	looks[gltf.Camera](b, top, "camera")
	return nil
}

// member decodes one member of the document, if it is there.
func member[T any](top map[string]json.RawMessage, key string, kept geometry, to *T) error {
	value, ok := top[key]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(prune(value, kept), to); err != nil {
		return fmt.Errorf("%s: %w", key, typeError(err))
	}
	return nil
}

// keyOf is the key of the list of such objects.
func keyOf(what string) string {
	switch what {
	case "mesh":
		return "meshes"
	case "buffer view":
		return "bufferViews"
	}
	return what + "s"
}

// list returns the elements of one of the document's lists.
func list(top map[string]json.RawMessage, what string) (elements []json.RawMessage, err error) {
	if err := member(top, keyOf(what), nil, &elements); err != nil {
		return nil, err
	}
	return elements, nil
}

// objects decodes a list of what geometry may need. Elements that cannot be
// had are nil, and fault says why.
func objects[T any](r *gltfReader, b *builder, top map[string]json.RawMessage, what string, kept geometry, to *[]*T) error {
	elements, err := list(top, what)
	if err != nil {
		return err
	}
	*to = make([]*T, len(elements))
	for i, element := range elements {
		var whole *T
		whole, err := decode[T](element)
		if err != nil {
			pruned, hard := decode[T](prune(element, kept))
			if hard != nil {
				r.faults[fmt.Sprintf("%s %d", what, i)] = hard
				continue
			}
			b.warn("%s %d: %v; passed over, as positions and faces do not depend on it", what, i, err)
			whole = pruned
		}
		(*to)[i] = whole
	}
	return nil
}

// fault is the error of an element that a list does not have.
func (r *gltfReader) fault(what string, i, count int) error {
	if i >= 0 && i < count {
		if err := r.faults[fmt.Sprintf("%s %d", what, i)]; err != nil {
			return fmt.Errorf("%s %d: %w", what, i, err)
		}
		return fmt.Errorf("%s %d is null", what, i)
	}
	return fmt.Errorf("%s %d of %d", what, i, count)
}

// looks warns of what is malformed in a list that geometry does not need.
func looks[T any](b *builder, top map[string]json.RawMessage, what string) {
	elements, err := list(top, what)
	if err != nil {
		b.warn("%v; passed over, as positions and faces do not depend on it", err)
	}
	for i, element := range elements {
		if _, err := decode[T](element); err != nil {
			b.warn("%s %d: %v; passed over, as positions and faces do not depend on it", what, i, err)
		}
	}
}

// decode reads one object.
func decode[T any](value json.RawMessage) (*T, error) {
	var to *T
	if err := json.Unmarshal(value, &to); err != nil {
		return nil, typeError(err)
	}
	return to, nil
}

// jsonError says in words where text is not JSON, or not an object.
func jsonError(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("line 1: the JSON: %w", typeError(err))
	}
	at := int(syntax.Offset) - 1
	if at < 0 || at >= len(text) || strings.HasPrefix(syntax.Error(), "unexpected end") {
		return fmt.Errorf("line %d: the JSON ends too early: a bracket or a quotation mark is still open", 1+bytes.Count(text, []byte("\n")))
	}
	before := text[:at]
	if strings.Contains(syntax.Error(), "max depth") {
		return fmt.Errorf("line %d: the JSON's brackets are nested too deeply", 1+bytes.Count(before, []byte("\n")))
	}
	return fmt.Errorf("line %d, column %d: the JSON has %s where its grammar does not allow it",
		1+bytes.Count(before, []byte("\n")), at-bytes.LastIndexByte(before, '\n'), quote(text[at:at+1]))
}

// typeError says in words that a value is of the wrong kind. Errors of the
// library are in words already.
func typeError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return errors.New(strings.TrimPrefix(err.Error(), "gltf: "))
	}
	field := wrong.Field
	if field == "" {
		field = "the value"
	}
	value := wrong.Value
	if number, ok := strings.CutPrefix(value, "number "); ok {
		value = "the number " + number
	}
	switch value {
	case "number":
		value = "a number"
	case "string":
		value = "a text"
	case "bool":
		value = "true or false"
	case "array":
		value = "a list"
	case "object":
		value = "an object"
	}
	return fmt.Errorf("%s is %s, want %s", field, value, wanted(wrong.Type))
}

// wanted names what JSON writes a type as.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}
