package figure

// tidy is a tree made ready for layout in linear time (Buchheim, Juenger and Leipert, Improving Walker's algorithm to run
// in linear time, 2002), with bags of different widths.
type tidy struct {
	parent   []int
	children [][]int
	order    []int // parents first, left to right within a level
	depth    []int
	number   []int // among siblings

	// of one layout
	width                      []float64
	gap                        float64
	prelim, mod, shift, change []float64
	thread, ancestor           []int
}

// newTidy hangs the bags from their parents. Several roots stand side by side.
func newTidy(parent []int) *tidy {
	n := len(parent)
	t := &tidy{parent: parent, children: make([][]int, n+1), depth: make([]int, n), number: make([]int, n+1)}
	for b, up := range parent {
		if up < 0 {
			up = n // above all roots
		}
		t.number[b] = len(t.children[up])
		t.children[up] = append(t.children[up], b)
	}
	t.order = append(t.order, t.children[n]...)
	for i := 0; i < len(t.order); i++ {
		for _, c := range t.children[t.order[i]] {
			t.depth[c] = t.depth[t.order[i]] + 1
			t.order = append(t.order, c)
		}
	}
	return t
}

// place finds the middles of bags of given widths, from 0 to the right, bags of a level at least the gap apart.
func (t *tidy) place(width []float64, gap float64) []float64 {
	n := len(t.parent)
	t.width, t.gap = append(append([]float64(nil), width...), 0), gap
	for _, list := range []*[]float64{&t.prelim, &t.mod, &t.shift, &t.change} {
		*list = make([]float64, n+1)
	}
	t.thread, t.ancestor = make([]int, n+1), make([]int, n+1)
	for b := range t.thread {
		t.thread[b], t.ancestor[b] = -1, b
	}
	// Children before parents, left before right: a walk without recursion, as paths may be thousands of bags long.
	type frame struct {
		bag, next int
		left      int // the default ancestor
	}
	stack := []frame{{bag: n, left: -1}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		kids := t.children[f.bag]
		if f.next > 0 { // a child is done
			c := kids[f.next-1]
			if f.left < 0 {
				f.left = kids[0]
			}
			f.left = t.apportion(c, f.left, f.bag)
		}
		if f.next < len(kids) {
			f.next++
			stack = append(stack, frame{bag: kids[f.next-1], left: -1})
			continue
		}
		t.settle(f.bag)
		stack = stack[:len(stack)-1]
	}
	x := make([]float64, n)
	sum := make([]float64, n+1)
	least := 0.0
	sum[n] = t.mod[n]
	for _, b := range t.order {
		up := t.parent[b]
		if up < 0 {
			up = n
		}
		x[b] = t.prelim[b] + sum[up]
		sum[b] = sum[up] + t.mod[b]
		least = min(least, x[b]-width[b]/2)
	}
	if len(x) > 0 {
		least = x[0] - width[0]/2
		for b := range x {
			least = min(least, x[b]-width[b]/2)
		}
	}
	for b := range x {
		x[b] -= least
	}
	return x
}

func (t *tidy) apart(a, b int) float64 { return (t.width[a]+t.width[b])/2 + t.gap }

// before is the sibling to the left, -1 without.
func (t *tidy) before(b int) int {
	if b == len(t.parent) || t.number[b] == 0 {
		return -1
	}
	return t.siblings(b)[t.number[b]-1]
}

func (t *tidy) siblings(b int) []int {
	up := t.parent[b]
	if up < 0 {
		up = len(t.parent)
	}
	return t.children[up]
}

// settle places a bag over its children, which are placed.
func (t *tidy) settle(b int) {
	left := t.before(b)
	kids := t.children[b]
	if len(kids) == 0 {
		if left >= 0 {
			t.prelim[b] = t.prelim[left] + t.apart(left, b)
		}
		return
	}
	shift, change := 0.0, 0.0
	for i := len(kids) - 1; i >= 0; i-- {
		c := kids[i]
		t.prelim[c] += shift
		t.mod[c] += shift
		change += t.change[c]
		shift += t.shift[c] + change
	}
	middle := (t.prelim[kids[0]] + t.prelim[kids[len(kids)-1]]) / 2
	if left >= 0 {
		t.prelim[b] = t.prelim[left] + t.apart(left, b)
		t.mod[b] = t.prelim[b] - middle
	} else {
		t.prelim[b] = middle
	}
}

func (t *tidy) nextLeft(b int) int {
	if kids := t.children[b]; len(kids) > 0 {
		return kids[0]
	}
	return t.thread[b]
}

func (t *tidy) nextRight(b int) int {
	if kids := t.children[b]; len(kids) > 0 {
		return kids[len(kids)-1]
	}
	return t.thread[b]
}

// apportion moves the subtree of b to the right until it is clear of those left of it.
func (t *tidy) apportion(b, left, up int) int {
	w := t.before(b)
	if w < 0 {
		return left
	}
	ir, or, il, ol := b, b, w, t.children[up][0]
	sir, sor, sil, sol := t.mod[ir], t.mod[or], t.mod[il], t.mod[ol]
	for t.nextRight(il) >= 0 && t.nextLeft(ir) >= 0 {
		il, ir, ol, or = t.nextRight(il), t.nextLeft(ir), t.nextLeft(ol), t.nextRight(or)
		t.ancestor[or] = b
		if move := t.prelim[il] + sil - t.prelim[ir] - sir + t.apart(il, ir); move > 0 {
			from := left
			if a := t.ancestor[il]; t.sibling(a, b) {
				from = a
			}
			parts := float64(t.number[b] - t.number[from])
			t.change[b] -= move / parts
			t.shift[b] += move
			t.change[from] += move / parts
			t.prelim[b] += move
			t.mod[b] += move
			sir += move
			sor += move
		}
		sil += t.mod[il]
		sir += t.mod[ir]
		sol += t.mod[ol]
		sor += t.mod[or]
	}
	if t.nextRight(il) >= 0 && t.nextRight(or) < 0 {
		t.thread[or] = t.nextRight(il)
		t.mod[or] += sil - sor
	}
	if t.nextLeft(ir) >= 0 && t.nextLeft(ol) < 0 {
		t.thread[ol] = t.nextLeft(ir)
		t.mod[ol] += sir - sol
		left = b
	}
	return left
}

func (t *tidy) sibling(a, b int) bool {
	return t.upper(a) == t.upper(b) && a != b
}

func (t *tidy) upper(b int) int {
	if b == len(t.parent) {
		return -2
	}
	return t.parent[b]
}
