package scene

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"genussink/core/job"
	"genussink/core/session"
)

// Look is how large a picture is, and how large the mesh is in it.
type Look struct {
	Width, Height int     // pixels
	Zoom          float64 // 1 fits the mesh to the picture
}

// Command is the line for the tool that repeats what is shown: verb is "solve", "barycentre", "picture", or "export", of which the file is in format. Needs is what the
// line does not bring along, in sentences; "" where that is nothing. Without a mesh the line is "".
func (s *Scene) Command(verb, format string, look Look) (line, needs string) {
	if !s.ready() {
		return "", ""
	}
	from, base := &s.Mesh.source, strings.TrimSuffix(s.Mesh.name, path.Ext(s.Mesh.name))
	if verb == "barycentre" {
		return s.Barycentre.command(base, &s.Transport)
	}
	var words, notes []string
	say := func(more ...string) { words = append(words, more...) }
	preset := s.Densities.preset
	file := s.Mesh.name
	switch {
	case preset == "":
		file = base + session.Extension
		notes = append(notes, "The densities are painted: save the session file "+file+" first.")
	case len(from.repairs) > 0:
		file = base + session.Extension
		notes = append(notes, "The mesh was repaired: save the session file "+file+" first.")
	case from.load == nil && s.Mesh.Graph(): // of which a file of its own has no places
		file = base + session.Extension
		notes = append(notes, "The graph was generated: save the session file "+file+" first.")
	case from.load == nil:
		file = base + ".ply" // which keeps every digit
		say("genussink", "generate", from.kind)
		for _, p := range from.params {
			say("-"+p.Name, digits(p.Value))
		}
		say("-out", quoted(file), "&&")
	case from.reference == "":
	case !strings.HasSuffix(from.reference, path.Ext(file)):
		notes = append(notes, file+" is a mesh of the gallery.")
	default:
		notes = append(notes, file+" is the file at "+from.reference+".")
	}
	say("genussink", verb, quoted(file))
	if file == s.Mesh.name && from.load != nil && s.Mesh.Graph() {
		for _, beside := range from.load.Files {
			say("-with", quoted(beside.Name))
		}
	}
	if preset != "" {
		say("-measures", preset)
		if s.Densities.largest {
			say("-components", "largest")
		}
	}
	t := &s.Transport
	method := t.usual()
	say("-method", method, "-epsilon", digits(t.epsilon))
	if job.Bounded(method) {
		say("-delta", digits(t.delta))
	}
	if t.kernel != "" {
		say("-kernel", quoted(t.kernel))
	}
	if t.reach > 0 {
		say("-reach", digits(t.reach))
	}
	if t.debias && verb == "solve" {
		say("-debias")
	}
	if job.Layered(method) && t.levels > 0 {
		say("-levels", strconv.Itoa(t.levels))
	}
	if verb != "solve" {
		shown, odd := s.fills()
		say(shown...)
		notes = append(notes, odd...)
	}
	switch verb {
	case "picture":
		say(s.stands(look)...)
		say("-out", quoted(base+"-shown.png"))
	case "export":
		say("-out", quoted(base+"-shown."+format))
	}
	return strings.Join(words, " "), strings.Join(notes, " ")
}

// command finds the barycentre with the tool, from the session file that is named after the mesh.
func (b *Barycentre) command(base string, t *Transport) (line, needs string) {
	if len(b.paintings) < 2 {
		return "", "Keep two paintings first: Barycentre is between them."
	}
	file, k := base+session.Extension, b.wish(t).spec
	words := []string{"genussink", "barycentre", quoted(file), "-method", k.Method, "-epsilon", digits(k.Epsilon.Value)}
	if job.Bounded(k.Method) {
		words = append(words, "-delta", digits(k.Delta.Value))
	}
	words = append(words, "-kernel", quoted(k.Function), "-tolerance", digits(barycentreTolerance), "-out", quoted(base+"-barycentre.txt"))
	return strings.Join(words, " "), "The paintings and their weights are the page’s: save the session file " + file + " first."
}

// fills are the tool's flags for what the colours mean, and what of the page it does not know, in sentences.
func (s *Scene) fills() (flags, odd []string) {
	on, what := s.Showing(), "plain"
	switch {
	case on.Fill == FillField && s.Inspection.field != FieldGiven:
		if what = string(s.Inspection.field); s.Inspection.field == FieldSource || s.Inspection.field == FieldTarget {
			odd = append(odd, "The tool draws densities in colours of their own.")
		}
		if s.Inspection.field == FieldDistance {
			flags = append(flags, "-vertex", strconv.Itoa(int(s.Inspection.origin)))
		}
	case on.Fill == FillPlain && s.Inspection.shown && s.Inspection.found != nil:
		what = "defects"
	case on.Fill == FillSeparation:
		what = "split"
	case on.Mass != AtRest:
		what = "transport"
	case on.Densities:
		what = "densities"
	}
	switch on.Fill {
	case FillBag:
		if bag, _ := s.Treewidth.said(); bag != "" {
			what, flags = "bag", append(flags, "-bag", bag)
		} else {
			odd = append(odd, "The tool draws the centroid and the widest bag, no others.")
		}
	case FillElimination:
		_, gone := s.Treewidth.said()
		what, flags = "elimination", append(flags, "-gone", strconv.Itoa(gone))
	case FillQuery:
		odd = append(odd, "The tool does not draw where selected mass goes: genussink query says it.")
	}
	if i := &s.Inspection; i.picked != nil || len(i.paths) > 0 && !i.unseen || i.item >= 0 {
		odd = append(odd, "The tool does not draw what was picked or measured.")
	}
	if s.Separation.cell >= 0 {
		odd = append(odd, "The tool draws all cells of a level.")
	}
	if on.Change {
		odd = append(odd, "The tool does not draw destroyed and created mass.")
	}
	if on.Between {
		odd = append(odd, "The tool does not draw barycentres: genussink barycentre finds them.")
	}
	if on.Hairline || on.Outlines || on.Fill == FillSeparation && on.Mass != AtRest {
		odd = append(odd, "The tool draws the split or the densities, and none over the other.")
	}
	if on.Arrows && on.Mass == AtRest {
		odd = append(odd, "The tool draws flow arrows with mass on the move alone.")
	}
	flags = append(flags, "-what", what, "-level", strconv.Itoa(s.Separation.Shown()))
	if s.Separation.finder != "" {
		flags = append(flags, "-finder", s.Separation.finder)
	}
	if what == "split" && (s.Separation.balance != 0 || s.Separation.taken >= 0) {
		odd = append(odd, "The tool takes its own balance of separators.")
	}
	theme := "dark"
	if s.View.looks.Light {
		theme = "light"
	}
	return append(flags, "-theme", theme), odd
}

// stands are the tool's flags for where the camera stands and what else is in the picture.
func (s *Scene) stands(look Look) []string {
	pose, degrees := s.View.camera.Goal(), func(x float64) string { return digits(math.Round(1800/math.Pi*x) / 10) }
	flags := []string{
		"-azimuth", degrees(math.Remainder(pose.Yaw, 2*math.Pi)), "-elevation", degrees(min(max(pose.Pitch, -89*math.Pi/180), 89*math.Pi/180)),
		"-zoom", fmt.Sprintf("%.3g", min(max(look.Zoom, 0.1), 100)), "-up", s.View.looks.Up, "-size", fmt.Sprintf("%dx%d", look.Width, look.Height),
	}
	looks := &s.View.looks
	for _, f := range []struct {
		name string
		on   bool
	}{{"-wireframe", looks.Wireframe}, {"-flat", !looks.Smooth}, {"-hidden", looks.Hidden}, {"-orthographic", looks.Orthographic}} {
		if f.on {
			flags = append(flags, f.name)
		}
	}
	if on := looks.Section; on.Axis != "" {
		flags = append(flags, "-section", on.Axis+":"+digits(on.Position))
	}
	if s.Showing().Mass != AtRest {
		flags = append(flags, "-mass", string(s.Playback.mass), "-position", fmt.Sprintf("%.3g", s.Playback.Position()))
		if s.Showing().Arrows {
			flags = append(flags, "-arrows")
		}
	}
	return flags
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// quoted is a file's name as a shell takes it.
func quoted(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") == "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
