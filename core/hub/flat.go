package hub

import (
	"fmt"
	"math"
	"slices"
)

// Flat is Labels as plain slices, to hand to another thread that shares no
// memory.
type Flat struct {
	Order []int32   // place -> vertex
	Sizes []int32   // 4 for each region, parents before children, left before right: vertices left, right and in the separator, hubs from outside
	Hubs  []int32   // of all regions: the hubs from outside, by place
	Long  []float64 // of all regions: the labels
	Short []float32 // or, where they are float32
}

// Flat copies the labels.
func (l *Labels) Flat() Flat {
	f := Flat{Order: append([]int32(nil), l.Order...)}
	for _, r := range l.regions {
		outside := r.outside()
		f.Sizes = append(f.Sizes, r.mid-r.lo, r.sep-r.mid, r.hi-r.sep, int32(len(outside)))
		f.Hubs = append(f.Hubs, outside...)
	}
	f.Long, f.Short = slices.Concat(l.long...), slices.Concat(l.short...)
	return f
}

// outside lists the hubs that are not in the region's own separator.
func (r *region) outside() []int32 {
	if r.lo == r.sep {
		return nil
	}
	return r.hubs[:len(r.hubs)-int(r.hi-r.sep)]
}

// Labels makes labels of what Flat copied; they keep the slices. The result
// walks and multiplies as the original does. It never panics: slices that do
// not fit one another are an error. Whether the distances are those of some
// graph is not checked.
func (f Flat) Labels() (*Labels, error) {
	n := len(f.Order)
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("hub: %d places", n)
	}
	t := &Tree{Order: f.Order, place: make([]int32, n), owner: make([]int32, n)}
	l := &Labels{Tree: t, numbers: numbers{tree: t}}
	short := len(f.Short) > 0
	for i := range t.place {
		t.place[i] = -1
	}
	for p, v := range f.Order {
		if v < 0 || int(v) >= n || t.place[v] >= 0 {
			return nil, fmt.Errorf("hub: place %d is vertex %d of %d, or holds it twice", p, v, n)
		}
		t.place[v] = int32(p)
	}
	for lo := int32(0); int(lo) < n; {
		hi, err := f.region(l, short, lo, -1, 0)
		if err != nil {
			return nil, err
		}
		lo = hi
	}
	if at := len(t.regions); 4*at != len(f.Sizes) || len(f.Hubs) != 0 || len(f.Long) != 0 || len(f.Short) != 0 {
		return nil, fmt.Errorf("hub: %d of %d sizes used, %d hubs and %d distances left over", 4*at, len(f.Sizes), len(f.Hubs), len(f.Long)+len(f.Short))
	}
	l.measured()
	return l, nil
}

// region takes the next region and all below it from f.
func (f *Flat) region(l *Labels, short bool, lo, parent, depth int32) (hi int32, err error) {
	at := int32(len(l.regions))
	if 4*int(at)+4 > len(f.Sizes) {
		return 0, fmt.Errorf("hub: region %d is missing", at)
	}
	left, right, separator, outside := f.Sizes[4*at], f.Sizes[4*at+1], f.Sizes[4*at+2], f.Sizes[4*at+3]
	total := int64(left) + int64(right) + int64(separator)
	width := int64(separator) * total
	if left < 0 || right < 0 || separator < 0 || outside < 0 || total == 0 || int64(lo)+total > int64(l.Len()) ||
		(left == 0) != (right == 0) || left == 0 && outside > 0 || int(outside) > len(f.Hubs) {
		return 0, fmt.Errorf("hub: region %d of %d, %d and %d vertices and %d hubs does not fit", at, left, right, separator, outside)
	}
	r := region{lo: lo, mid: lo + left, sep: lo + left + right, hi: lo + int32(total), parent: parent, left: -1, right: -1, deep: depth}
	for _, h := range f.Hubs[:outside] {
		// The owner of a hub from outside must be an ancestor, so that the hub
		// has a distance to every place of the region.
		up := parent
		for up >= 0 && (h < l.regions[up].sep || h >= l.regions[up].hi) {
			up = l.regions[up].parent
		}
		if up < 0 {
			return 0, fmt.Errorf("hub: region %d names place %d as a hub, which no region around it separates", at, h)
		}
		r.hubs = append(r.hubs, h)
	}
	f.Hubs = f.Hubs[outside:]
	for s := r.sep; s < r.hi; s++ {
		l.owner[s] = at
		if left > 0 {
			r.hubs = append(r.hubs, s)
		}
	}
	l.regions = append(l.regions, r)
	if short {
		l.short, f.Short, err = taken(l, l.short, f.Short, width)
	} else {
		l.long, f.Long, err = taken(l, l.long, f.Long, width)
	}
	if err != nil {
		return 0, err
	}
	if left > 0 {
		l.regions[at].left = int32(len(l.regions))
		if hi, err := f.region(l, short, lo, at, depth+1); err != nil || hi != r.mid {
			return 0, orElse(err, at)
		}
		l.regions[at].right = int32(len(l.regions))
		if hi, err := f.region(l, short, r.mid, at, depth+1); err != nil || hi != r.sep {
			return 0, orElse(err, at)
		}
	}
	return r.hi, nil
}

// taken moves the next region's labels, so many, from the front of from to the
// end of by.
func taken[T number](l *Labels, by [][]T, from []T, width int64) (all [][]T, rest []T, err error) {
	if width > int64(len(from)) {
		return nil, nil, fmt.Errorf("hub: %d distances for the %d labels of region %d", len(from), width, len(by))
	}
	far := T(0)
	for i, d := range from[:width] {
		if !(d >= 0 && float64(d) <= math.MaxFloat64) {
			return nil, nil, fmt.Errorf("hub: distance %d of region %d is %g", i, len(by), d)
		}
		if d > far {
			far = d
		}
	}
	l.far = max(l.far, float64(far))
	return append(by, from[:width:width]), from[width:], nil
}

func orElse(err error, at int32) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("hub: the regions below region %d do not fill it", at)
}
