package mesh

import "slices"

// Defects lists what Topology counts, in ascending order, and the faces whose outside disagrees with their neighbours'.
type Defects struct {
	BoundaryLoops       [][]int32  // the vertices of each, along it; the last is the first again, unless a non-manifold edge ends it
	NonmanifoldEdges    [][2]int32 // the smaller vertex first
	NonmanifoldVertices []int32
	DegenerateFaces     []int32
	// FlippedFaces are the fewest faces whose reversal makes every orientable piece agree about its outside. A piece that has
	// only one side, like a Moebius strip, has none.
	FlippedFaces     []int32
	IsolatedVertices []int32
}

// Defects examines the mesh as Topology does.
func (m *Mesh) Defects() *Defects {
	_, d := m.examine()
	return d
}

// along is a side of a face as a boundary runs along it: from its corner on, or back to it.
type along struct {
	corner int32
	back   bool
}

// from and to are the corners where a boundary comes to a side and leaves it.
func (a along) from() int32 {
	if a.back {
		return next(a.corner)
	}
	return a.corner
}

func (a along) to() int32 { return along{a.corner, !a.back}.from() }

// chains joins sides without a partner where they share a fan, in their order along the boundary. A chain is
// closed, unless a non-manifold edge ends it.
func chains(boundary []int32, fans *unionFind) [][]along {
	ends := make(map[int32][]int, len(boundary)) // fan -> the sides that end in it, two at most
	for i, c := range boundary {
		for _, fan := range [2]int32{fans.find(c), fans.find(next(c))} {
			ends[fan] = append(ends[fan], i)
		}
	}
	seen := make([]bool, len(boundary))
	// walk goes on from a fan until there is no further side.
	walk := func(fan int32) (chain []along) {
		for {
			at := slices.IndexFunc(ends[fan], func(i int) bool { return !seen[i] })
			if at < 0 {
				return chain
			}
			i := ends[fan][at]
			seen[i] = true
			a := along{boundary[i], fans.find(boundary[i]) != fan}
			chain = append(chain, a)
			fan = fans.find(a.to())
		}
	}
	var all [][]along
	for i, c := range boundary {
		if seen[i] {
			continue
		}
		chain := walk(fans.find(c))
		back := walk(fans.find(chain[0].from())) // nothing, unless the chain is open
		slices.Reverse(back)
		for j := range back {
			back[j].back = !back[j].back
		}
		all = append(all, append(back, chain...))
	}
	return all
}

// flipped is the smaller part of every orientable sheet whose faces disagree with the rest of it.
func flipped(sheets *unionFind, facesOf []int32, oneSided func(sheet int32) bool) (faces []int32) {
	turned := make([]int32, len(facesOf)) // by sheet: its faces that disagree with its root
	for f := range facesOf {
		if sheet, parity := sheets.findParity(int32(f)); parity {
			turned[sheet]++
		}
	}
	for f := range facesOf {
		sheet, parity := sheets.findParity(int32(f))
		if n := turned[sheet]; n > 0 && parity == (2*n <= facesOf[sheet]) && !oneSided(sheet) {
			faces = append(faces, int32(f))
		}
	}
	return faces
}
