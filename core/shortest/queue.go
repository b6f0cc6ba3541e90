package shortest

// queue holds what was reached and is not settled yet. Only what is near lies in a heap. The rest waits in buckets of distance
// without an order, and beyond the last bucket in one list. Most of it is looked at twice. A plain heap looks at it
// once for each level, and that took twice the time. Where all falls in one bucket it is that plain heap (a ladder queue: Tang, Goh and Thng 2005).
type queue struct {
	near   []open    // 4-ary min-heap: of the buckets up to at
	bucket []int32   // the first of each bucket's waiting, -1 for none
	wait   []waiting // in buckets
	far    []open    // beyond last
	at     int       // the bucket that near holds
	first  float64   // where bucket 0 begins
	last   float64   // where the last bucket ends, itself included
	scale  float64   // buckets per distance
}

// open is a vertex and the distance that it was reached at. A vertex that is reached again, nearer, has another.
type open struct {
	d float64
	v int32
}

type waiting struct {
	open
	next int32 // in the bucket, -1 for none
}

// reset empties the queue.
func (q *queue) reset() {
	q.near, q.bucket, q.wait, q.far = q.near[:0], q.bucket[:0], q.wait[:0], q.far[:0]
	q.at, q.last = 0, -1
}

// vertices yields those that wait, and some that did.
func (q *queue) vertices(yield func(v int32) bool) {
	for _, o := range q.near {
		if !yield(o.v) {
			return
		}
	}
	for _, w := range q.wait {
		if !yield(w.v) {
			return
		}
	}
	for _, o := range q.far {
		if !yield(o.v) {
			return
		}
	}
}

// push takes in o.
func (q *queue) push(o open) {
	if o.d > q.last {
		q.far = append(q.far, o)
		return
	}
	q.place(o)
}

// place puts o, no further than last, in its bucket.
func (q *queue) place(o open) {
	i := len(q.bucket) - 1
	if at := (o.d - q.first) * q.scale; at < float64(i) {
		i = int(at)
	}
	if i <= q.at {
		q.up(o)
		return
	}
	q.wait = append(q.wait, waiting{o, q.bucket[i]})
	q.bucket[i] = int32(len(q.wait) - 1)
}

// pop takes the nearest out; it is not ok where there is none.
func (q *queue) pop() (o open, ok bool) {
	for len(q.near) == 0 {
		if q.at++; q.at >= len(q.bucket) {
			if len(q.far) == 0 {
				return o, false
			}
			q.refill()
			continue
		}
		for i := q.bucket[q.at]; i >= 0; i = q.wait[i].next {
			q.up(q.wait[i].open)
		}
	}
	return q.down(), true
}

// refill makes buckets of what was too far, about as many as there are vertices.
func (q *queue) refill() {
	q.first, q.last = q.far[0].d, q.far[0].d
	for _, o := range q.far {
		if o.d < q.first { // min and max are calls in WebAssembly
			q.first = o.d
		}
		if o.d > q.last {
			q.last = o.d
		}
	}
	q.at, q.wait, q.bucket = 0, q.wait[:0], q.bucket[:0]
	for range q.far {
		q.bucket = append(q.bucket, -1)
	}
	q.scale = 0
	if q.last > q.first {
		q.scale = float64(len(q.far)) / (q.last - q.first)
	}
	for _, o := range q.far {
		q.place(o)
	}
	q.far = q.far[:0]
}

// up puts o in the heap.
func (q *queue) up(o open) {
	q.near = append(q.near, o)
	heap := q.near
	p := len(heap) - 1
	for p > 0 {
		up := (p - 1) / 4
		if heap[up].d <= o.d {
			break
		}
		heap[p] = heap[up]
		p = up
	}
	heap[p] = o
}

// down takes the nearest out of the heap.
func (q *queue) down() open {
	heap := q.near
	top, last := heap[0], len(heap)-1
	moved := heap[last]
	heap = heap[:last]
	q.near = heap
	if last == 0 {
		return top
	}
	p := 0
	for {
		child := 4*p + 1
		if child >= last {
			break
		}
		least := child
		for k := child + 1; k < min(child+4, last); k++ {
			if heap[k].d < heap[least].d {
				least = k
			}
		}
		if heap[least].d >= moved.d {
			break
		}
		heap[p] = heap[least]
		p = least
	}
	heap[p] = moved
	return top
}
