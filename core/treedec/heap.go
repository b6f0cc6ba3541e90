package treedec

// heap is a 4-ary min-heap of vertices by key and then by tie. Keys stand where
// they are compared: on large graphs the time goes into reaching memory.
type heap struct {
	items    []item
	position []int32 // of every vertex that is left
}

type item struct {
	key    int
	tie, v int32
}

func (a item) less(b item) bool { return a.key < b.key || a.key == b.key && a.tie < b.tie }

// newHeap holds all vertices by their keys. Without ties, vertices break them.
func newHeap(key []int, tie []int32) *heap {
	h := &heap{items: make([]item, len(key)), position: make([]int32, len(key))}
	for v, k := range key {
		h.items[v] = item{k, int32(v), int32(v)}
		if tie != nil {
			h.items[v].tie = tie[v]
		}
		h.position[v] = int32(v)
	}
	for i := len(key)/4 + 1; i >= 0; i-- {
		h.down(int32(i))
	}
	return h
}

func (h *heap) set(i int32, x item) { h.items[i], h.position[x.v] = x, i }

func (h *heap) up(i int32) {
	x := h.items[i]
	for i > 0 {
		p := (i - 1) / 4
		if !x.less(h.items[p]) {
			break
		}
		h.set(i, h.items[p])
		i = p
	}
	h.set(i, x)
}

func (h *heap) down(i int32) {
	n := int32(len(h.items))
	if i >= n {
		return
	}
	x := h.items[i]
	for {
		c := 4*i + 1
		if c >= n {
			break
		}
		least := c
		for k := c + 1; k < min(c+4, n); k++ {
			if h.items[k].less(h.items[least]) {
				least = k
			}
		}
		if !h.items[least].less(x) {
			break
		}
		h.set(i, h.items[least])
		i = least
	}
	h.set(i, x)
}

// change gives v, which is left, another key.
func (h *heap) change(v int32, key int) {
	i := h.position[v]
	before := h.items[i].key
	h.items[i].key = key
	switch {
	case key < before:
		h.up(i)
	case key > before:
		h.down(i)
	}
}

// lower takes by off the key of v, which is left.
func (h *heap) lower(v int32, by int) {
	h.items[h.position[v]].key -= by
	h.up(h.position[v])
}

// pop takes the least vertex out.
func (h *heap) pop() (v int32, key int) {
	least := h.items[0]
	last := len(h.items) - 1
	x := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.set(0, x)
		h.down(0)
	}
	return least.v, least.key
}
