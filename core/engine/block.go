package engine

import (
	"cmp"
	"fmt"
	"slices"

	"genussink/core/job"
)

// block shows a tile of the last plan's kernel as it is stored.
func (e *Engine) block(r *run, sc *scene, b *job.Block) (answer job.Body, err error) {
	err = e.withPlan(r, sc, func(last *solved) error {
		answer, err = last.block(b.Number)
		return err
	})
	return answer, err
}

// block is the number-th tile of the kernel, the largest first.
func (last *solved) block(number int) (job.Body, error) {
	if last.kernel.Cover == nil || last.kernel.Cover.Mine() == nil || len(last.kernel.Cover.Mine().Tiles) == 0 {
		return nil, fmt.Errorf("the kernel of the method %s has no blocks here", last.kernel.Spec.Method)
	}
	t := last.kernel.Cover.Mine()
	size := func(n int) int {
		rows, columns := t.Sides(&t.Tiles[n])
		return len(rows) * len(columns)
	}
	order := make([]int, len(t.Tiles))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(m, n int) int { return cmp.Compare(size(n), size(m)) })
	if number < 0 || number >= len(order) {
		return nil, fmt.Errorf("block %d: the kernel has the blocks 0 to %d", number, len(order)-1)
	}
	v := t.View(order[number])
	answer := &job.Blocked{Number: number, Count: len(order)}
	answer.RowStarts, answer.RowVertices = joined(v.Rows)
	answer.ColumnStarts, answer.ColVertices = joined(v.Columns)
	for _, run := range v.Runs {
		answer.Runs = append(answer.Runs, run.FirstRow, run.LastRow, run.From, run.To, run.Hub)
	}
	return answer, nil
}

// joined are lists one after the other, and where each begins.
func joined(lists [][]int32) (starts, all []int32) {
	starts = []int32{0}
	for _, list := range lists {
		all = append(all, list...)
		starts = append(starts, int32(len(all)))
	}
	return starts, all
}
