package lesson

import (
	"genussink/core/job"
	"genussink/viewer/lesson/model"
)

// Desk is a Source for a page, which hands questions to Workers one by one and
// keeps the answers.
type Desk struct {
	answers map[string]job.Body
	open    []Errand
}

// Errand is a question to the engine: requests in a row, of which the last one's answer counts. With a graph, the engine first opens the file of
// Graph.PACE.
type Errand struct {
	Key      string
	Graph    *model.Graph // nil: the mesh at hand
	Requests []job.Body
}

// maxAnswers is how many answers are kept; the lessons ask for some dozens.
const maxAnswers = 500

// Ask is the answer, or nil; then the question lies on the desk.
func (d *Desk) Ask(g *model.Graph, requests ...job.Body) job.Body {
	key := ""
	for _, request := range requests {
		key += string(job.Encode(0, request))
	}
	if g != nil {
		key += string(g.PACE())
	}
	if answer, ok := d.answers[key]; ok {
		return answer
	}
	if len(d.answers) >= maxAnswers {
		d.answers = nil
	}
	if d.answers == nil {
		d.answers = map[string]job.Body{}
	}
	d.answers[key] = nil
	d.open = append(d.open, Errand{key, g, requests})
	return nil
}

// Take takes the oldest question from the desk.
func (d *Desk) Take() (e Errand, ok bool) {
	if len(d.open) == 0 {
		return Errand{}, false
	}
	e = d.open[0]
	d.open = d.open[1:]
	return e, true
}

// Answer keeps an answer.
func (d *Desk) Answer(key string, answer job.Body) {
	if d.answers != nil {
		d.answers[key] = answer
	}
}

// Forget drops what is known of the mesh at hand: another was opened, or everything where that is simpler.
func (d *Desk) Forget() { d.answers, d.open = nil, nil }
