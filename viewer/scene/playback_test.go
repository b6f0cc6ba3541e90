package scene

import (
	"math"
	"slices"
	"testing"

	"genussink/core/job"
	"genussink/viewer/colormap"
)

func TestPlaybackRunsStopsAndLoops(t *testing.T) {
	r := ready(t)
	r.s.Playback.Loop(false)
	r.s.Playback.Seek(0)
	r.s.Playback.Speed(2)
	r.s.Play()
	for range 100 {
		r.s.Tick(PlaySeconds / 2 / 90)
	}
	if st := r.s.State(); st.Playback.Playing || st.Playback.Position != 1 {
		t.Errorf("at the end: %+v", st.Playback)
	}
	r.s.Play()
	if p := r.s.Playback.Position(); p != 0 {
		t.Errorf("playing again starts at %g", p)
	}
	r.s.Playback.Loop(true)
	r.s.Playback.Seek(0.95)
	for range 20 {
		r.s.Tick(0.05)
	}
	if st := r.s.State(); !st.Playback.Playing || st.Playback.Position > 0.5 {
		t.Errorf("looping: %+v", st.Playback)
	}
	r.s.Playback.Pause()
	p := r.s.Playback.Position()
	r.s.Tick(0.1)
	if r.s.Playback.Position() != p {
		t.Error("pause does not stop")
	}
	for _, x := range []float64{math.NaN(), -3, 7} {
		r.s.Playback.Seek(x)
		if p := r.s.Playback.Position(); !(p >= 0 && p <= 1) {
			t.Errorf("seek %g leads to %g", x, p)
		}
	}
}

// A page that opens in another task keeps its mass at the source until transport is looked at.
func TestFirstMotionIsSeen(t *testing.T) {
	r := newRig(t, grid(9, 7))
	r.s.Task(TaskSeparators)
	r.run()
	r.s.Tick(0.5)
	if p := r.s.State().Playback; !p.Available || p.Playing || p.Position != 0 {
		t.Fatalf("unseen, the mass is at %+v", p)
	}
	r.s.Task(TaskTransport)
	r.s.Tick(0.5)
	if p := r.s.State().Playback; !p.Playing || p.Position == 0 {
		t.Errorf("seen, the mass is at %+v", p)
	}
}

func TestPlayWithoutAPlanSolvesFirst(t *testing.T) {
	r := &rig{t: t, s: New(), mesh: grid(5, 5)}
	r.s.View.ReducedMotion(true)
	r.s.OpenGenerated("grid", nil)
	out := r.take()
	r.answer(out[0].ID, r.mesh)
	for _, q := range r.take() {
		if _, ok := q.Body.(*job.Separate); ok {
			r.answer(q.ID, tree(25, 2))
		} else {
			e := &job.Measured{Source: make([]float64, 25), Target: make([]float64, 25)}
			e.Source[0], e.Target[1] = 1, 1
			r.answer(q.ID, e)
		}
	}
	r.s.Cancel()
	r.take()
	r.s.Play()
	r.run()
	if st := r.s.State(); !st.Playback.Playing {
		t.Errorf("playback %+v, phase %s", st.Playback, st.Phase)
	}
}

// edge is the length of the grid's first edge in view units.
func edge(m *Mesh) float64 {
	return math.Hypot(math.Hypot(float64(m.Points[3]-m.Points[0]), float64(m.Points[4]-m.Points[1])), float64(m.Points[5]-m.Points[2]))
}

// A particle is spread towards a vertex next to it, so that it stays on the surface however that bends, and towards the side it belongs to.
func TestParticlesStayOnTheSurface(t *testing.T) {
	r := ready(t)
	m := *r.s.Mesh.Mesh
	m.Points, m.Normals = slices.Clone(m.Points), slices.Clone(m.Normals)
	for v := range m.Vertices() {
		x := float64(m.Points[3*v]) // a roof's round ridge
		m.Points[3*v], m.Points[3*v+2] = float32(math.Sin(x)), float32(math.Cos(x))
		copy(m.Normals[3*v:], []float32{float32(math.Sin(x)), 0, float32(math.Cos(x))})
	}
	offsets, targets := m.Neighbours()
	toward := map[int32]bool{}
	for i := range 16 {
		a, b := float32(math.Sin(float64(i))), float32(math.Cos(float64(i)))
		w := m.beside(31, a, b)
		if !slices.Contains(targets[offsets[31]:offsets[32]], w) || m.beside(31, -a, -b) == w {
			t.Errorf("towards (%g, %g): vertex %d, and also the other way", a, b, w)
		}
		toward[w] = true
	}
	if all := int(offsets[32] - offsets[31]); len(toward) < all-1 {
		t.Errorf("spread towards %d of %d vertices", len(toward), all)
	}
	if w := m.beside(31, 0, 0); w != 31 {
		t.Errorf("without a direction: vertex %d", w)
	}
}

// Particles travel from their first vertex to their last, each at its own even
// pace, and never farther from their path than the spread.
func TestParticlesFollowTheirPaths(t *testing.T) {
	r := ready(t)
	m := r.s.Mesh.Mesh
	at := func(v int32) [3]float64 {
		return [3]float64{float64(m.Points[3*v]), float64(m.Points[3*v+1]), float64(m.Points[3*v+2])}
	}
	slack := 0.75 * edge(m)
	far := func(q []float32, p [3]float64) float64 {
		return math.Hypot(math.Hypot(float64(q[0])-p[0], float64(q[1])-p[1]), float64(q[2])-p[2])
	}
	r.s.Play()
	for _, c := range []struct {
		position float64
		place    [3]float64
	}{
		{0, at(0)}, {1, at(2)}, {0.5, at(1)}, {0, at(0)}, {1, at(2)},
	} {
		r.s.Playback.line.Play()
		r.s.Playback.Seek(c.position)
		q := r.s.ParticlePositions(nil)
		if len(q) != 12 {
			t.Fatalf("%d numbers", len(q))
		}
		if d := far(q[:3], c.place); d > slack {
			t.Errorf("at %g particle 0 is %g away from its path", c.position, d)
		}
		if d := far(q[6:9], at(5)); d > slack {
			t.Errorf("at %g the particle that stays is %g away", c.position, d)
		}
	}
}

// A particle is found on the same edge as by a walk along its whole path, wherever it was before.
func TestLocateIsAWalk(t *testing.T) {
	f := &job.Flowing{Offsets: []int32{0, 1, 3, 7, 40}}
	for i := range 4 {
		along := 0.0
		for k := range f.Offsets[i+1] - f.Offsets[i] {
			f.Vertices, f.Along = append(f.Vertices, k), append(f.Along, along)
			along += float64((k*7 + 3) % 5) // some steps of no length
		}
	}
	p := &paths{}
	p.join(f)
	for step := range 500 {
		progress := float64(step*step*7919%1009) / 1008
		for i := range p.particles {
			along := p.particles[i].along
			k, last := 0, len(along)-1
			way := progress * along[last]
			for k+1 < last && along[k+1] <= way {
				k++
			}
			share := 0.0
			if k < last && along[k+1] > along[k] {
				share = min((way-along[k])/(along[k+1]-along[k]), 1)
			}
			if at, s := p.particles[i].locate(progress); at != k || s != share {
				t.Fatalf("particle %d with %g of its way behind it is at %d, %g, want %d, %g", i, progress, at, s, k, share)
			}
		}
	}
}

// Paths that arrive while others are on their way join them there; those of a
// new solve take their place once they are as many.
func TestParticlesJoinWhilePlaying(t *testing.T) {
	r := ready(t)
	solve := func() uint32 {
		r.s.Solve()
		id, _ := one[*job.Solve](r)
		r.answer(id, &job.Solved{})
		id, _ = one[*job.Flow](r)
		return id
	}
	id := solve()
	r.s.Play()
	r.s.Playback.Seek(0.5)
	r.answer(id, &job.Flowing{Offsets: []int32{0, 3}, Vertices: []int32{3, 4, 5}, Along: []float64{0, 1, 2}})
	if n := len(r.s.ParticlePositions(nil)); n != 12 || !r.s.Playback.former {
		t.Fatalf("%d numbers of the solve before, while the new one has one path", n)
	}
	r.answer(id, &job.Flowing{Offsets: []int32{0, 1}, Vertices: []int32{7}, Along: []float64{0}})
	before := r.s.ParticlePositions(nil)
	if len(before) != 12 || r.s.Playback.former {
		t.Fatalf("%d numbers of the new solve's first two paths", len(before))
	}
	r.answer(id, &job.Flowing{Offsets: []int32{0, 3}, Vertices: []int32{20, 21, 22}, Along: []float64{0, 1, 2}})
	after := r.s.ParticlePositions(nil)
	if len(after) != 18 || !slices.Equal(after[:12], before) || r.s.Playback.Position() != 0.5 {
		t.Errorf("at %g: %v, before %v", r.s.Playback.Position(), after, before)
	}
	if d := math.Abs(float64(after[12] - r.s.Mesh.Points[3*21])); d > 0.75*edge(r.s.Mesh.Mesh) {
		t.Errorf("the last particle is %g from the middle of its path", d)
	}
	r.answer(id, &job.Flowed{Particles: 3})
	if st := r.s.State(); st.Error != "" || st.Playback.Particles != 3 {
		t.Errorf("%s, %+v", st.Error, st.Playback)
	}
	id = solve()
	if len(r.s.ParticlePositions(nil)) != 18 {
		t.Error("the old paths are gone before there are new ones")
	}
	r.answer(id, &job.Flowing{Offsets: []int32{0, 2}, Vertices: []int32{1, 2}, Along: []float64{0, 1}})
	if n := len(r.s.ParticlePositions(nil)); n != 18 {
		t.Errorf("%d numbers of the old paths beside the new solve's first", n)
	}
	r.answer(id, &job.Flowed{Particles: 3})
	if r.s.State().Error == "" {
		t.Error("paths are missing, and that is no error")
	}
}

func TestMassOnTheMoveIsConserved(t *testing.T) {
	r := ready(t)
	r.s.Playback.Show(MassDensity)
	r.s.Play()
	for _, position := range []float64{0, 0.01, 0.1, 0.2, 0.5, 0.9, 0.999, 1} {
		r.s.Playback.Seek(position)
		mass, top := r.s.Playback.density(r.s.Mesh.Mesh, &r.s.Densities)
		sum := 0.0
		for _, x := range mass {
			sum += x
			if !(x >= 0) {
				t.Errorf("at %g: mass %g", position, x)
			}
		}
		squares, strong := 0.0, 0.0
		for _, x := range mass {
			squares += x * x
			if x > top/4 {
				strong += x
			}
		}
		if most := slices.Max(mass); math.Abs(sum-1) > 1e-12 || !(top > 0.7*min(most, squares)) || top > min(most, 2*squares) || strong < 0.5 {
			t.Errorf("at %g: sum %g, full strength at %g, largest %g, in the mean %g; %g of the mass is at a quarter of that strength or more", position, sum, top, most, squares, strong)
		}
	}
	if len(r.s.ParticlePositions(nil)) != 0 {
		t.Error("particles beside the density")
	}
}

// At either end the picture is that density, whatever the particles drawn say,
// in its own colour, and shows nothing of the other.
func TestEndsAreTheDensities(t *testing.T) {
	r := newRig(t, grid(9, 7))
	r.s.View.Split(false)
	r.run()
	r.s.Playback.Pause()
	n := r.s.Mesh.Vertices()
	for v := range n { // islands that overlap
		r.s.Densities.values[sourceSide][v], r.s.Densities.values[targetSide][v] = 3*max(0, 5-float64(v%9)), max(0, float64(v%9)-3)
	}
	settled := func() []colormap.RGB {
		for range 20 {
			r.s.Tick(0.05)
		}
		return slices.Clone(r.s.Colors())
	}
	for _, mass := range []Mass{MassParticles, MassDensity} {
		r.s.Playback.Show(mass)
		for _, end := range []struct {
			position float64
			at       Stance
			color    colormap.RGB
			other    side
		}{{0, AtSource, colormap.Source(), targetSide}, {1, AtTarget, colormap.Target(), sourceSide}} {
			own := 1 - end.other
			r.s.Playback.Seek(end.position)
			got := settled()
			if r.s.Showing().Mass != end.at || r.s.Showing().Mass.Color() != end.color {
				t.Errorf("%s at %g: stance %d in %v", mass, end.position, r.s.Showing().Mass, r.s.Showing().Mass.Color())
			}
			if moved, _ := r.s.Playback.density(r.s.Mesh.Mesh, &r.s.Densities); mass == MassDensity {
				for v, x := range r.s.Densities.values[own] {
					if want := x / r.s.Densities.mass(own); math.Abs(moved[v]-want) > 1e-15 {
						t.Fatalf("at %g vertex %d has mass %g, its density %g", end.position, v, moved[v], want)
					}
				}
			}
			// The other density is not in the picture.
			keep := r.s.Densities.values[end.other]
			r.s.Densities.values[end.other] = make([]float64, n)
			r.s.recolor(false)
			if !slices.Equal(got, settled()) {
				t.Errorf("%s at %g: the other density is shown", mass, end.position)
			}
			r.s.Densities.values[end.other] = keep
			// At a vertex of peak and at one without mass the colours are what the density's are.
			peak, none := 0, 8
			if own == targetSide {
				peak, none = 8, 0
			}
			l := linear(nil, []colormap.RGB{got[peak], got[none]})
			c := light(end.color)
			for k := range 3 {
				want := l[1][k] + (c[k]-l[1][k])*strong
				if mass == MassDensity {
					most, _ := colormap.Amount(end.color, r.s.View.Theme(), 1)
					want = light(most)[k]
				}
				if math.Abs(float64(l[0][k]-want)) > 0.01 {
					t.Errorf("%s at %g: the peak is %v, want %g in channel %d over %v", mass, end.position, got[peak], want, k, got[none])
				}
			}
		}
	}
	// In between there is gold; whoever takes a brush at an end sees both densities.
	r.s.Playback.Seek(0.5)
	if r.s.Showing().Mass.Color() != colormap.Moving() || r.s.Showing().Mass != InMotion {
		t.Error("no gold on the move")
	}
	r.s.Playback.Seek(1)
	r.s.BrushTool(ToolSource)
	if r.s.Showing().Mass != AtRest {
		t.Error("a density is hidden from who paints")
	}
}

// Times of paths are those of the frames that show them, since the solve's end.
func TestPathsAreTimed(t *testing.T) {
	r := ready(t)
	r.s.Tick(1)
	if p := r.s.State().Playback; p.FirstParticlesMs == nil || p.AllParticlesMs == nil {
		t.Errorf("paths are there and have no times: %+v", p)
	}
	r.s.Solve()
	id, _ := one[*job.Solve](r)
	r.s.Tick(5)
	r.answer(id, &job.Solved{})
	id, _ = one[*job.Flow](r)
	r.s.Tick(0.1)
	if p := r.s.State().Playback; p.FirstParticlesMs != nil || p.AllParticlesMs != nil {
		t.Errorf("no paths and times: %+v", p)
	}
	// The two particles there are move on until two can take their place.
	batch := &job.Flowing{Offsets: []int32{0, 1}, Vertices: []int32{1}, Along: []float64{0}}
	r.answer(id, batch)
	r.s.Tick(0.1)
	r.answer(id, batch)
	r.s.Tick(0.5)
	if p := r.s.State().Playback; p.AllParticlesMs != nil {
		t.Errorf("not all paths and their time: %g", *p.AllParticlesMs)
	}
	r.answer(id, &job.Flowed{Particles: 2})
	r.s.Tick(0.25)
	r.s.Tick(7)
	p := r.s.State().Playback
	if p.FirstParticlesMs == nil || math.Abs(*p.FirstParticlesMs-700) > 1e-6 || p.AllParticlesMs == nil || math.Abs(*p.AllParticlesMs-950) > 1e-6 || p.Particles != 2 {
		t.Errorf("after the paths: %+v", p)
	}
}

func TestColoursSayTheSplit(t *testing.T) {
	r := ready(t)
	r.s.Task(TaskSeparators)
	r.s.Separation.Level(0)
	settle := func() {
		for range 20 {
			r.s.Tick(0.05)
		}
	}
	settle()
	c := r.s.Colors()
	left, right := colormap.Left().RGB(), colormap.Right().RGB()
	if c[0] != left || c[62] != right || c[31] != colormap.Seam(colormap.Dark) {
		t.Errorf("colours %v %v %v", c[0], c[62], c[31])
	}
	revision := r.s.ColorRevision()
	r.s.Playback.Pause()
	r.s.View.Flow(false)
	settle()
	if r.s.ColorRevision() != revision {
		t.Error("colours change at rest")
	}
	r.s.Separation.Level(1)
	if mid := r.s.Colors()[0]; mid != left {
		t.Errorf("a level jumps: %v", mid)
	}
	r.s.Tick(jerkSeconds)
	half := r.s.Colors()[0]
	settle()
	end := r.s.Colors()[0]
	if half == left || half == end || end == left {
		t.Errorf("a level does not ease: %v, %v, %v", left, half, end)
	}
	if c := r.s.Colors(); c[0] == c[20] || c[15] != colormap.Seam(colormap.Dark) {
		t.Errorf("level 1 shows no sides: %v %v, separator %v", c[0], c[20], c[15])
	}
	r.s.Separation.Level(0)
	r.s.Tick(1.01 * jerkSeconds)
	if r.s.Colors()[0] != left {
		t.Error("colours ease where frames are slow")
	}
	r.s.Tick(2 * jerkSeconds)
	r.s.Separation.Level(1)
	r.s.Tick(jerkSeconds / 4) // a short frame after a long one
	if r.s.Colors()[0] != end {
		t.Error("colours ease right after a slow frame")
	}
	settle()
	r.s.Separation.Level(0)
	settle()
	r.s.Separation.Level(1)
	settle()
	r.s.View.Software(true)
	r.s.Separation.Level(0)
	if r.s.Colors()[0] != left {
		t.Error("colours ease where the processor draws")
	}
	r.s.View.Software(false)
	r.s.View.ReducedMotion(true)
	r.s.Separation.Level(1)
	if r.s.Colors()[0] != end {
		t.Error("reduced motion eases")
	}
	// So does another task, for 200 ms. It keeps the camera, and nothing is computed anew.
	r.s.View.ReducedMotion(false)
	settle()
	r.take()
	before, pose := slices.Clone(r.s.Colors()), r.s.View.Camera().Goal()
	r.s.Task(TaskTransport)
	frames := 0
	for revision := r.s.ColorRevision(); ; frames++ {
		r.s.Tick(1.0 / 60)
		if now := r.s.ColorRevision(); now != revision {
			revision = now
			continue
		}
		break
	}
	if after := r.s.Colors(); frames < 11 || frames > 13 || slices.Equal(after, before) {
		t.Errorf("another task eases for %d frames of 1/60 s", frames)
	}
	if out := r.take(); len(out) > 0 || r.s.View.Camera().Goal() != pose {
		t.Errorf("another task asks for %v and moves the camera to %v", kinds(out), r.s.View.Camera().Goal())
	}
	r.s.Task(TaskSeparators)
	r.s.View.Split(false)
	r.s.View.ReducedMotion(true)
	if r.s.Colors()[0] != colormap.Clay(colormap.Dark) || len(r.s.Dots(nil)) != 0 {
		t.Error("the split is still shown")
	}
}

func BenchmarkPaint(b *testing.B) {
	r := newRig(b, grid(114, 114))
	r.run()
	n := r.s.Mesh.Vertices()
	for v := range n {
		r.s.Densities.values[sourceSide][v], r.s.Densities.values[targetSide][v] = float64(v), float64(n-v)
	}
	dst := make([]colormap.RGB, n)
	b.Run("colours", func(b *testing.B) {
		for b.Loop() {
			r.s.paint(dst)
		}
	})
	b.Run("mass", func(b *testing.B) {
		r.s.Playback.Show(MassDensity)
		r.s.Play()
		for b.Loop() {
			r.s.Playback.line.Seek(r.s.Playback.Position() + 1e-6)
			r.s.paint(dst)
		}
	})
	b.Run("mesh", func(b *testing.B) {
		for b.Loop() {
			newMesh(r.mesh.Positions, r.mesh.Faces, nil)
		}
	})
}
