package scene

import (
	"slices"

	"genussink/core/job"
	"genussink/core/session"
)

// kind is what a request is for. Of each kind at most one is under way.
type kind int

// The kinds. What a person waits for comes first, what the status line names first before what it names later.
const (
	toOpen kind = iota
	toSolve
	toSeparate
	toMeasure // a preset, masses that are balanced, or densities that are made anew
	toSweep
	toRefine // behind a quick answer
	toBarycentre
	toRemember // a painting that was kept
	toExport
	toInspect
	toCentres // where the plan sends what each vertex has, on the mean
	toSpread  // distances from one vertex to all
	toRetrace // the iterations of the last solve
	toBlock   // a block of the last solve's kernel
	toChange  // the plan's marginals
	toFlow    // the last that a person waits for, see waited

	toExamine
	toPolish
	toWalk // between two vertices
	toDecompose
	toBenchmark // methods side by side
	toShade
	toMirror
	toMatrix  // a column of the plan between cells
	toProfile // the kernel's function beside a sample of the distances

	toBrush
	toPartners
	toQuery
	kindCount
)

// traits are what differs between the kinds.
var traits = [kindCount]struct {
	doing  string                           // the status line's sentence while one is under way; "": it leaves that alone
	failed string                           // what the alert says where it failed, unless couldNot knows more of it
	room   string                           // what may help where there was no room
	lost   string                           // what is said where another mesh has ended it; "": nobody would miss it
	unseen bool                             // nobody waits for it: its progress is not shown
	spared bool                             // answers follow the pointer: Cancel leaves it alone, and where there is none that says enough
	ended  func(s *Scene)                   // takes back what waits for one that has no result; nil: nothing does
	again  func(s *Scene, request job.Body) // asks once more for what a Worker took with it when it died; nil: nobody can
}{
	toOpen: {doing: "Opening the mesh…", failed: "Could not open the mesh", room: " A smaller mesh may fit."},
	toSolve: {
		doing: "Solving…", failed: "Could not solve", room: " A larger epsilon takes less, and the method quantized the least.",
		again: func(s *Scene, request job.Body) { s.solveWithin(request.(*job.Solve).Patience) },
	},
	toSeparate: {
		doing: "Separating the mesh…", failed: "Could not separate the mesh",
		again: func(s *Scene, _ job.Body) { s.separate(Patience) },
	},
	toMeasure: {
		doing: "Making the densities…", failed: "Could not make the densities",
		again: func(s *Scene, request job.Body) { s.send(toMeasure, request) },
	},
	toSweep: {
		doing: "Listing separators by size and balance…", failed: "Could not list separators",
		ended: func(s *Scene) {
			if s.Separation.waits() {
				s.Separation.wanted = session.Cut{}
				s.separate(Patience)
			}
		},
	},
	toRefine: {
		doing: "Estimated; refining…",
		again: func(s *Scene, request job.Body) {
			solve := request.(*job.Solve)
			s.askBehind(solve.Method, solve.Patience)
		},
	},
	toBarycentre: {
		doing: "Finding the barycentre…", failed: "Could not find the barycentre", room: " A larger epsilon takes less.",
		again: func(s *Scene, _ job.Body) { s.findBarycentre() },
	},
	toRemember: {
		doing: "Making the densities…", failed: "Could not make the densities",
		ended: func(s *Scene) { s.Barycentre.coming = nil },
		again: func(s *Scene, _ job.Body) { s.remember() },
	},
	toExport:  {doing: "Writing the file…", lost: "The file was not saved", failed: "Could not write the file", room: " A csv file takes less."},
	toFlow:    {doing: "Drawing paths from the plan…", failed: "Could not draw the paths", again: gone},
	toExamine: {failed: "Could not open the mesh", room: " A smaller mesh may fit.", unseen: true},
	toPolish:  {failed: "Could not find the cost on true distances", unseen: true, again: gone},
	toWalk: {
		failed: "Could not measure the path",
		ended:  (*Scene).unwalked,
	},
	toDecompose: {failed: "The search for the treewidth stopped"},
	toBenchmark: {failed: "Could not compare the methods", lost: "The comparison of methods has ended"},
	toInspect: {
		doing: "Inspecting the mesh…", failed: "Could not inspect the mesh", room: " A smaller mesh may fit.",
		again: func(s *Scene, _ job.Body) { s.Inspect() },
		ended: func(s *Scene) {
			if f := s.Inspection.field; f == FieldMean || f == FieldGaussian || f == FieldDegree {
				s.ShowField(FieldNone)
			}
		},
	},
	toShade: {
		unseen: true, spared: true,
		ended: func(s *Scene) { s.Mesh.unshaded = true },
		again: func(*Scene, job.Body) {}, // the picture does without
	},
	toMirror: {unseen: true, spared: true, again: func(*Scene, job.Body) {}}, // strokes are not mirrored then
	toCentres: {
		doing: "Finding the displacement…", failed: "Could not find the displacement", again: gone,
		ended: func(s *Scene) { s.ShowField(FieldNone) },
	},
	toSpread: {
		doing: "Measuring the distances…", failed: "Could not measure the distances",
		again: func(s *Scene, request job.Body) { s.send(toSpread, request) },
		ended: func(s *Scene) { s.ShowField(FieldNone) },
	},
	toRetrace: {doing: "Solving again to show the iterations…", failed: "Could not solve again to show the iterations", again: gone, ended: (*Scene).HideIterations},
	toBlock:   {doing: "Finding the block…", failed: "Could not show a block", again: gone},
	toMatrix:  {failed: "Could not show the plan as a matrix", unseen: true, again: gone, ended: func(s *Scene) { s.ShowMatrix(false) }},
	toBrush: {
		failed: "The brush stopped", spared: true,
		ended: func(s *Scene) {
			s.Brush.dab = false
			s.finishStroke()
			s.pumpBrush()
		},
	},
	toChange:   {doing: "Finding destroyed and created mass…", failed: "Could not find the destroyed and created mass", again: gone, ended: func(s *Scene) { s.ShowChange(false) }},
	toProfile:  {unseen: true, spared: true, again: func(s *Scene, _ job.Body) { s.askProfile() }},
	toPartners: {failed: "The brush stopped", spared: true, again: gone},
	toQuery:    {failed: "Could not say where the mass goes", unseen: true, spared: true, again: gone},
}

// gone is about a question on a plan, which died with the Worker: see Replaced.
func gone(*Scene, job.Body) {}

// flight are the requests under way.
type flight struct {
	outbox  []job.Request
	lastID  uint32
	asked   [kindCount]question
	retried [kindCount]bool // what a Worker has died of since the person last asked for something

	interrupted interrupted
}

// question is a request that awaits its final event.
type question struct {
	kind kind
	id   uint32 // 0: none of that kind
	body job.Body
}

// with is the question with an id.
func (f *flight) with(id uint32) (q question, ok bool) {
	for _, q := range f.asked {
		if q.id == id && id != 0 {
			return q, true
		}
	}
	return question{}, false
}

// has says whether a request of one of these kinds is under way.
func (f *flight) has(kinds ...kind) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return f.asked[k].id != 0 })
}

// number is a new id; ids may wrap, 0 means none.
func (f *flight) number() uint32 {
	if f.lastID++; f.lastID == 0 {
		f.lastID++
	}
	return f.lastID
}

// send queues a request and remembers it until its final event.
func (f *flight) send(k kind, body job.Body) {
	id := f.number()
	f.await(question{k, id, body})
	f.outbox = append(f.outbox, job.Request{ID: id, Body: body})
}

// await remembers a request.
func (f *flight) await(q question) { f.asked[q.kind] = q }

// end forgets a request.
func (f *flight) end(q question) { f.asked[q.kind] = question{} }

// drop forgets the request of a kind, asks the engine to stop it, and says whether there was one.
func (f *flight) drop(k kind) bool {
	q := f.asked[k]
	if q.id == 0 {
		return false
	}
	f.end(q)
	f.outbox = append(f.outbox, job.Request{ID: f.number(), Body: &job.Cancel{Request: q.id}})
	return true
}

// forget forgets all requests: they concern a mesh that is gone.
func (f *flight) forget() {
	f.asked, f.retried, f.interrupted = [kindCount]question{}, [kindCount]bool{}, interrupted{}
}

// send queues a request.
func (s *Scene) send(k kind, body job.Body) {
	s.flight.send(k, body)
	if k <= toFlow {
		s.stage, s.fraction = "", 0
	}
	s.changed()
}

// drop ends the request of a kind.
func (s *Scene) drop(k kind) {
	if s.flight.drop(k) {
		s.changed()
	}
}
