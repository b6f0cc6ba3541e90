package label

import (
	"fmt"
	"math"

	"genussink/core/septree"
)

// Snapshot is Labels as plain slices, to hand to another thread that shares no
// memory.
type Snapshot struct {
	Order []int32     // rank -> vertex
	Sizes []int32     // 4 for each cell, parents before children, left before right: vertices left, right and in the separator, hubs from outside
	Hubs  []int32     // of all cells: the hubs from outside, by rank
	Long  [][]float64 // by cell: the labels
	Short [][]float32 // or, where they are float32
}

// Snapshot is the labels, whose numbers it shares.
func (l *Labels) Snapshot() Snapshot {
	f := Snapshot{Order: l.Order, Long: l.Long, Short: l.Short}
	for _, r := range l.Cells {
		outside := r.Outside()
		f.Sizes = append(f.Sizes, r.Mid-r.Lo, r.Sep-r.Mid, r.Hi-r.Sep, int32(len(outside)))
		f.Hubs = append(f.Hubs, outside...)
	}
	return f
}

// Labels makes labels of what Snapshot gave; they keep the slices. The result
// answers as the original does. It never panics: slices that do
// not fit one another are an error. Whether the distances are those of some
// graph is not checked.
func (f Snapshot) Labels() (*Labels, error) {
	n := len(f.Order)
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("label: %d ranks", n)
	}
	t := &septree.Tree{Order: f.Order, Rank: make([]int32, n), Owner: make([]int32, n)}
	l := &Labels{Tree: t, Values: Values{Tree: t}}
	short := len(f.Short) > 0
	for i := range t.Rank {
		t.Rank[i] = -1
	}
	for p, v := range f.Order {
		if v < 0 || int(v) >= n || t.Rank[v] >= 0 {
			return nil, fmt.Errorf("label: rank %d is vertex %d of %d, or holds it twice", p, v, n)
		}
		t.Rank[v] = int32(p)
	}
	for lo := int32(0); int(lo) < n; {
		hi, err := f.cell(l, short, lo, -1, 0)
		if err != nil {
			return nil, err
		}
		lo = hi
	}
	if at := len(t.Cells); 4*at != len(f.Sizes) || len(f.Hubs) != 0 || len(f.Long)+len(f.Short) != at {
		return nil, fmt.Errorf("label: %d of %d sizes used, %d hubs left over, labels of %d cells", 4*at, len(f.Sizes), len(f.Hubs), len(f.Long)+len(f.Short))
	}
	l.measured()
	return l, nil
}

// cell takes the next cell and all below it from f.
func (f *Snapshot) cell(l *Labels, short bool, lo, parent, depth int32) (hi int32, err error) {
	at := int32(len(l.Cells))
	if 4*int(at)+4 > len(f.Sizes) {
		return 0, fmt.Errorf("label: cell %d is missing", at)
	}
	left, right, separator, outside := f.Sizes[4*at], f.Sizes[4*at+1], f.Sizes[4*at+2], f.Sizes[4*at+3]
	total := int64(left) + int64(right) + int64(separator)
	width := int64(separator) * total
	if left < 0 || right < 0 || separator < 0 || outside < 0 || total == 0 || int64(lo)+total > int64(l.Len()) ||
		(left == 0) != (right == 0) || left == 0 && outside > 0 || int(outside) > len(f.Hubs) {
		return 0, fmt.Errorf("label: cell %d of %d, %d and %d vertices and %d hubs does not fit", at, left, right, separator, outside)
	}
	r := septree.Cell{Lo: lo, Mid: lo + left, Sep: lo + left + right, Hi: lo + int32(total), Parent: parent, Left: -1, Right: -1, Depth: depth}
	for _, h := range f.Hubs[:outside] {
		// The owner of a hub from outside must be an ancestor, so that the hub
		// has a distance to every rank of the cell.
		up := parent
		for up >= 0 && (h < l.Cells[up].Sep || h >= l.Cells[up].Hi) {
			up = l.Cells[up].Parent
		}
		if up < 0 {
			return 0, fmt.Errorf("label: cell %d names rank %d as a hub, which no cell around it separates", at, h)
		}
		r.Hubs = append(r.Hubs, h)
	}
	f.Hubs = f.Hubs[outside:]
	for s := r.Sep; s < r.Hi; s++ {
		l.Owner[s] = at
		if left > 0 {
			r.Hubs = append(r.Hubs, s)
		}
	}
	l.Cells = append(l.Cells, r)
	if short {
		l.Short, err = taken(l, l.Short, f.Short, width)
	} else {
		l.Long, err = taken(l, l.Long, f.Long, width)
	}
	if err != nil {
		return 0, err
	}
	if left > 0 {
		l.Cells[at].Left = int32(len(l.Cells))
		if hi, err := f.cell(l, short, lo, at, depth+1); err != nil || hi != r.Mid {
			return 0, orElse(err, at)
		}
		l.Cells[at].Right = int32(len(l.Cells))
		if hi, err := f.cell(l, short, r.Mid, at, depth+1); err != nil || hi != r.Sep {
			return 0, orElse(err, at)
		}
	}
	return r.Hi, nil
}

// taken adds the next cell's labels, so many, to by.
func taken[T Float](l *Labels, by, from [][]T, width int64) (all [][]T, err error) {
	at := len(by)
	if at >= len(from) || int64(len(from[at])) != width {
		return nil, fmt.Errorf("label: not the %d labels of cell %d", width, at)
	}
	far := T(0)
	for i, d := range from[at] {
		if !(d >= 0 && float64(d) <= math.MaxFloat64) {
			return nil, fmt.Errorf("label: distance %d of cell %d is %g", i, at, d)
		}
		if d > far {
			far = d
		}
	}
	l.Far = max(l.Far, float64(far))
	return append(by, from[at]), nil
}

func orElse(err error, at int32) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("label: the cells below cell %d do not fill it", at)
}
