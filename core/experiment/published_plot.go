package experiment

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"genussink/core/internal/growth"
	"genussink/core/job"
)

// none is where an error is drawn that is smaller: that of rounding.
const none = 1e-16

// contenderColours are in the order of job.Contenders.
var contenderColours = []color.Color{
	rgb(0x222222), rgb(0x1f5fbf), rgb(0x0b7a4b), rgb(0x8c564b), rgb(0xedae49), rgb(0x17becf),
	rgb(0xd62728), rgb(0xa8d08d), rgb(0x7b2d8b), rgb(0xff7f0e), rgb(0x999999), rgb(0xdc5a8c),
}

// bySize groups the measured rows by series and method. Series keep their order, and methods come as job.Contenders lists them. Within
// a group the smallest graph comes first.
func bySize(rows []PublishedRow) (all [][]PublishedRow) {
	type key struct{ series, method string }
	var series []string
	of := map[key][]PublishedRow{}
	for _, r := range rows {
		if !slices.Contains(series, r.Series) {
			series = append(series, r.Series)
		}
		if !math.IsNaN(r.Total.Median) && !math.IsNaN(r.Cost) {
			of[key{r.Series, r.Method}] = append(of[key{r.Series, r.Method}], r)
		}
	}
	for _, s := range series {
		for _, method := range job.Contenders {
			if found := of[key{s, method}]; found != nil {
				slices.SortFunc(found, func(a, b PublishedRow) int { return cmp.Compare(a.Vertices, b.Vertices) })
				all = append(all, found)
			}
		}
	}
	return all
}

// publishedPanels has a panel for every series and a curve for every method. A row whose y is not positive has no point.
func publishedPanels(rows []PublishedRow, x, y string, at func(r *PublishedRow) point) (panels []panel) {
	for _, of := range bySize(rows) {
		if len(panels) == 0 || panels[len(panels)-1].title != of[0].Series {
			panels = append(panels, panel{title: of[0].Series, x: x, y: y})
		}
		c := curve{label: of[0].Method, colour: contenderColours[slices.Index(job.Contenders, of[0].Method)]}
		for i := range of {
			if p := at(&of[i]); p.y > 0 {
				c.points = append(c.points, p)
			}
		}
		own := &panels[len(panels)-1]
		own.curves = append(own.curves, c)
	}
	return panels
}

// PublishedErrorPlot draws the error of the cost against the seconds it took, for every series.
func PublishedErrorPlot(w io.Writer, rows []PublishedRow) error {
	panels := publishedPanels(rows, "seconds, set-up and solve", "relative error of the cost", func(r *PublishedRow) point {
		return point{x: r.Total.Median, y: max(none, r.Error)}
	})
	for i := range panels {
		panels[i].curves = slices.DeleteFunc(panels[i].curves, func(c curve) bool { return c.label == job.Dense })
	}
	return svg(w, fmt.Sprintf("Error against time, a point for every size. Lowest: %g or less.", none), panels)
}

// PublishedGrowthPlot draws the seconds and, below, the bytes against the vertices, for every series, with how they grow.
func PublishedGrowthPlot(w io.Writer, rows []PublishedRow) error {
	var panels []panel
	for _, q := range [...]struct {
		name  string
		value func(r *PublishedRow) float64
	}{
		{"seconds, set-up and solve", func(r *PublishedRow) float64 { return r.Total.Median }},
		{"most bytes", func(r *PublishedRow) float64 { return r.Peak }},
	} {
		of := publishedPanels(rows, "vertices", q.name, func(r *PublishedRow) point { return point{x: float64(r.Vertices), y: q.value(r)} })
		for i := range of {
			for _, c := range of[i].curves {
				if len(c.points) > 2 {
					var n, y []float64
					for _, p := range c.points {
						n, y = append(n, p.x), append(y, p.y)
					}
					of[i].notes = append(of[i].notes, note{fmt.Sprintf("n^%.2f", growth.Power(n, y)), c.colour})
				}
			}
		}
		panels = append(panels, of...)
	}
	return svg(w, "Growth with the number of vertices n.", panels)
}
