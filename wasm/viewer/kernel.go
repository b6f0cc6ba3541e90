//go:build js

package main

import (
	"fmt"
	"math"
	"strings"
	"syscall/js"

	"genussink/core/job"
	"genussink/viewer/scene"
	"genussink/wasm/internal/dom"
	"genussink/wasm/internal/quantity"
)

// The parameters of each kind of kernel: the fields that have them, and their names in the specification. Those of polynomials and their
// quotients have none. A usual value of "" depends on the mesh.
var kernelFields = map[string][]struct{ id, name, usual string }{
	"exp":      nil,
	"gauss":    {{"kernel-s", "s", "1"}},
	"cauchy":   {{"kernel-lambda", "lambda", "0"}, {"kernel-c", "c", "1"}, {"kernel-p", "p", "1"}},
	"rational": {{"kernel-above", "", "1"}, {"kernel-below", "", "1,1"}},
	"poly":     {{"kernel-coefficients", "", ""}},
	"features": {{"kernel-count", "count", "1024"}, {"kernel-seed", "seed", "1"}, {"kernel-of", "f", ""}},
}

// kernelControls hands on the kernel that is chosen, and its parameters once they are typed. The engine checks them.
func (p *page) kernelControls() {
	p.choose("kernel", func(kind string) {
		values := []string{}
		for _, f := range kernelFields[kind] {
			values = append(values, f.usual)
		}
		switch kind {
		case "poly":
			values[0] = usualPolynomial(widest(p.scene.State()))
		case "features":
			values[2] = usualFeatures(widest(p.scene.State()))
		}
		p.scene.Kernel(kernelSpec(kind, values))
	})
	for kind, fields := range kernelFields {
		for _, f := range fields {
			p.choose(f.id, func(string) {
				var values []string
				for _, f := range fields {
					values = append(values, strings.ReplaceAll(strings.TrimSpace(p.id(f.id).Input()), "−", "-"))
				}
				p.scene.Kernel(kernelSpec(kind, values))
			})
		}
	}
	box := p.id("kernel-box")
	box.On("toggle", func(js.Value) { p.scene.ShowProfile(box.Get("open").Bool()) })
}

// widest is a distance over epsilon. The engine asks a kernel to be positive up to its own bound on distances. That bound is at most four times the
// longest distance of the profile's sample, and widest is a little more. Without a profile the diagonal takes the place of the longest distance.
func widest(st scene.State) float64 {
	longest := float64(st.Mesh.Diagonal)
	if e := st.Transport.Profile; e != nil && e.Longest > 0 {
		longest = e.Longest
	}
	return 4.5 * longest / (st.Transport.Epsilon * float64(st.Mesh.Diagonal))
}

// usualPolynomial is (1 - x/z)^2. It falls, and is positive, up to z.
func usualPolynomial(z float64) string { return fmt.Sprintf("1,%.3g,%.3g", -2/z, 1/(z*z)) }

// usualFeatures is the function that features estimate: so wide that the estimate is positive up to z.
func usualFeatures(z float64) string {
	return fmt.Sprintf("gauss:s=%.0f", math.Pow(10, math.Ceil(2*math.Log10(z))))
}

// kernelSpec is a kernel as the tool's -kernel has it.
func kernelSpec(kind string, values []string) string {
	if kind == "exp" {
		return kind
	}
	if kernelFields[kind][0].name == "" {
		return kind + ":" + strings.Join(values, "/")
	}
	var said []string
	for i, f := range kernelFields[kind] {
		said = append(said, f.name+"="+strings.ReplaceAll(values[i], ",", ".")) // a comma would begin another parameter
	}
	return kind + ":" + strings.Join(said, ",")
}

// kernelParts are the kind of a kernel and its parameters, in the order of its fields.
func kernelParts(spec string) (kind string, values []string) {
	switch spec { // what these are short for
	case "squared":
		spec = "gauss:s=1"
	case "inverse":
		spec = "cauchy:c=1"
	}
	kind, rest, _ := strings.Cut(spec, ":")
	switch kind {
	case "poly":
		return kind, []string{rest}
	case "rational":
		above, below, _ := strings.Cut(rest, "/")
		return kind, []string{above, below}
	}
	given := map[string]string{}
	for _, field := range strings.Split(rest, ",") {
		name, value, _ := strings.Cut(field, "=")
		given[strings.TrimSpace(name)] = value
	}
	for _, f := range kernelFields[kind] {
		value, said := given[f.name]
		if !said {
			value = f.usual
		}
		values = append(values, value)
	}
	return kind, values
}

// formula is a kernel as a function of the distance d.
func formula(spec string) string {
	kind, v := kernelParts(spec)
	minus := func(x string) string { return strings.ReplaceAll(x, "-", "−") }
	switch kind {
	case "exp":
		return "exp(−d/ε)"
	case "gauss":
		if v[0] == "1" {
			return "exp(−d²/ε²)"
		}
		return fmt.Sprintf("exp(−d²/(%s ε²))", v[0])
	case "cauchy":
		above, power := "1", ""
		if v[0] != "0" {
			above = fmt.Sprintf("exp(%s d/ε)", minus(v[0]))
		}
		if v[2] != "1" {
			power = "^" + v[2]
		}
		return fmt.Sprintf("%s / (d/ε + %s)%s", above, v[1], power)
	case "rational":
		return fmt.Sprintf("P/Q of d/ε, P: %s, Q: %s", minus(v[0]), minus(v[1]))
	case "poly":
		return "P of d/ε, P: " + minus(v[0])
	case "features":
		return fmt.Sprintf("%s random features of %s", v[0], formula(v[2]))
	}
	return spec + " of d/ε"
}

// What is proved of a kernel's iteration and what is only seen, as the tool's help for -kernel says it.
const (
	ofExp   = "x is the distance d over ε. Proved: Sinkhorn’s iteration converges, and its plan has the least transport cost plus ε KL(P | a bᵀ)."
	ofOther = "x is the distance d over ε. Proved: the iteration converges for every positive f. Its plan has the least cost −ε log f(x)/f(0), plus ε KL(P | a bᵀ). " +
		"Only observed: how fast it converges, and that such plans are short for the distance itself. The cost below is of the distance. Exact, certified and embedded take this kernel."
	ofSquare   = " This is the kernel of squared distance, W2." + everyPair + " Certified is some ten times as quick as exact."
	everyPair  = " A product takes every pair of vertices: some 6 to 8 times as long as one of exp at 3,000 to 9,000 vertices, and longer on finer meshes."
	ofPoly     = everyPair + " P must fall and be positive up to the longest distance."
	ofFeatures = everyPair + " f is exp or gauss:s=S. Cosines of random frequencies estimate it, the same for the same seed. The plot shows the estimate, which must be positive " +
		"up to the longest distance: more features help, and so does a greater ε."
)

// showKernel shows the kernel that is chosen, and how it falls over the distances of the mesh.
func (p *page) showKernel(t scene.TransportState) {
	kind, values := kernelParts(t.Kernel)
	p.text("kernel-now", formula(t.Kernel))
	p.id("kernel").SetInput(kind)
	for k, fields := range kernelFields {
		if k != "exp" {
			p.id("kernel-" + k).Show(k == kind)
		}
		for i, f := range fields {
			if k == kind {
				p.id(f.id).SetInput(values[i])
			}
		}
	}
	help := ofExp
	if kind != "exp" {
		help = ofOther
	}
	switch kind {
	case "gauss":
		help += ofSquare
	case "poly":
		help += ofPoly
	case "features":
		help += ofFeatures
	}
	p.text("kernel-help", help)
	p.id("kernel-team").Show(kind != "exp")
	refusal := t.Refusal
	if refusal != "" {
		refusal = "This cannot be solved: " + strings.TrimPrefix(refusal, "kernel "+t.Kernel+": ") + "."
	}
	p.id("kernel-refusal").Show(refusal != "").Text(refusal)
	p.id("kernel-figure").Show(t.Profile != nil)
	if t.Profile != nil {
		p.drawProfile(t.Profile)
	}
}

// The plot's size, base line and top, in the units of its viewBox in index.html.
const (
	profileWidth  = 272.0
	profileHeight = 96.0
	profileBase   = 80.0
	profileTop    = 4.0
)

// narrow is the share of the longest distance below which another function than exp falls to a tenth so soon that its solve may take minutes: on
// the cat squared distance takes 3 s where that is 6 %, 8 s where it is 3.7 %, and 36 s where it is 1.2 %. Finer meshes take far longer.
const narrow = 0.04

// drawProfile draws f and the histogram of distances over one axis.
func (p *page) drawProfile(e *scene.ProfileState) {
	svg := p.id("kernel-plot")
	key := fmt.Sprint(e.Longest, e.Tenth, e.Rows, e.Values[len(e.Values)/2], e.Values[1], p.unit())
	if svg.Get("dataset").Get("key").Equal(js.ValueOf(key)) {
		return
	}
	svg.Get("dataset").Set("key", key)
	svg.Clear()
	most, all := int32(1), 0
	for _, n := range e.Pairs {
		most, all = max(most, n), all+int(n)
	}
	wide, high := profileWidth/float64(len(e.Pairs)), profileBase-profileTop
	for i, n := range e.Pairs {
		tall := high * float64(n) / float64(most)
		svg.Append(dom.NewSVG("rect", "").Number("x", float64(i)*wide+0.5).Number("y", profileBase-tall).Number("width", max(wide-1, 0.5)).Number("height", tall))
	}
	var points strings.Builder
	for i, v := range e.Values {
		fmt.Fprintf(&points, "%.1f,%.1f ", profileWidth*float64(i)/float64(len(e.Values)-1), profileBase-high*v)
	}
	svg.Append(dom.NewSVG("polyline", "").Attr("points", points.String()))
	across := func(x1, y1, x2, y2 float64, class string) *dom.Element {
		return dom.NewSVG("line", class).Number("x1", x1).Number("x2", x2).Number("y1", y1).Number("y2", y2)
	}
	svg.Append(across(0, profileBase, profileWidth, profileBase, ""), svgText("0", 0, profileHeight-3, "start"), svgText(p.length(e.Longest), profileWidth, profileHeight-3, "end"))
	words := "f is more than a tenth of f(0) at every distance seen: mass can go anywhere."
	if e.Tenth.Known() && e.Longest > 0 {
		x := profileWidth * float64(e.Tenth) / e.Longest
		svg.Append(across(x, profileTop, x, profileBase, "tenth"))
		words = fmt.Sprintf("Dashed: f is a tenth of f(0) at %s. %s of the pairs are nearer.", p.length(float64(e.Tenth)), quantity.Percent(float64(e.Nearer)))
		if p.scene.State().Transport.Kernel != job.Exp && float64(e.Tenth) < narrow*e.Longest {
			words += " So narrow a kernel takes many iterations, up to minutes: a larger ε is quicker."
		}
	}
	from := fmt.Sprintf("Grey: a sample of the distances, from %s to all others (%s pairs).", plural(e.Rows, "vertex"), quantity.Count(all))
	p.text("kernel-note", words+" "+from)
	svg.Attr("aria-label", "The kernel over distance, and a histogram of distances. "+words+" "+from)
}
