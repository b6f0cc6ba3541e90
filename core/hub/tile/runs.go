package tile

import (
	"math"
	"slices"

	"genussink/core/hub/label"
	"genussink/core/internal/buffer"
)

// columns are the labels at the tile's columns.
func (s *Builder) columns() matrix { return matrix{s.cols, s.span} }

// leadsOver returns the least lead of each hub over a pivot, within a block of columns. The number after the last block's stands for all
// columns.
func (s *Builder) leadsOver(pivot int32, block, count int) []label.Fixed {
	if to := int(s.leadsAt[block*count+int(pivot)]); to > 0 {
		return s.leads[to-count : to]
	}
	return s.findLeads(pivot, block, count)
}

// findLeads computes what leadsOver returns, the first time that it is asked for.
func (s *Builder) findLeads(pivot int32, block, count int) []label.Fixed {
	blocks := s.span / chunk
	if block == blocks { // those of all blocks come first: what follows grows no more
		for i := range blocks {
			s.leadsOver(pivot, i, count)
		}
	}
	s.leads = slices.Grow(s.leads, count)[:len(s.leads)+count]
	s.leadsAt[block*count+int(pivot)] = int32(len(s.leads))
	leads := s.leads[len(s.leads)-count:]
	if block < blocks {
		cols := s.columns().from(block * chunk)
		leadsOf(leads, (*[chunk]label.Fixed)(cols.labels[int(pivot)*cols.stride:]), cols)
		return leads
	}
	copy(leads, s.leadsOver(pivot, 0, count))
	for i := 1; i < blocks; i++ {
		for n, d := range s.leadsOver(pivot, i, count)[:count] {
			leads[n] = min(leads[n], d)
		}
	}
	return leads
}

// nearest is that one of the hubs through which the way from a row to a column is shortest.
func (s *Builder) nearest(row []label.Fixed, column int, hubs []int32) int32 {
	least, pivot := label.Fixed(math.MaxInt64), int32(0)
	for _, n := range hubs {
		if d := row[n] + s.cols[int(n)*s.span+column]; d < least {
			least, pivot = d, n
		}
	}
	return pivot
}

// rowSet is a few rows as one. Seen from a pivot its label of a hub is the
// least lead of the hub over the pivot, plus the largest label of the pivot,
// so that it is a label when there is one row, and never negative.
type rowSet struct {
	rows  []label.Fixed // by row and hub
	count int
}

// labelsFrom has for each hub n the least over the rows of d(n,row) - d(pivot,row), plus the greatest d(pivot,row).
func (s *Builder) labelsFrom(g rowSet, pivot int32) []label.Fixed {
	if len(g.rows) == g.count {
		return g.rows
	}
	over := s.groupLabels[int(pivot)*g.count:][:g.count]
	if s.seen[pivot] {
		return over
	}
	s.seen[pivot] = true
	top := g.rows[pivot]
	for n, d := range g.rows[:g.count] {
		over[n] = d - top
	}
	for rows := g.rows[g.count:]; len(rows) > 0; rows = rows[g.count:] {
		own := rows[pivot]
		top = max(top, own)
		n := 0
		for ; n+4 <= len(over); n += 4 {
			o, d := (*[4]label.Fixed)(over[n:]), (*[4]label.Fixed)(rows[n:])
			o[0], o[1], o[2], o[3] = min(o[0], d[0]-own), min(o[1], d[1]-own), min(o[2], d[2]-own), min(o[3], d[3]-own)
		}
		for ; n < len(over); n++ {
			over[n] = min(over[n], rows[n]-own)
		}
	}
	for n := range over {
		over[n] += top
	}
	return over
}

// exactRuns appends the exact runs of a row. A run goes on while the way through its
// hub is the shortest. The next run begins at the first column for which the way
// through the next hub is shorter.
func (s *Builder) exactRuns(runs []Run, at int) []Run {
	count, width := len(s.rows)/s.Sides[0].Len(), s.Sides[1].Len()
	row := s.rows[at*count:][:count]
	blocks := (width + chunk - 1) / chunk
	current := s.nearest(row, width/2, s.Numbers(count))
	if s.findRivals(row, s.Numbers(count), current, blocks, 0); len(s.near) == 1 {
		return append(runs, Run{uint8(current), uint8(width - 1)})
	}
	s.rivals, s.near = s.near, s.rivals
	began := 0
	current = s.nearest(row, min(width, chunk)/2, s.rivals)
	labels := s.cols[int(current)*s.span:][:width]
	for i := range blocks {
		if s.findRivals(row, s.rivals, current, i, 0); len(s.near) == 1 {
			continue
		}
		from, to := i*chunk, min((i+1)*chunk, width)
		nearestOf(&s.shortestKeys, row, s.columns().from(from), s.near)
		rank := label.Fixed(0) // of the current hub among those near
		for j, key := range s.shortestKeys[:to-from] {
			if key&label.HubMask == rank {
				continue
			}
			at := from + j
			next := s.near[key&label.HubMask]
			if float64(row[current]+labels[at]) <= float64(key)*(1+s.Tie) {
				continue
			}
			other := s.cols[int(next)*s.span:][:width]
			for at > began && row[next]+other[at-1] < row[current]+labels[at-1] {
				at--
			}
			if at > began {
				runs = append(runs, Run{uint8(current), uint8(at - 1)})
				began = at
			}
			current, labels, rank = next, other, key&label.HubMask
		}
	}
	return append(runs, Run{uint8(current), uint8(width - 1)})
}

// sharedRuns appends the runs that the rows [from,to) share. A run goes on until, for some row, another
// way is shorter by more than the tolerance. The next run goes through the hub that is nearest to the
// middle row: the nearest of the chosen hubs or, if that does not serve all rows, of all rivals. If
// neither does, there are no shared runs, and it returns false. A single row always has runs.
func (s *Builder) sharedRuns(runs []Run, from, to int, tolerance label.Fixed) ([]Run, bool) {
	count, width := len(s.rows)/s.Sides[0].Len(), s.Sides[1].Len()
	g := rowSet{s.rows[from*count : to*count], count}
	middle := s.rows[(from+to)/2*count:][:count]
	clear(s.seen)
	blocks := (width + chunk - 1) / chunk
	current := s.nearest(middle, width/2, s.chosen)
	seen := s.labelsFrom(g, current)
	if s.findRivals(seen, s.Numbers(count), current, blocks, -tolerance); len(s.near) == 1 {
		return append(runs, Run{uint8(current), uint8(width - 1)}), true
	}
	s.findRivals(seen, s.Numbers(count), current, blocks, 0)
	s.rivals, s.near = s.near, s.rivals
	began := 0
	current = s.nearest(middle, min(width, chunk)/2, s.chosen)
	seen = s.labelsFrom(g, current)
	for i := range blocks {
		at, end, tries := i*chunk, min((i+1)*chunk, width), 0
		for {
			s.findRivals(seen, s.rivals, current, i, -tolerance)
			if served := s.firstUnserved(seen, at, end, tolerance); served > at {
				at, tries = served, 0
			}
			if at == end {
				break
			}
			switch {
			case tries == 2 && to-from == 1: // but for rounding it serves
				at, tries = at+1, 0
				continue
			case tries == 2:
				return runs, false
			case tries == 0 && at > began:
				runs = append(runs, Run{uint8(current), uint8(at - 1)})
				began = at
			}
			current = s.nearest(middle, at, [2][]int32{s.chosen, s.rivals}[tries])
			seen = s.labelsFrom(g, current)
			tries++
		}
	}
	return append(runs, Run{uint8(current), uint8(width - 1)}), true
}

// firstUnserved is the first of the columns [from,to) for which the first hub of near does not serve
// all rows of a group within the tolerance: another hub of near has a shorter way. to if there is none.
func (s *Builder) firstUnserved(seen []label.Fixed, from, to int, tolerance label.Fixed) int {
	current := s.near[0]
	labels := s.cols[int(current)*s.span:][from:to]
	for _, n := range s.near[1:] {
		ahead := seen[current] - tolerance - seen[n]
		for j, d := range s.cols[int(n)*s.span+from:][:len(labels)] {
			if d-labels[j] < ahead {
				labels = labels[:j]
				break
			}
		}
	}
	return from + len(labels)
}

// surplus is the mean error of the probed pairs: the way that the tile takes, less the shortest. Subtracted from all distances of the tile
// it makes their errors cancel on average.
func (s *Builder) surplus(groups []RowGroup, runs []Run) float64 {
	var list [2][Probes]probed
	rows, cols := s.Sides[0].probesOf(list[0][:0]), s.Sides[1].probesOf(list[1][:0])
	pairs := label.Fixed(len(rows) * len(cols))
	total, end := label.Fixed(0), 0
	for _, r := range rows {
		for r.at >= end+int(groups[0].Size) { // to the group of the row
			end += int(groups[0].Size)
			runs, groups = runs[groups[0].Runs:], groups[1:]
		}
		run := 0
		for _, c := range cols {
			for int(runs[run].Last) < c.at {
				run++
			}
			i := r.n*len(cols) + c.n
			total += (s.ways[int(runs[run].Band)*int(pairs)+i] - s.shortest[i]) / pairs
		}
	}
	return s.Scale.Length(total)
}

// findRivals sets near to the hub current and to those rivals that may be nearer. A rival may be nearer if, somewhere in the block,
// the way through it is shorter than the way through current plus below. seen is the outcome of labelsFrom
// for current.
func (s *Builder) findRivals(seen []label.Fixed, rivals []int32, current int32, block int, below label.Fixed) {
	leads := s.leadsOver(current, block, len(seen))[:len(seen)]
	least := seen[current] + below
	near := buffer.Sized(s.near, len(rivals)+1)
	near[0] = current
	count := 1
	take := func(n int32) {
		near[count] = n
		if seen[n]+leads[n] < least { // not so of the current one
			count++
		}
	}
	for ; len(rivals) >= 4; rivals = rivals[4:] {
		four := (*[4]int32)(rivals)
		take(four[0])
		take(four[1])
		take(four[2])
		take(four[3])
	}
	for _, n := range rivals {
		take(n)
	}
	s.near = near[:count]
}
