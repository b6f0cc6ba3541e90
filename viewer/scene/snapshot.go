package scene

import (
	"fmt"
	"slices"

	"genussink/core/job"
)

// Phase is State().Phase, without making the rest.
func (s *Scene) Phase() Phase {
	switch {
	case s.failure != "":
		return PhaseError
	case s.flight[toOpen] != 0 || s.mesh == nil:
		return PhaseLoading
	case s.later || s.flight[toSeparate] != 0 || s.flight[toMeasure] != 0 || s.flight[toRefine] != 0 || s.flight[toSweep] != 0,
		(s.flight[toSolve] != 0 || s.flight[toFlow] != 0) && (!s.automatic() || !s.brush.active): // those that follow the brush come and go
		return PhaseComputing
	case s.play.playing:
		return PhasePlaying
	}
	return PhaseReady
}

// State copies everything that can be known of the scene.
func (s *Scene) State() State {
	st := State{
		Revision: s.revision, Phase: s.Phase(),
		Ready:  s.mesh != nil && s.flight[toOpen] == 0,
		Error:  s.failure,
		Status: s.sentence(),
		Mesh:   s.meta,
		Separation: SeparationState{
			Finder: s.finder, Balance: s.balance, Level: s.level, Levels: append([]LevelState{}, s.levels...),
			Cell: int(s.cell), Swept: s.swept != nil, Cuts: []CutState{}, Taken: s.taken,
		},
		Treewidth: s.study.state(s.flight[toStudy] != 0),
		Transport: s.transport,
		Playback: PlaybackState{
			Available: s.play.flow != nil, Playing: s.play.playing, Position: s.play.position,
			Speed: s.play.speed, Loop: s.play.loop, Particles: len(s.play.cursor), Mass: s.play.mass,
			FirstParticlesMs: s.play.first, AllParticlesMs: s.play.all, FirstMoveMs: s.play.moved,
		},
		View:    s.view,
		Timings: append([]StageState{}, s.ledger...),
		Hover:   s.hoverState(),
	}
	st.Mesh.Warnings = append([]string{}, s.meta.Warnings...)
	if st.Phase == PhaseLoading || st.Phase == PhaseComputing {
		st.Stage, st.Fraction = s.stage, s.fraction
	}
	if s.sep != nil {
		st.Separation.Used, st.Separation.Nodes = s.sep.Finder, len(s.sep.Nodes)
		for _, t := range s.sep.Timings {
			st.Separation.Seconds += finite(t.Seconds)
		}
	}
	if s.swept != nil {
		for _, c := range s.swept.Cuts {
			st.Separation.Cuts = append(st.Separation.Cuts, CutState{int(c.A), int(c.S), int(c.B)})
		}
	}
	d := &st.Densities
	if d.Components = "each"; s.components.largest {
		d.Components = "largest"
	}
	d.Count, d.Note, d.Unequal = s.components.count, s.dens.note, s.unequal()
	d.Preset = s.dens.preset
	d.Source, d.Target = s.dens.mass(sourceSide), s.dens.mass(targetSide)
	d.SourceMx, d.SourceN = s.dens.peak(sourceSide)
	d.TargetMx, d.TargetN = s.dens.peak(targetSide)
	d.Tool, d.Radius, d.Strength, d.Stroke = s.brush.tool, s.brush.radius, s.brush.strength, s.brush.active
	d.Undo, d.Redo = len(s.dens.undo), len(s.dens.redo)
	if s.forecast != nil {
		f := *s.forecast
		f.Others = append([]OutlookState{}, f.Others...)
		st.Transport.Forecast = &f
	}
	st.Transport.Solving, st.Transport.Refining = s.flight[toSolve] != 0, s.flight[toRefine] != 0
	st.Transport.Stale = s.stale
	st.Transport.Comparison = s.comparison.state()
	if s.result != nil {
		r := *s.result
		r.Trace, r.Timings = slices.Clone(r.Trace), slices.Clone(r.Timings)
		if r.Estimate != nil {
			estimate := *r.Estimate
			r.Estimate = &estimate
		}
		if r.Polished != nil {
			known := *r.Polished
			r.Polished = &known
		}
		st.Transport.Result = &r
	}
	if s.path != nil {
		p := *s.path
		st.Path = &p
	}
	return st
}

// sentence is the status line.
func (s *Scene) sentence() string {
	switch s.Phase() {
	case PhaseError:
		return "Something went wrong."
	case PhaseLoading:
		if s.flight[toOpen] == 0 {
			return "Open a mesh to begin."
		}
		return "Opening the mesh…"
	case PhaseComputing:
		switch {
		case s.flight[toSolve] != 0:
			return "Solving…"
		case s.flight[toSeparate] != 0:
			return "Separating the mesh…"
		case s.flight[toMeasure] != 0:
			return "Making the densities…"
		case s.flight[toSweep] != 0:
			return "Listing separators by size and balance…"
		}
		if s.flight[toRefine] != 0 {
			return "Estimated; refining…"
		}
		return "Drawing paths from the plan…"
	}
	if s.forecast != nil {
		return "That would take long: choose how to go on."
	}
	if u := s.unequal(); u != nil {
		return fmt.Sprintf("Not solved: source and target differ in %d of %d components.", u.Count, u.Components)
	}
	if s.status != "" {
		return s.status
	}
	return "Ready."
}

func (s *Scene) hoverState() *HoverState {
	v := s.focus
	if v < 0 {
		v = s.hover
	}
	if s.mesh == nil || v < 0 {
		return nil
	}
	h := &HoverState{Vertex: v, Focused: s.focus >= 0, Node: -1, Partners: []PartnerState{}}
	for k, share := range []*float64{&h.Source, &h.Target} {
		if total := s.dens.mass(side(k)); total > 0 {
			*share = s.dens.values[k][v] / total
		}
	}
	if s.sep != nil {
		node, from := s.cellAt(v)
		n := s.sep.Nodes[node]
		h.Node, h.Depth, h.A, h.S, h.B = int(node), int(n.Depth), int(n.A), int(n.S), int(n.B)
		switch {
		case isLeaf(n):
			h.Side = "leaf"
		case from == -1:
			h.Side = "S"
		case from == n.Left:
			h.Side = "A"
		default:
			h.Side = "B"
		}
	}
	if s.partners != nil && s.partners.Vertex == v {
		h.Total = finite(s.partners.Total)
		for i, w := range s.partners.Vertices {
			h.Partners = append(h.Partners, PartnerState{w, finite(s.partners.Mass[i])})
		}
	}
	return h
}

func isLeaf(n job.Node) bool { return n.Left == -1 && n.Right == -1 }
