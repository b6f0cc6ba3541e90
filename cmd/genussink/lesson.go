package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"genussink/core/engine"
	"genussink/core/job"
	"genussink/viewer/figure"
	"genussink/viewer/lesson"
)

func lessonCommand() command {
	return command{
		name: "lesson", args: "STEP [INPUT]", count: 1, more: true,
		summary: "Say a step of the page's lessons, with its numbers and figures.\n" +
			"STEP is as in the page's address, 3.2 for the second step of lesson 3; the answer is revealed then. An address with what a\n" +
			"reader did, such as 3.2/v5_v0, is repeated as it is: vertices count from 0.\n" +
			"The graph is the lesson's. With INPUT, a mesh or a graph (.gr), it is a part of that, where the lesson takes one.\n" +
			"-json has the data of every figure: vertices, bags, curves, rows of tables.",
		example: "lesson 3.2/v0_v1_v2 bunny.obj -around 100 -json",
		setup: func(fs *flag.FlagSet) func(*call) error {
			around := fs.Int("around", 0, "the vertex around which the part of INPUT lies, from 0")
			return func(c *call) error { return tellLesson(c, *around) }
		},
	}
}

// classroom is the lessons with the engine that answers them.
type classroom struct {
	c    *call
	m    *lesson.Machine
	desk lesson.Desk
	in   *input         // nil: none
	mesh *engineSession // that of INPUT, once a step asks about it
}

func tellLesson(c *call, around int) error {
	if len(c.args) > 2 {
		return usagef("takes a step and one INPUT, not %d arguments", len(c.args))
	}
	r := classroom{c: c}
	r.m = lesson.New(&r.desk)
	address := "learn=" + c.args[0]
	if !strings.Contains(address, "/") {
		address += "/t1e9_r" // at the end, with the answer
	}
	if err := r.m.Repeat(address); err != nil {
		if strings.Contains(err.Error(), address) { // it is none
			return usagef("STEP %s: want a lesson and a step, such as 3.2, or more of the page's address, such as 3.2/v5_v0", c.args[0])
		}
		return usagef("STEP %s: %v", c.args[0], err)
	}
	switch {
	case len(c.args) < 2 && c.with != "":
		return usagef("-with %s belongs to an INPUT, and there is none", c.with)
	case len(c.args) == 2:
		in, err := c.input(c.args[1])
		if err != nil {
			return err
		}
		r.in = &in
		if r.m.Lesson().Own == 0 { // it has the whole mesh
			if around != 0 {
				return usagef("-around %d: lesson %d has all of INPUT", around, r.m.State().Number)
			}
			break
		}
		net, err := readGraph(&in)
		if err != nil {
			return err
		}
		switch {
		case net.Len() == 0:
			return fmt.Errorf("%s: the graph has no vertices", in.path)
		case around < 0 || around >= net.Len():
			return fmt.Errorf("%s: -around %d: vertices are numbered from 0 to %d", in.path, around, net.Len()-1)
		}
		r.m.SetOwn(lesson.Around(filepath.Base(in.path), net.Offsets, net.Targets, int32(around), around))
		if err := r.m.Repeat(address); err != nil {
			return err
		}
	case around != 0:
		return usagef("-around needs INPUT")
	case r.m.Step().Mesh:
		return usagef("%d.%d asks about a mesh: it needs INPUT", r.m.State().Number, r.m.State().Step)
	}
	v, err := r.view()
	if err != nil {
		return err
	}
	return r.tell(&v)
}

// view is the step as it stands once the engine has answered.
func (r *classroom) view() (lesson.View, error) {
	for {
		v := r.m.View()
		if !v.Waiting {
			if v.Failed != "" && r.in != nil {
				return v, fmt.Errorf("%s: %s", r.in.path, v.Failed)
			} else if v.Failed != "" {
				return v, errors.New(v.Failed)
			}
			return v, nil
		}
		e, ok := r.desk.Take()
		if !ok {
			return v, errors.New("a fault of ours: the step waits for nothing")
		}
		s := r.mesh
		switch {
		case e.Graph == nil && s == nil:
			opened, _, err := r.c.begin(r.in)
			if err != nil {
				return v, err
			}
			s, r.mesh = opened, opened
		case e.Graph != nil:
			s = &engineSession{c: r.c, file: "the lesson's graph", e: engine.New(engine.Options{MemoryLimit: availableMemory(), Uncompared: true})}
			if _, err := ask[*job.Loaded](s, &job.Load{Name: "lesson.gr", Data: e.Graph.PACE()}); err != nil {
				return v, err
			}
		}
		var last job.Body
		for _, request := range e.Requests {
			if m, densities := request.(*job.Measure); densities && m.Preset == lesson.AtHand {
				request = &job.Measure{Preset: "paper"} // those that the page opens a mesh with
			}
			last = s.run(request)
			if err := r.c.ctx.Err(); err != nil {
				return v, err
			}
			if _, failed := last.(*job.Failed); failed {
				break
			}
		}
		r.desk.Answer(e.Key, last)
	}
}

// tell writes the step.
func (r *classroom) tell(v *lesson.View) error {
	state, step, record := r.m.State(), r.m.Step(), r.m.Record()
	written := func(text string) string { return lesson.Written(lesson.Fill(text, v, nil)) }
	place := fmt.Sprintf("%d.%d", state.Number, state.Step)
	cited := append([]string{step.Text.Say, step.Text.Do, step.Text.Ask}, step.Text.Rules...)
	text := []line{{"lesson " + place, ""}, {"step", step.Text.Title}}
	fields := []field{{"lesson", state.Number}, {"step", state.Step}, {"title", step.Text.Title}}
	whose := "the lesson's"
	switch own := r.m.Own(); {
	case r.in != nil && own == nil:
		whose = filepath.Base(r.in.path)
	case own != nil && step.Alone:
		whose = "the lesson's: this step shows graphs of its own"
	case own != nil && v.Instead != "":
		whose = v.Instead
	case own != nil:
		if whose = own.Name; step.Mesh {
			whose += ", and all of it"
		}
		fields = append(fields, field{"vertices_of_input", own.Of})
	}
	text, fields = append(text, line{"graph", whose}), append(fields, field{"graph", whose})
	for _, said := range []struct{ name, label, text string }{
		{"says", "it says", step.Text.Say}, {"task", "to do", step.Text.Do}, {"question", "it asks", step.Text.Ask},
	} {
		if said.text != "" {
			text, fields = append(text, line{said.label, written(said.text)}), append(fields, field{said.name, written(said.text)})
		}
	}
	if record.Revealed && step.Text.Reveal != "" {
		cited = append(cited, step.Text.Reveal)
		text, fields = append(text, line{"answer", written(step.Text.Reveal)}), append(fields, field{"answer", written(step.Text.Reveal)})
	}
	if step.Text.Rules != nil {
		rules := [][]field{}
		for i, rule := range step.Text.Rules {
			holds := "broken"
			if v.Holds[i] {
				holds = "holds"
			}
			text = append(text, line{holds, written(rule)})
			rules = append(rules, []field{{"rule", written(rule)}, {"holds", v.Holds[i]}})
		}
		fields = append(fields, field{"rules", rules})
	}
	readings := []field{}
	for _, x := range v.Readings {
		readings = append(readings, field{x.Name, x.Value})
	}
	figures := [][]field{}
	for i, f := range v.Figures {
		figures = append(figures, figureFields(f))
		text = append(text, line{fmt.Sprintf("figure %d", i+1), ""})
		text = append(text, figureText(f)...)
	}
	sources := []string{}
	for i, c := range lesson.Citations(cited...) {
		if i == 0 {
			text = append(text, line{"sources", ""})
		}
		sources, text = append(sources, c.String()), append(text, line{c.Key, strings.TrimPrefix(c.String(), "["+c.Key+"] ")})
	}
	return r.c.report(text, append(fields, field{"sources", sources}, field{"timeline", []field{{"at", record.At}, {"length", v.Length}}}, field{"numbers", readings}, field{"figures", figures})...)
}

// roleNames are the roles other than Plain, as -json has them.
var roleNames = map[figure.Role]string{
	figure.SideA: "A", figure.Separator: "separator", figure.SideB: "B", figure.Gone: "gone", figure.Current: "current", figure.Near: "near",
	figure.Fill: "fill", figure.Path: "path", figure.Guess: "guess", figure.Truth: "answer", figure.Hint: "hint",
}

// roles are the names of n roles, null for plain.
func roles(list []figure.Role, n int) []any {
	out := make([]any, n)
	for i, x := range list {
		out[i] = orNil(roleNames[x])
	}
	return out
}

// figureFields is the data of a figure. Vertices and bags count from 0.
func figureFields(f figure.Figure) []field {
	switch f := f.(type) {
	case *figure.Graph:
		return []field{
			{"kind", "graph"}, {"title", f.Title}, {"labels", f.Labels}, {"roles", roles(f.Roles, f.N)},
			{"edges", f.Edges}, {"edge_roles", roles(f.Lines, len(f.Edges))}, {"added", f.Added}, {"added_roles", roles(f.AddedRoles, len(f.AddedRoles))},
		}
	case *figure.Tree:
		return []field{{"kind", "tree"}, {"title", f.Title}, {"parents", f.Parent}, {"bags", f.Members}, {"labels", f.Labels}, {"roles", roles(f.Roles, len(f.Parent))}}
	case *figure.Chart:
		var curves, dots [][]field
		for _, x := range f.Curves {
			curves = append(curves, []field{{"name", x.Name}, {"points", points(x.Points)}})
		}
		for _, d := range f.Dots {
			dots = append(dots, []field{{"x", d.X}, {"y", d.Y}, {"name", d.Words()}, {"role", orNil(roleNames[d.Role])}})
		}
		return []field{{"kind", "chart"}, {"title", f.Title}, {"x", f.X.Label}, {"y", f.Y.Label}, {"curves", curves}, {"points", dots}}
	case *figure.Heat:
		return []field{
			{"kind", "matrix"}, {"title", f.Title}, {"rows", f.Rows}, {"columns", f.Columns}, {"values", f.Values},
			{"row_sums", f.RowHave}, {"row_sums_wanted", f.RowWant}, {"column_sums", f.ColHave}, {"column_sums_wanted", f.ColWant},
		}
	case *figure.Cover:
		var runs [][]field
		for _, x := range f.Runs {
			runs = append(runs, []field{{"rows", []int{x.FirstRow, x.LastRow}}, {"columns", []int{x.From, x.To}}, {"hub", x.Hub}})
		}
		return []field{{"kind", "block"}, {"title", f.Title}, {"rows", f.Rows}, {"columns", f.Columns}, {"hubs", f.Hubs}, {"runs", runs}}
	case *figure.Table:
		var rows [][]string
		for _, e := range f.Entries {
			rows = append(rows, e.Cells)
		}
		return []field{{"kind", "table"}, {"title", f.Title}, {"head", f.Head}, {"rows", rows}}
	}
	return []field{{"kind", fmt.Sprintf("%T", f)}}
}

func points(list [][2]float64) [][]float64 {
	out := make([][]float64, len(list))
	for i := range list {
		out[i] = list[i][:]
	}
	return out
}

// figureText is what a person reads of a figure: its title, and the numbers of charts and tables.
func figureText(f figure.Figure) []line {
	switch f := f.(type) {
	case *figure.Graph:
		return []line{{"graph", fmt.Sprintf("%s: %s, %s", f.Title, vertices(f.N), count(len(f.Edges), "edge"))}}
	case *figure.Tree:
		return []line{{"tree", fmt.Sprintf("%s: %s", f.Title, count(len(f.Parent), "node"))}}
	case *figure.Chart:
		lines := []line{{"chart", fmt.Sprintf("%s: %s by %s", f.Title, f.Y.Label, f.X.Label)}}
		for _, curve := range f.Curves {
			var pairs []string
			for _, p := range curve.Points {
				pairs = append(pairs, digits(p[0])+": "+digits(p[1]))
			}
			lines = append(lines, line{"curve", strings.TrimSpace(curve.Name + "  " + strings.Join(pairs, ", "))})
		}
		for _, d := range f.Dots {
			lines = append(lines, line{"point", fmt.Sprintf("%s: %s  %s", digits(d.X), digits(d.Y), d.Words())})
		}
		return lines
	case *figure.Heat:
		return []line{{"matrix", fmt.Sprintf("%s: %d by %d", f.Title, f.Rows, f.Columns)}}
	case *figure.Cover:
		return []line{{"block", fmt.Sprintf("%s: %s, %s, %s, %s", f.Title, count(len(f.Rows), "row"), count(len(f.Columns), "column"), count(len(f.Hubs), "hub"), count(len(f.Runs), "run"))}}
	case *figure.Table:
		lines := []line{{"table", f.Title + ": " + strings.Join(f.Head, ", ")}}
		for _, e := range f.Entries {
			lines = append(lines, line{"row", strings.Join(e.Cells, ", ")})
		}
		return lines
	}
	return nil
}
