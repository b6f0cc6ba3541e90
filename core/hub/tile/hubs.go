package tile

import (
	"math"
	"slices"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// pathSamples is the number of rows, and of columns, whose shortest paths tell prune which hubs to compare the others with.
const pathSamples = 16

// sampled are the labels of a hub at some rows and then at some columns.
type sampled [2 * pathSamples]label.Fixed

// findPivots lists the hubs that shortest paths between some pairs use: the pivots.
func (s *Builder) findPivots(count int) {
	var keys [pathSamples][pathSamples]label.Fixed
	for i := range keys {
		for j := range keys[i] {
			keys[i][j] = math.MaxInt64
		}
	}
	height, width := s.Sides[0].Len(), s.Sides[1].Len()
	s.samples = buffer.Sized(s.samples, count)
	for n := range count {
		row, col, own := s.Sides[0].Labels[n*height:][:height], s.Sides[1].Labels[n*width:][:width], &s.samples[n]
		var far [pathSamples]label.Fixed
		for j := range far {
			own[j], own[pathSamples+j] = row[sampleOf(j, pathSamples, height)], col[sampleOf(j, pathSamples, width)]
			far[j] = own[pathSamples+j]&^keyMask | label.Fixed(n)
		}
		for i := range keys {
			d := own[i] &^ keyMask
			for j := 0; j < pathSamples; j += 4 {
				k, f := (*[4]label.Fixed)(keys[i][j:]), (*[4]label.Fixed)(far[j:])
				k[0], k[1], k[2], k[3] = min(k[0], d+f[0]), min(k[1], d+f[1]), min(k[2], d+f[2]), min(k[3], d+f[3])
			}
		}
	}
	s.used = buffer.Sized(s.used, count)
	clear(s.used)
	s.Pivots, s.pairs = s.Pivots[:0], s.pairs[:0]
	for i := range keys {
		for j, key := range keys[i] {
			if n := int32(key & keyMask); !s.used[n] {
				s.used[n] = true
				s.Pivots, s.pairs = append(s.Pivots, n), append(s.pairs, i*pathSamples+j)
			}
		}
	}
}

// Numbers are 0 to count-1.
func (s *Builder) Numbers(count int) []int32 {
	for len(s.allHubs) < count {
		s.allHubs = append(s.allHubs, int32(len(s.allHubs)))
	}
	return s.allHubs[:count]
}

// Prune lists the hubs that are kept. It drops each hub for which some pivot has a way as short for every pair. Where a pivot itself is
// such a hub, as on lattices, whose hubs tie, it drops each for which any other has.
func (s *Builder) Prune(count int) []int32 {
	s.findPivots(count)
	s.kept = s.kept[:0]
	for n := range int32(count) {
		if s.used[n] || !slices.ContainsFunc(s.Pivots, func(m int32) bool { return s.replaces(m, n) }) {
			s.kept = append(s.kept, n)
		}
	}
	drop := func(n int32, instead func(m int32) bool) {
		if slices.ContainsFunc(s.kept, func(m int32) bool { return m != n && instead(m) && s.replaces(m, n) }) {
			at, _ := slices.BinarySearch(s.kept, n)
			s.kept = slices.Delete(s.kept, at, at+1)
			s.used[n] = false
		}
	}
	pivots := len(s.Pivots)
	for i, n := range s.Pivots {
		r, c := s.pairs[i]/pathSamples, pathSamples+s.pairs[i]%pathSamples
		way := func(m int32) label.Fixed { return s.samples[m][r] + s.samples[m][c] }
		drop(n, func(m int32) bool { return way(m) <= way(n) })
	}
	s.Pivots = slices.DeleteFunc(s.Pivots, func(n int32) bool { return !s.used[n] })
	for n := int32(0); n < int32(count) && len(s.Pivots) < pivots; n++ {
		if _, kept := slices.BinarySearch(s.kept, n); kept && !s.used[n] {
			drop(n, func(int32) bool { return true })
		}
	}
	return s.kept
}

// replaces reports whether a hub has a way as short as another's for every pair.
func (s *Builder) replaces(hub, other int32) bool {
	// The leads at the samples bound the least from above.
	p, r := &s.samples[hub], &s.samples[other]
	la, lb := label.Fixed(math.MaxInt64/2), label.Fixed(math.MaxInt64/2)
	for i := 0; i < pathSamples; i += 4 {
		a, b := (*[4]label.Fixed)(r[i:]), (*[4]label.Fixed)(p[i:])
		c, d := (*[4]label.Fixed)(r[pathSamples+i:]), (*[4]label.Fixed)(p[pathSamples+i:])
		la = min(la, a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3])
		lb = min(lb, c[0]-d[0], c[1]-d[1], c[2]-d[2], c[3]-d[3])
		if la+lb < 0 {
			return false
		}
	}
	la = label.LeadFixed(s.Sides[0].row(other), s.Sides[0].row(hub), -lb)
	return la+lb >= 0 && la+label.LeadFixed(s.Sides[1].row(other), s.Sides[1].row(hub), -la) >= 0
}

// sampleOf is the i-th of so many samples of a side, spread over its size vertices.
func sampleOf(i, samples, size int) int { return (2*i + 1) * size / (2 * samples) }

// keyMask is a mask of the last bits of a length, which name its hub. It has so
// many bits that two lengths that differ by rounding alone, also that of float32,
// count as equal. Then the first hub wins. With fewer bits float32 makes 8 % more runs.
const keyMask = 1<<42 - 1

// shortestWays finds the lengths of the shortest paths from a vertex of one side to all vertices of the other. The last bits of each
// length name the path's hub, by its index in hubs.
func (s *Builder) shortestWays(from *Side, v int, to *Side, hubs []int32) []label.Fixed {
	width, height := to.Len(), from.Len()
	s.lengths = buffer.Sized(s.lengths, width)
	keys := s.lengths
	if wide && width >= chunk {
		for j := 0; j < width; j += chunk {
			at := min(j, width-chunk) // the last block may begin before the one before it ends
			nearestByFours((*[chunk]label.Fixed)(keys[at:]), &from.Labels[v], height, &to.Labels[at], width, &hubs[0], len(hubs), ^(keyMask &^ label.HubMask))
		}
		return keys
	}
	for j := range keys {
		keys[j] = math.MaxInt64
	}
	way := func(i int) (start label.Fixed, labels []label.Fixed) {
		n := int(hubs[i])
		return from.Labels[n*height+v], to.Labels[n*width:][:len(keys)]
	}
	i := 0
	for ; i+1 < len(hubs); i += 2 { // by two: the keys are read and written half as often
		a, first := way(i)
		b, second := way(i + 1)
		m, n := label.Fixed(i), label.Fixed(i+1)
		lower := func(key, d, e label.Fixed) label.Fixed { return min(key, (a+d)&^keyMask|m, (b+e)&^keyMask|n) }
		j := 0
		for ; j+8 <= len(keys); j += 8 {
			k, d, e := (*[8]label.Fixed)(keys[j:]), (*[8]label.Fixed)(first[j:]), (*[8]label.Fixed)(second[j:])
			k[0], k[1] = lower(k[0], d[0], e[0]), lower(k[1], d[1], e[1])
			k[2], k[3] = lower(k[2], d[2], e[2]), lower(k[3], d[3], e[3])
			k[4], k[5] = lower(k[4], d[4], e[4]), lower(k[5], d[5], e[5])
			k[6], k[7] = lower(k[6], d[6], e[6]), lower(k[7], d[7], e[7])
		}
		for ; j < len(keys); j++ {
			keys[j] = lower(keys[j], first[j], second[j])
		}
	}
	if i < len(hubs) {
		a, labels := way(i)
		for j, key := range keys {
			keys[j] = min(key, (a+labels[j])&^keyMask|label.Fixed(i))
		}
	}
	return keys
}

// Probes is the number of rows, and that of columns, whose pairs are probed.
const Probes = 12

// probed is the n-th probed vertex of a side, and where it stands in the side's order.
type probed struct{ n, at int }

// probesOf appends the probed vertices of a side, in the side's order.
func (s *Side) probesOf(list []probed) []probed {
	size := s.Len()
	probes := min(Probes, size)
	for at, v := range s.order {
		if n := (2*int(v)*probes + size - 1) / (2 * size); n < probes && sampleOf(n, probes, size) == int(v) {
			list = append(list, probed{n, at})
		}
	}
	return list
}

// chooseHubs chooses some of the hubs that were kept, until one of them serves each probed pair. A hub serves a pair if the way through it is
// within the tolerance of the shortest. The choice is greedy: first comes the hub that serves the most pairs, then the one that serves the
// most of the pairs left, and so on.
func (s *Builder) chooseHubs(kept []int32, tolerance label.Fixed) {
	count := len(kept)
	height, width := s.Sides[0].Len(), s.Sides[1].Len()
	across, down := min(Probes, width), min(Probes, height)
	pairs := across * down
	s.ways, s.shortest = buffer.Sized(s.ways, pairs*count), buffer.Sized(s.shortest, pairs)
	for i := range s.shortest {
		s.shortest[i] = math.MaxInt64
	}
	for n, h := range kept {
		rows, cols := s.Sides[0].row(h), s.Sides[1].row(h)
		for i := range down {
			r := rows[sampleOf(i, down, height)]
			for j := range across {
				d := r + cols[sampleOf(j, across, width)]
				s.ways[n*pairs+i*across+j] = d
				s.shortest[i*across+j] = min(s.shortest[i*across+j], d)
			}
		}
	}
	s.limits, s.serves = buffer.Sized(s.limits, pairs), buffer.Sized(s.serves, count)
	for i, d := range s.shortest {
		s.limits[i] = d + label.Fixed(float64(d)*s.Tie) + tolerance
	}
	for n := range s.serves {
		s.serves[n] = pairs
	}
	s.chosen = s.chosen[:0]
	for left := pairs; left > 0; {
		most, at := 0, 0
		for n, before := range s.serves {
			if before <= most {
				continue // it serves fewer and fewer
			}
			serves := 0
			for i, d := range s.ways[n*pairs:][:pairs] {
				if d <= s.limits[i] {
					serves++
				}
			}
			if s.serves[n] = serves; serves > most {
				most, at = serves, n
			}
		}
		s.chosen = append(s.chosen, int32(at))
		for i, d := range s.ways[at*pairs:][:pairs] {
			if d <= s.limits[i] {
				s.limits[i] = -1
			}
		}
		left -= most
	}
}
