package session

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"genussink/core/job"
	"genussink/internal/decimal"
)

// keys are those of a link, besides a generator's parameters, p.NAME.
var keys = strings.Fields("v mesh make level finder repair unit balance cut method kernel reach debias eps delta depth brush on off mass speed cam task section at cell bag gone field paint between")

// MaxUnit is how many characters the name of a unit has at most.
const MaxUnit = 16

// MaxKernel is how many characters the name of a kernel's function has at most.
const MaxKernel = 200

const maxOdd = 8 // sentences about a link

const (
	linkVersion = 3 // 1 had no balance and no cut, and did not say its version; 2 no painting, brush and toggles
	maxParams   = 32
)

// MaxLink is how many characters a link has at most: servers take 8,000 in a
// request's line, of which the address before the link takes some.
const MaxLink = 6000

// Link writes a session as a query string without the question mark, which
// serves as a fragment too. It leaves out the mesh's bytes, and what is painted
// where that would make it longer than MaxLink; whole is false then.
func (s *Session) Link() (link string, whole bool) {
	link, whole = s.settings(), true
	add := func(key string, packed []byte) {
		if more := "&" + key + "=" + base64.RawURLEncoding.EncodeToString(packed); len(link)+len(more) > MaxLink {
			whole = false
		} else {
			link += more
		}
	}
	if s.Painting != nil && !s.Painting.first() {
		add("paint", encodePainting(s.Painting.Outcome()))
	}
	if len(s.Kept) > 0 {
		add("between", encodeKept(s.Kept))
	}
	return link, whole
}

func (s *Session) settings() string {
	var out []string
	say := func(key, value string) {
		if value != "" {
			out = append(out, key+"="+url.QueryEscape(value))
		}
	}
	say("v", strconv.Itoa(linkVersion))
	say("mesh", s.Mesh)
	say("make", s.Kind)
	for _, p := range s.Params {
		say("p."+url.QueryEscape(p.Name), number(p.Value))
	}
	say("repair", strings.Join(s.Repairs, ","))
	say("unit", s.Unit)
	if s.Level >= 0 {
		say("level", strconv.Itoa(s.Level))
	}
	say("finder", s.Finder)
	if s.Balance != 0 {
		say("balance", number(s.Balance))
	}
	if s.Cut != (Cut{}) {
		say("cut", fmt.Sprintf("%d.%d", s.Cut.S, s.Cut.Smaller))
	}
	say("method", s.Method)
	say("kernel", s.Kernel)
	if s.Reach != 0 {
		say("reach", number(s.Reach))
	}
	if s.Debias {
		say("debias", "1")
	}
	if s.Epsilon != 0 {
		say("eps", number(s.Epsilon))
	}
	if s.Delta != 0 {
		say("delta", number(s.Delta))
	}
	if s.Depth != 0 {
		say("depth", strconv.Itoa(s.Depth))
	}
	if s.Radius != 0 || s.Strength != 0 {
		say("brush", number(s.Radius)+","+number(s.Strength))
	}
	say("on", strings.Join(s.On, ","))
	say("off", strings.Join(s.Off, ","))
	say("mass", s.Mass)
	say("task", s.Task)
	if c := s.Section; c.Axis != "" {
		say("section", c.Axis+","+number(c.Position))
	}
	if s.Speed != 0 {
		say("speed", number(s.Speed))
	}
	if s.Moment != 0 {
		say("at", strconv.FormatFloat(s.Moment, 'g', 4, 64))
	}
	if s.Cell != 0 {
		say("cell", strconv.Itoa(s.Cell))
	}
	say("bag", s.Bag)
	if s.Gone != 0 {
		say("gone", strconv.Itoa(s.Gone))
	}
	if f := s.Field; f.From != 0 {
		say("field", f.Name+","+strconv.Itoa(f.From))
	} else {
		say("field", f.Name)
	}
	if c := s.Camera; c != nil {
		yaw, projection := c.Yaw, "p"
		if math.Abs(yaw) > 2*math.Pi {
			yaw = math.Remainder(yaw, 2*math.Pi)
		}
		if c.Orthographic {
			projection = "o"
		}
		values := []string{projection + string("xyz"[c.Up])}
		for _, x := range []float64{yaw, c.Pitch, c.Size, c.Target[0], c.Target[1], c.Target[2]} {
			values = append(values, strings.ReplaceAll(strconv.FormatFloat(x, 'g', 4, 64), "+", "")) // which is a space in a link
		}
		out = append(out, "cam="+strings.Join(values, ","))
	}
	return strings.Join(out, "&")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// ParseLink reads what Link wrote, now or in a version before, with or
// without a leading # or ?. Unknown keys, those that come twice and values that make no sense are odd, and left out. A later version is an error.
func ParseLink(text string) (*Session, error) {
	s := &Session{Level: -1}
	if len(text) > MaxLink+1 {
		return nil, fmt.Errorf("a link of %d characters, at most %d", len(text), MaxLink)
	}
	text = strings.TrimLeft(text, "#?")
	seen := map[string]bool{}
	for _, pair := range strings.Split(text, "&") {
		key, value, _ := strings.Cut(pair, "=")
		switch known := slices.Contains(keys, key) || strings.HasPrefix(key, "p."); {
		case pair == "" || len(s.Odd) == maxOdd:
		case !known:
			s.Odd = append(s.Odd, fmt.Sprintf("The link says %.40q, which this page does not know.", key))
		case seen[key]:
			s.Odd = append(s.Odd, fmt.Sprintf("The link says %.40q twice: the last one counts.", key))
		}
		seen[key] = true
		read := *s
		plain, err := url.QueryUnescape(value)
		if err != nil {
			err = errors.New("not written as links are")
		} else {
			err = read.read(key, plain)
		}
		switch {
		case err == nil:
			*s = read
		case key == "v":
			return nil, fmt.Errorf("link: %s=%.40q: %w", key, value, err)
		case len(s.Odd) < maxOdd:
			s.Odd = append(s.Odd, fmt.Sprintf("The link says %s=%.40s, which is %v: it is left out.", key, value, err))
		}
	}
	if !seen["v"] {
		s.fill()
	}
	return s, nil
}

// fill completes a link that a person typed: its task stands for what that task shows, as package scene's Task has it. What the link says itself
// stays. Links that pages write need none of this: they list each switch that is not as on a new page.
func (s *Session) fill() {
	said := slices.Concat(s.On, s.Off)
	add := func(list *[]string, names ...string) {
		for _, name := range names {
			if !slices.Contains(said, name) {
				*list = append(*list, name)
			}
		}
	}
	switch s.Task {
	case "separators":
		add(&s.On, "split")
		add(&s.Off, "densities", "flow")
	case "treewidth", "inspect":
		add(&s.Off, "densities", "flow")
	}
}

func (s *Session) read(key, value string) (err error) {
	switch {
	case key == "v":
		var version int
		version, err = readWhole(value)
		if err == nil && (version < 1 || version > linkVersion) {
			err = fmt.Errorf("a link of another page's: this one knows versions 1 to %d", linkVersion)
		}
	case key == "mesh":
		s.Mesh = value
	case key == "make":
		s.Kind = value
	case strings.HasPrefix(key, "p."):
		name, err := url.QueryUnescape(key[2:])
		if err != nil {
			return err
		}
		if len(s.Params) == maxParams {
			return fmt.Errorf("one parameter more than %d", maxParams)
		}
		x, err := readNumber(value)
		if err != nil {
			return err
		}
		s.Params = append(s.Params, job.Param{Name: name, Value: x})
	case key == "level":
		s.Level, err = readWhole(value)
		if err == nil && (s.Level < 0 || s.Level > 1000) {
			err = errors.New("not between 0 and 1000")
		}
	case key == "finder":
		s.Finder = value
	case key == "balance":
		s.Balance, err = readNumber(value)
		if err == nil && !(s.Balance > 0 && s.Balance <= 0.5) {
			err = errors.New("not more than 0 and at most 0.5")
		}
	case key == "cut":
		size, smaller, _ := strings.Cut(value, ".")
		if s.Cut.S, err = readWhole(size); err == nil {
			s.Cut.Smaller, err = readWhole(smaller)
		}
		if err != nil || s.Cut.S < 1 || s.Cut.Smaller < 1 || max(s.Cut.S, s.Cut.Smaller) > math.MaxInt32 {
			err = errors.New("not the sizes of a separator and of a side")
		}
	case key == "method":
		s.Method = value
	case key == "kernel":
		if s.Kernel = value; len(value) > MaxKernel {
			err = fmt.Errorf("more than %d characters", MaxKernel)
		}
	case key == "reach":
		s.Reach, err = readNumber(value)
		if err == nil && !(s.Reach > 0) {
			err = errors.New("not more than 0")
		}
	case key == "debias":
		if s.Debias = value == "1"; !s.Debias {
			err = errors.New("not 1")
		}
	case key == "eps":
		s.Epsilon, err = readNumber(value)
		if err == nil && !(s.Epsilon > 0) {
			err = errors.New("not more than 0")
		}
	case key == "delta":
		s.Delta, err = readNumber(value)
		if err == nil && !(s.Delta > 0) {
			err = errors.New("not more than 0")
		}
	case key == "depth":
		s.Depth, err = readWhole(value)
		if err == nil && (s.Depth < 1 || s.Depth > 1000) {
			err = errors.New("not between 1 and 1000")
		}
	case key == "cam":
		s.Camera, err = readCamera(value)
	case key == "brush":
		radius, strength, _ := strings.Cut(value, ",")
		if s.Radius, err = readNumber(radius); err == nil {
			s.Strength, err = readNumber(strength)
		}
		if err != nil || !(s.Radius > 0 && s.Strength >= 0 && s.Strength <= 1) {
			err = errors.New("not a radius and a strength")
		}
	case key == "on":
		s.On, err = readToggles(value)
	case key == "off":
		s.Off, err = readToggles(value)
	case key == "repair":
		s.Repairs, err = readRepairs(value)
	case key == "unit":
		if s.Unit = value; utf8.RuneCountInString(value) > MaxUnit {
			err = fmt.Errorf("more than %d characters", MaxUnit)
		}
	case key == "mass":
		s.Mass = value
	case key == "task":
		s.Task = value
	case key == "section":
		axis, position, _ := strings.Cut(value, ",")
		s.Section.Axis = axis
		if s.Section.Position, err = readNumber(position); err != nil || !slices.Contains(Axes, axis) || !(s.Section.Position >= 0 && s.Section.Position <= 1) {
			err = errors.New("not an axis and a position from 0 to 1")
		}
	case key == "speed":
		s.Speed, err = readNumber(value)
		if err == nil && !(s.Speed > 0) {
			err = errors.New("not more than 0")
		}
	case key == "at":
		s.Moment, err = readNumber(value)
		if err == nil && !(s.Moment > 0 && s.Moment <= 1) {
			err = errors.New("not more than 0 and at most 1")
		}
	case key == "cell":
		s.Cell, err = readCount(value, "a cell of a tree")
	case key == "bag":
		if s.Bag = value; value != "centroid" && value != "widest" {
			err = errors.New("neither centroid nor widest")
		}
	case key == "gone":
		s.Gone, err = readCount(value, "a number of vertices")
	case key == "field":
		name, from, ok := strings.Cut(value, ",")
		if s.Field.Name = name; ok {
			s.Field.From, err = readCount(from, "a vertex")
		}
	case key == "paint":
		var packed []byte
		if packed, err = base64.RawURLEncoding.DecodeString(value); err != nil {
			return errors.New("not a painting")
		}
		if s.Painting, err = decodePainting(packed); err != nil {
			err = fmt.Errorf("no painting (%w)", err)
		}
	case key == "between":
		var packed []byte
		if packed, err = base64.RawURLEncoding.DecodeString(value); err != nil {
			return errors.New("no densities")
		}
		if s.Kept, err = decodeKept(packed); err != nil {
			err = fmt.Errorf("no densities (%w)", err)
		}
	}
	return err
}

// maxRepairs is how many repairs a mesh has at most.
const maxRepairs = 64

func readRepairs(value string) ([]string, error) {
	steps := strings.Split(value, ",")
	if len(steps) > maxRepairs {
		return nil, fmt.Errorf("a list of %d repairs, of at most %d", len(steps), maxRepairs)
	}
	for _, step := range steps {
		switch step {
		case job.RepairWeld, job.RepairDegenerate, job.RepairIsolated, job.RepairOrient:
		default:
			return nil, fmt.Errorf("no repair: %.40q", step)
		}
	}
	return steps, nil
}

func readCamera(value string) (*Camera, error) {
	parts := strings.Split(value, ",")
	if len(parts) != 7 || len(parts[0]) != 2 {
		return nil, errors.New("not a camera")
	}
	up := strings.IndexByte("xyz", parts[0][1])
	if up < 0 || parts[0][0] != 'p' && parts[0][0] != 'o' {
		return nil, errors.New("not a camera")
	}
	var x [6]float64
	for i := range x {
		var err error
		if x[i], err = readNumber(parts[i+1]); err != nil {
			return nil, err
		}
	}
	return &Camera{
		Yaw: x[0], Pitch: x[1], Size: x[2], Target: [3]float64{x[3], x[4], x[5]},
		Orthographic: parts[0][0] == 'o', Up: up,
	}, nil
}

func readToggles(value string) ([]string, error) {
	names := strings.Split(value, ",")
	for _, name := range names {
		if !slices.Contains(Toggles, name) {
			return nil, fmt.Errorf("nothing to switch: %.20q", name)
		}
	}
	return names, nil
}

// readCount reads a whole number from 1 on.
func readCount(value, what string) (int, error) {
	n, err := readWhole(value)
	if err == nil && (n < 1 || n > math.MaxInt32) {
		err = errors.New("not " + what)
	}
	return n, err
}

func readWhole(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0, errors.New("not a whole number that a link may have")
	}
	return n, nil
}

func readNumber(value string) (float64, error) {
	x, ok := decimal.Float([]byte(value))
	if !ok {
		return 0, errors.New("not a number")
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("not finite")
	}
	return x, nil
}
