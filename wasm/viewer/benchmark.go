//go:build js

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/colormap"
	"genussink/viewer/figure"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// benchmarkView is the dialog in which methods are compared.
type benchmarkView struct {
	boxes []*dom.Element // by method of job.Contenders
	rows  string         // what the table was made of
	chart string         // what the chart was made of
}

// contenderTitles say what the methods are.
var contenderTitles = map[string]string{
	job.Dense:       "Ours: the whole matrix",
	job.Exact:       "Ours: the numbers of the whole matrix",
	job.Certified:   "Ours: distances are wrong by at most 1 % of the diagonal",
	job.Embedded:    "Ours: the graph is embedded in one of small treewidth",
	job.Sampled:     "Ours: log log n vertices of every separator",
	job.Tree:        "Ours: the paper’s recursion",
	job.Greenkhorn:  "Altschuler, Weed and Rigollet 2017: one row or column a step",
	job.Screenkhorn: "Alaya and others 2019: half of the vertices are screened",
	job.Sparse:      "Small entries of the kernel are left out",
	job.Heat:        "Huguet and others 2023: the heat kernel",
	job.Nystroem:    "Altschuler and others 2019: a kernel of low rank",
	job.Ambient:     "Scetbon and Cuturi 2020: positive features of the positions, linear Sinkhorn",
}

// benchmarkControls connects it.
func (p *page) benchmarkControls() {
	b := &p.benchmark
	for _, name := range job.Contenders {
		box := dom.New("input", "").Attr("type", "checkbox").Check(true)
		box.On("change", func(js.Value) { p.showBenchmark(p.scene.State()) })
		b.boxes = append(b.boxes, box)
		p.id("contenders").Append(dom.New("label", "").Attr("title", contenderTitles[name]).Append(box, dom.New("span", "").Text(name)))
	}
	p.click("benchmark-run", func() { p.scene.Compare(p.chosenContenders()) })
	p.click("benchmark-stop", p.scene.StopComparing)
	p.click("benchmark-csv", func() {
		p.download(p.base()+"-methods.csv", "text/csv", benchmarkTable(p.scene.State().Transport.Benchmark))
	})
	p.click("benchmark-svg", func() {
		for i := range drawings {
			if drawings[i].id == "benchmark-chart" {
				p.saveDrawing(&drawings[i])
			}
		}
	})
}

// chosenContenders are the methods that are ticked.
func (p *page) chosenContenders() (all []string) {
	for i, name := range job.Contenders {
		if p.benchmark.boxes[i].Get("checked").Bool() {
			all = append(all, name)
		}
	}
	return all
}

// showBenchmark fills the dialog, if it is open.
func (p *page) showBenchmark(st scene.State) {
	p.id("compare-methods").Enable(st.Ready)
	if !p.id("comparing").Get("open").Bool() {
		return
	}
	if st.Error != "" { // the alert is behind the dialog
		p.id("comparing").Call("close")
		return
	}
	c, b := st.Transport.Benchmark, &p.benchmark
	p.id("benchmark-run").Show(!c.Running).Enable(st.Ready && len(p.chosenContenders()) > 0)
	p.id("benchmark-stop").Show(c.Running)
	p.id("benchmark-csv").Enable(len(c.Rows) > 0)
	p.id("benchmark-svg").Enable(len(benchmarkDots(c)) > 0)
	p.text("benchmark-note", benchmarkSentence(c))
	p.id("benchmark").Show(len(c.Rows) > 0)
	if key := fmt.Sprint(c.Rows); key != b.rows {
		b.rows = key
		body := p.id("benchmark-body").Clear()
		for _, r := range c.Rows {
			body.Append(row(r.Method, known(r.Cost, quantity.Number), known(r.Error, errorWords), seconds(r.Setup), seconds(r.Solve), benchmarkBytes(r), benchmarkNote(r)).
				Attr("title", contenderTitles[r.Method]+" ("+r.Setting+")"))
		}
	}
	p.drawBenchmark(st, p.scene.View.Theme())
	p.layMultiples(st.Transport)
}

// benchmarkSentence says how far a comparison is.
func benchmarkSentence(c scene.BenchmarkState) string {
	var words []string
	switch {
	case c.Running && c.Method == "":
		words = append(words, "Starting the program that compares…")
	case c.Running:
		words = append(words, fmt.Sprintf("Running %s, method %d of %d…", c.Method, len(c.Rows)+1, c.Of))
	case c.Why != "":
		words = append(words, c.Why)
	}
	switch {
	case len(c.Rows) == 0:
	case c.Reference == "" && !c.Running:
		words = append(words, "Errors are against dense or exact, and neither is there.")
	case c.Reference != "":
		words = append(words, "Errors are against "+c.Reference+", at an epsilon of "+quantity.Percent(c.Epsilon)+" of the diagonal.")
	}
	if c.Stale {
		words = append(words, "These are of other densities or another epsilon: run them again.")
	}
	return strings.Join(words, " ")
}

// known is a number in words, a dash where it has no value.
func known(x scene.Number, words func(float64) string) string {
	if !x.Known() {
		return "–"
	}
	return words(float64(x))
}

func benchmarkBytes(r scene.BenchmarkRowState) string {
	if r.Bytes == 0 {
		return "–"
	}
	return quantity.Bytes(r.Bytes)
}

// leastError is the smallest on the chart: smaller ones are of rounding.
const leastError = 1e-12

// errorWords is an error in words.
func errorWords(x float64) string {
	if x > 0 && x < leastError {
		return "< 10⁻¹⁰\u202f%"
	}
	return quantity.Percent(x)
}

// loose is the marginal error from which a cost says little: a plan that leaves mass behind may cost less than any that moves all.
const loose = 1e-3

// benchmarkNote is a row's, as a sentence.
func benchmarkNote(r scene.BenchmarkRowState) string {
	if why, ok := strings.CutPrefix(r.Note, job.Refused); ok {
		return sentence("Refused: " + strings.TrimPrefix(why, "published: "))
	}
	if r.Note == "" && r.MarginalError.Known() && r.MarginalError > loose {
		return "Its plan misses the densities by " + quantity.Percent(float64(r.MarginalError)) + " of their mass."
	}
	return sentence(r.Note)
}

// benchmarkDots are the methods whose error and time are known.
func benchmarkDots(c scene.BenchmarkState) (dots []figure.Dot) {
	for _, r := range c.Rows {
		if took := float64(r.Setup + r.Solve); r.Error.Known() && took > 0 {
			dots = append(dots, figure.Dot{
				X: took, Y: math.Max(float64(r.Error), leastError), Label: r.Method,
				Name: fmt.Sprintf("%s: %s, error %s", r.Method, quantity.Seconds(took), errorWords(float64(r.Error))),
			})
		}
	}
	return dots
}

// drawBenchmark draws error against time.
func (p *page) drawBenchmark(st scene.State, theme colormap.Theme) {
	c, box := st.Transport.Benchmark, p.id("benchmark-chart")
	width := box.Get("clientWidth").Float()
	if width == 0 {
		width = 640
	}
	key := fmt.Sprint(c.Rows, width, theme)
	if key == p.benchmark.chart {
		return
	}
	p.benchmark.chart = key
	dots := benchmarkDots(c)
	if len(dots) == 0 {
		box.Clear()
		return
	}
	least, most := math.Inf(1), 0.0
	for _, d := range dots {
		least, most = math.Min(least, d.X), math.Max(most, d.X)
	}
	chart := &figure.Chart{
		Title: "Error against time",
		Desc:  fmt.Sprintf("A dot for each of %d methods, on logarithmic axes.", len(dots)),
		X:     figure.Axis{Label: "seconds, set-up and solve", Log: true, Lo: math.Pow(10, math.Floor(math.Log10(least))), Hi: math.Pow(10, math.Ceil(math.Log10(most)))},
		Y:     figure.Axis{Label: "relative error of the cost (lowest: 10⁻¹² or less)", Log: true, Lo: 1e-3, Hi: 1},
		Dots:  dots,
	}
	box.Call("replaceChildren", dom.Markup(chart.SVG("benchmark-figure", figure.Look{Width: width, Height: math.Max(0.5*width, 240), Theme: theme})))
}

// benchmarkTable is the comparison as CSV. What is not known is an empty cell.
func benchmarkTable(c scene.BenchmarkState) []byte {
	number := func(x scene.Number) string {
		if !x.Known() {
			return ""
		}
		return exact(float64(x))
	}
	quoted := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	var b strings.Builder
	b.WriteString("method,setting,cost,cost_error,marginal_error,iterations,setup_s,solve_s,peak_bytes,note\n")
	for _, r := range c.Rows {
		b.WriteString(strings.Join([]string{
			r.Method, quoted(r.Setting), number(r.Cost), number(r.Error), number(r.MarginalError), strconv.Itoa(r.Iterations), number(r.Setup), number(r.Solve), strconv.FormatInt(r.Bytes, 10), quoted(r.Note),
		}, ",") + "\n")
	}
	return []byte(b.String())
}
