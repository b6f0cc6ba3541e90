package label

import (
	"math"
	"slices"
)

// Path appends a shortest path between two vertices, both included, to vertices, and to along how far along it each of
// them is, in the graph's unit. It is not ok, and appends nothing, between two components, and where rounding or edges of no length lead it
// astray.
//
// It does not search. From either vertex it moves to the hub of Distance, one neighbour at a time. There are two ends, a
// vertex and a hub whose cell holds it. How far any neighbour of the vertex is from the hub a label says: one of the hub
// or, where the neighbour is outside the cell, one of the neighbour, which then separates a cell around this one. The vertex moves to
// the neighbour with the shortest way to the hub. If that one is outside the cell it is the hub from then on, and the
// other end moves. Every move must lower the label between the ends, so that the moves end.
//
// A label of float32 may be 2^-23 of itself too long, and of ways that differ by less the longer may be taken. A path that
// is ok is no longer than Distance but for that, and so less than 2^-22 of itself longer than the shortest.
func (l *Labels) Path(vertices []int32, along []float64, from, to int32) (path []int32, at []float64, ok bool) {
	start := len(vertices)
	hub, d := l.through(l.Rank[from], l.Rank[to])
	if hub < 0 {
		return vertices, along, false
	}
	path, ok = l.leg(append(vertices, l.Rank[from]), hub)
	if !ok {
		return path[:start], along, false
	}
	middle := len(path)
	path, ok = l.leg(append(path, l.Rank[to]), hub)
	if !ok {
		return path[:start], along, false
	}
	slices.Reverse(path[middle:])
	path = slices.Delete(path, middle, middle+1) // the hub again
	at = append(along, 0)
	sum := 0.0
	for i := start + 1; i < len(path); i++ {
		next, weights := l.Graph.Neighbours(path[i-1])
		edge, _ := slices.BinarySearch(next, path[i])
		sum += weights[edge]
		at = append(at, sum)
	}
	if sum > d*(1+l.Precision().Unit()) {
		return path[:start], at[:len(along)], false
	}
	for i, p := range path[start:] {
		path[start+i] = l.Order[p]
	}
	return path, at, true
}

// leg moves from the last rank of a path to a hub whose cell holds it, and appends the ranks between, and the hub.
func (l *Labels) leg(path []int32, hub int32) (longer []int32, ok bool) {
	a := path[len(path)-1]
	var room [32]int32
	far, turned := append(room[:0], hub), false // the ranks from the other end on; that is the one that moves
	for d := l.At(hub, a); a != hub; {
		r := &l.Cells[l.Owner[hub]]
		outside := func(w int32) bool { return w < r.Lo || w >= r.Hi }
		next, rest, least := int32(-1), 0.0, math.Inf(1)
		to, weights := l.Graph.Neighbours(a)
		for i, w := range to {
			var left float64
			if outside(w) {
				left = l.At(w, hub)
			} else {
				left = l.At(hub, w)
			}
			if way := left + weights[i]; way < least || way == least && left < rest {
				next, rest, least = w, left, way
			}
		}
		if next < 0 || rest >= d {
			return path, false
		}
		d = rest
		if turned {
			far = append(far, next)
		} else {
			path = append(path, next)
		}
		if a, turned = next, turned != outside(next); outside(next) {
			a, hub = hub, next
		}
	}
	far = far[:len(far)-1] // where the ends have met
	for i := len(far) - 1; i >= 0; i-- {
		path = append(path, far[i])
	}
	return path, true
}
