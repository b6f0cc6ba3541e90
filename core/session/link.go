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

	"genussink/core/job"
	"genussink/internal/decimal"
)

// MaxUnit is how many characters the name of a unit has at most.
const MaxUnit = 16

// MaxKernel is how many characters the name of a kernel's function has at most.
const MaxKernel = 200

const maxOdd = 8 // sentences about a link

const (
	linkVersion = 3 // 1 had no balance and no cut, and did not say its version; 2 no painting, brush and toggles
	maxParams   = 32
	maxLevel    = 1000
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

// settings is the link without what is painted.
func (s *Session) settings() string {
	out := []string{"v=" + strconv.Itoa(linkVersion)}
	say := func(name, value string) {
		if value != "" {
			out = append(out, name+"="+strings.ReplaceAll(url.QueryEscape(value), "%2C", ","))
		}
	}
	for _, k := range keys {
		if k.say != nil {
			say(k.name, k.say(s))
		}
		if k.name == "make" { // its parameters
			for _, p := range s.Params {
				say(paramPrefix+url.QueryEscape(p.Name), number(p.Value))
			}
		}
	}
	return strings.Join(out, "&")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// ParseLink reads what Link wrote, now or in a version before, with or
// without a leading # or ?. Unknown keys, those that come twice and values that make no sense are odd, and left out. A later version is an error.
func ParseLink(text string) (*Session, error) {
	if len(text) > MaxLink+1 {
		return nil, fmt.Errorf("a link of %d characters, at most %d", len(text), MaxLink)
	}
	return parse(text)
}

// parse is ParseLink of a text of any length: a file's settings may be longer than a link.
func parse(text string) (*Session, error) {
	s := &Session{Level: -1}
	text = strings.TrimLeft(text, "#?")
	seen := map[string]bool{}
	for _, pair := range strings.Split(text, "&") {
		key, value, _ := strings.Cut(pair, "=")
		odd := func(format string, args ...any) {
			if len(s.Odd) < maxOdd {
				s.Odd = append(s.Odd, fmt.Sprintf("The link says "+format, args...))
			}
		}
		read := readerOf(key)
		switch {
		case pair == "":
			continue
		case read == nil:
			odd("%.40q, which this page does not know.", key)
			continue
		case seen[key]:
			odd("%.40q twice: the last one counts.", key)
		}
		seen[key] = true
		next := *s
		plain, err := url.QueryUnescape(value)
		if err != nil {
			err = errors.New("not written as links are")
		} else {
			err = read(&next, plain)
		}
		switch {
		case err == nil:
			*s = next
		case key == "v":
			return nil, fmt.Errorf("link: %s=%.40q: %w", key, value, err)
		default:
			odd("%s=%.40s, which is %v: it is left out.", key, value, err)
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

// text is the camera as a link says it, with four digits; "" of none.
func (c *Camera) text() string {
	if c == nil {
		return ""
	}
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
	return strings.Join(values, ",")
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
func readCount(value string, most int, what string) (int, error) {
	n, err := readWhole(value)
	if err == nil && (n < 1 || n > most) {
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
