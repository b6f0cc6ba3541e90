package meshio

import (
	"errors"
	"fmt"

	"github.com/qmuntal/gltf"
)

// transform is an affine map: a 3x3 matrix by rows and a translation in the
// last column. Products are converted before they are added, which keeps a
// platform from fusing the two and the result the same on all of them.
type transform [3][4]float64

var identity = transform{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}

func (t *transform) apply(p [3]float64) (q [3]float64) {
	for i, row := range t {
		q[i] = float64(row[0]*p[0]) + float64(row[1]*p[1]) + float64(row[2]*p[2]) + row[3]
	}
	return q
}

// after is the map that applies s first, then t.
func (t *transform) after(s *transform) (u transform) {
	for i, row := range t {
		for j := range u[i] {
			u[i][j] = float64(row[0]*s[0][j]) + float64(row[1]*s[1][j]) + float64(row[2]*s[2][j])
		}
		u[i][3] += row[3]
	}
	return u
}

// mirrors tells whether the map turns faces over.
func (t *transform) mirrors() bool {
	minor := func(j, k int) float64 { return float64(t[1][j]*t[2][k]) - float64(t[1][k]*t[2][j]) }
	return float64(t[0][0]*minor(1, 2))-float64(t[0][1]*minor(0, 2))+float64(t[0][2]*minor(0, 1)) < 0
}

// nodeTransform is the node's own matrix, or translation * rotation * scale;
// the library fills in what is absent and refuses a node with both.
func nodeTransform(n *gltf.Node) (t transform) {
	if m := n.Matrix; m != gltf.DefaultMatrix {
		for i := range t {
			for j := range t[i] {
				t[i][j] = m[4*j+i]
			}
		}
		return t
	}
	q, s, d := n.Rotation, n.Scale, n.Translation
	x, y, z, w := q[0], q[1], q[2], q[3]
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
	xw, yw, zw := float64(x*w), float64(y*w), float64(z*w)
	rotation := [3][3]float64{
		{1 - 2*(yy+zz), 2 * (xy - zw), 2 * (xz + yw)},
		{2 * (xy + zw), 1 - 2*(xx+zz), 2 * (yz - xw)},
		{2 * (xz - yw), 2 * (yz + xw), 1 - 2*(xx+yy)},
	}
	for i := range t {
		for j := range 3 {
			t[i][j] = rotation[i][j] * s[j]
		}
		t[i][3] = d[i]
	}
	return t
}

// scene reads the meshes of the default scene, of the first one when none is
// default, or of all root nodes when the file has no scene.
func (r *gltfReader) scene(b *builder) error {
	roots, err := r.roots()
	if err != nil {
		return err
	}
	if r.doc.Scene != nil || len(r.doc.Scenes) > 0 {
		i := 0
		if r.doc.Scene != nil {
			i = *r.doc.Scene
		}
		if i < 0 || i >= len(r.doc.Scenes) || r.doc.Scenes[i] == nil {
			return r.fault("scene", i, len(r.doc.Scenes))
		}
		roots = r.doc.Scenes[i].Nodes
		if len(r.doc.Scenes) > 1 {
			b.warn("scene %d of %d read", i, len(r.doc.Scenes))
		}
	}
	type visit struct {
		node   int
		parent transform
	}
	var stack []visit
	push := func(nodes []int, parent transform) {
		for i := len(nodes) - 1; i >= 0; i-- {
			stack = append(stack, visit{nodes[i], parent})
		}
	}
	push(roots, identity)
	seen := make([]bool, len(r.doc.Nodes))
	meshes := 0
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.node < 0 || v.node >= len(r.doc.Nodes) {
			return fmt.Errorf("the scene has node %d of %d", v.node, len(r.doc.Nodes))
		}
		if seen[v.node] {
			return fmt.Errorf("node %d occurs twice in the scene", v.node)
		}
		seen[v.node] = true
		n := r.doc.Nodes[v.node]
		own := nodeTransform(n)
		world := v.parent.after(&own)
		if n.Mesh != nil {
			meshes++
			if err := r.mesh(b, *n.Mesh, n.Skin != nil, &world); err != nil {
				return fmt.Errorf("node %d: %w", v.node, err)
			}
		}
		push(n.Children, world)
	}
	if meshes == 0 {
		return fmt.Errorf("no faces: no node of the scene shows one of the %d meshes", len(r.doc.Meshes))
	}
	return nil
}

// roots checks that the nodes are a forest and returns the nodes without a
// parent.
func (r *gltfReader) roots() ([]int, error) {
	nodes := r.doc.Nodes
	parent := make([]int, len(nodes))
	for i := range parent {
		parent[i] = -1
	}
	for i, n := range nodes {
		if n == nil {
			return nil, r.fault("node", i, len(nodes))
		}
		for _, c := range n.Children {
			if c < 0 || c >= len(nodes) {
				return nil, fmt.Errorf("node %d: child %d of %d nodes", i, c, len(nodes))
			}
			if parent[c] >= 0 {
				return nil, fmt.Errorf("node %d is a child of node %d and of node %d", c, parent[c], i)
			}
			parent[c] = i
		}
	}
	var roots []int
	reached := make([]int, len(nodes)) // 1 + the node whose climb came by
	for i := range nodes {
		if parent[i] < 0 {
			roots = append(roots, i)
		}
		for v := i; v >= 0 && reached[v] == 0; v = parent[v] {
			reached[v] = i + 1
			if p := parent[v]; p >= 0 && reached[p] == i+1 {
				return nil, fmt.Errorf("node %d is its own ancestor", p)
			}
		}
	}
	return roots, nil
}

// mesh adds the triangles of one mesh as one node shows it.
func (r *gltfReader) mesh(b *builder, i int, skinned bool, world *transform) error {
	if i < 0 || i >= len(r.doc.Meshes) || r.doc.Meshes[i] == nil {
		return r.fault("mesh", i, len(r.doc.Meshes))
	}
	for j, p := range r.doc.Meshes[i].Primitives {
		if p == nil {
			return fmt.Errorf("mesh %d: primitive %d is null", i, j)
		}
		if err := r.primitive(b, p, skinned, world); err != nil {
			return fmt.Errorf("mesh %d: primitive %d: %w", i, j, err)
		}
	}
	return nil
}

func (r *gltfReader) primitive(b *builder, p *gltf.Primitive, skinned bool, world *transform) error {
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		r.skipped[p.Mode.String()]++
		return nil
	}
	at, ok := p.Attributes[gltf.POSITION]
	if !ok {
		return errors.New("no attribute POSITION")
	}
	if name := unsupported(p.Extensions); name != "" && at >= 0 && at < len(r.doc.Accessors) &&
		r.doc.Accessors[at] != nil && r.doc.Accessors[at].BufferView == nil {
		return fmt.Errorf("the positions need the extension %s", unread(name))
	}
	if len(p.Targets) > 0 {
		r.morphed++
	}
	if _, ok := p.Attributes[gltf.JOINTS_0]; ok && skinned {
		world = &identity
	}
	base := len(b.positions)
	count, err := r.accessor(at, gltf.AccessorVec3, false, func(i int, x [3]float64) {
		if *world != identity { // which would turn -0 into 0
			x = world.apply(x)
		}
		if base+i < len(b.positions) {
			b.positions[base+i] = x
		} else {
			b.positions = append(b.positions, x)
		}
	})
	if err != nil {
		return fmt.Errorf("POSITION: %w", err)
	}
	for v, q := range b.positions[base:] {
		if !finite(q) {
			return fmt.Errorf("POSITION: accessor %d: element %d at %g is not finite", at, v, q)
		}
	}
	var corners []int32
	if p.Indices == nil {
		if err := r.spend(count); err != nil {
			return err
		}
		corners = make([]int32, count)
		for v := range corners {
			corners[v] = int32(base + v)
		}
	} else {
		wrong := -1
		_, err := r.accessor(*p.Indices, gltf.AccessorScalar, true, func(i int, x [3]float64) {
			if x[0] >= float64(count) {
				if wrong < 0 {
					wrong = i
				}
				x[0] = 0
			}
			if v := int32(base + int(x[0])); i < len(corners) {
				corners[i] = v
			} else {
				corners = append(corners, v)
			}
		})
		if err != nil {
			return fmt.Errorf("indices: %w", err)
		}
		if wrong >= 0 {
			return fmt.Errorf("indices: accessor %d: element %d is beyond the %d vertices", *p.Indices, wrong, count)
		}
	}
	if err := b.room(len(corners) / 3); err != nil {
		return err
	}
	first := len(b.faces)
	switch p.Mode {
	case gltf.PrimitiveTriangles:
		if len(corners)%3 != 0 {
			b.warn("%d corners of triangles, the last %d left out", len(corners), len(corners)%3)
		}
		for i := 0; i+2 < len(corners); i += 3 {
			b.faces = append(b.faces, [3]int32(corners[i:i+3]))
		}
	case gltf.PrimitiveTriangleStrip:
		if err := b.strip(corners); err != nil {
			return err
		}
	case gltf.PrimitiveTriangleFan:
		if err := b.room(len(corners)); err != nil {
			return err
		}
		for i := 2; i < len(corners); i++ {
			b.faces = append(b.faces, [3]int32{corners[i-1], corners[i], corners[0]})
		}
	}
	if world.mirrors() {
		for f := range b.faces[first:] {
			t := &b.faces[first+f]
			t[1], t[2] = t[2], t[1]
		}
	}
	return nil
}
