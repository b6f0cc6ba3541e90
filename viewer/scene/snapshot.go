package scene

import "fmt"

// ready says whether there is a mesh that can be worked with.
func (s *Scene) ready() bool { return s.Mesh.ready() && !s.flight.has(toOpen) }

// waited is the first kind of what is under way that a person waits for, and whether there is any. What follows the brush comes and
// goes, and nobody waits for it.
func (s *Scene) waited() (kind, bool) {
	follows := s.Transport.automatic() && s.Brush.painting()
	for k := toSolve; k <= toFlow; k++ {
		if s.flight.has(k) && (!follows || k != toSolve && k != toFlow) {
			return k, true
		}
	}
	return toSeparate, s.Separation.due
}

// computing says whether a person waits for something.
func (s *Scene) computing() bool {
	_, waited := s.waited()
	return waited
}

// Phase is State().Phase, without making the rest.
func (s *Scene) Phase() Phase {
	switch {
	case s.failure != "":
		return PhaseError
	case !s.ready():
		return PhaseLoading
	case s.computing():
		return PhaseComputing
	case s.Playback.line.Playing():
		return PhasePlaying
	}
	return PhaseReady
}

// State copies everything that can be known of the scene.
func (s *Scene) State() State {
	st := State{
		Revision: s.revision, Phase: s.Phase(), Ready: s.ready(), Error: s.failure, Status: s.sentence(),
		Mesh: s.Mesh.state(), Separation: s.Separation.state(), Treewidth: s.Treewidth.state(s.flight.has(toDecompose)),
		Densities: s.Densities.state(&s.Mesh.components), Query: s.Query.state(&s.Densities), Transport: s.Transport.state(), Playback: s.Playback.state(),
		View: s.View.looks, Hover: s.hoverState(), Paths: s.Inspection.state(s.Mesh.Mesh), Removed: len(s.Inspection.removed), Task: s.task, Legend: s.Legend(), Findings: s.Inspection.findings(s.flight.has(toInspect)), Field: s.fieldState(), Pick: s.Inspection.picked, Repairs: s.Mesh.repairs(),
		Timings: append([]StageState{}, s.ledger...),
	}
	if s.replaced != nil {
		st.Replaced = s.replaced.name
	}
	if st.Phase == PhaseLoading || st.Phase == PhaseComputing {
		st.Stage, st.Fraction = s.stage, s.fraction
	}
	st.Transport.Solving, st.Transport.Refining = s.flight.has(toSolve), s.flight.has(toRefine)
	st.Transport.Iterations = s.Iterations.state(&s.Transport, s.flight.has(toRetrace))
	st.Transport.Block = s.Blocks.state(&s.Transport, s.flight.has(toBlock))
	st.Transport.Matrix = s.matrixState()
	st.Barycentre = s.Barycentre.state(&s.Transport, s.flight.has(toBarycentre))
	st.Transport.Benchmark = s.benchmarkState()
	st.Densities.Unequal = s.unequal()
	st.Exporting = s.flight.has(toExport)
	b, d := &s.Brush, &st.Densities
	d.Tool, d.Shape, d.Radius, d.Strength, d.Stroke = b.tool, b.shape, b.radius, b.strength, b.active
	if m := s.Mesh.mirror; m != nil {
		d.Symmetry, d.Mirrored = m.Axis, b.mirrored && m.Axis != ""
	}
	return st
}

// sentence is the status line.
func (s *Scene) sentence() string {
	switch s.Phase() {
	case PhaseError:
		return "Something went wrong."
	case PhaseLoading:
		if s.flight.has(toOpen) {
			return traits[toOpen].doing
		}
		return "Open a mesh to begin."
	case PhaseComputing:
		k, _ := s.waited()
		return traits[k].doing
	}
	switch t := &s.Transport; {
	case t.forecast == nil:
	case !t.putOff:
		return "That would take long: choose how to go on."
	case t.tree && t.automatic(): // which goes on without it
	case t.tree:
		return "No separator tree was made. Open Separators to choose again."
	default:
		return "Not solved. Press Solve to choose again."
	}
	if u := s.unequal(); u != nil {
		return fmt.Sprintf("Not solved: source and target differ in %d of %d components.", u.Count, u.Components)
	}
	if s.status != "" {
		return s.status
	}
	if s.task == TaskTransport && !s.flight.has(toMeasure) {
		switch source, target := s.Densities.mass(sourceSide) > 0, s.Densities.mass(targetSide) > 0; {
		case !source && !target:
			return "Paint a source and a target, or choose a preset."
		case !source:
			return "Paint a source."
		case !target:
			return "Paint a target."
		}
	}
	return "Ready."
}

// hoverState gathers what is known of the vertex looked at, nil without one.
func (s *Scene) hoverState() *HoverState {
	v := s.Inspection.vertex()
	if !s.Mesh.ready() || v < 0 {
		return nil
	}
	h := &HoverState{
		Vertex: v, Focused: s.Inspection.focus >= 0, Partners: []PartnerState{},
		Source: s.Densities.share(sourceSide, v), Target: s.Densities.share(targetSide, v),
	}
	s.Separation.inspect(h)
	if p := s.Transport.partnersOf(v); p != nil {
		h.Total = finite(p.Total)
		for i, w := range p.Vertices {
			h.Partners = append(h.Partners, PartnerState{w, finite(p.Mass[i])})
		}
	}
	return h
}
