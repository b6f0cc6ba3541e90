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
)

// key is one name that a link may say, and the field of a session that it stands for.
type key struct {
	name string
	say  func(s *Session) string              // "": the link does not say it; nil: Link writes it elsewhere
	read func(s *Session, value string) error // it need not undo what it did before an error
}

// paramPrefix begins the name of a generator's parameter.
const paramPrefix = "p."

// keys are those of a link, in the order in which it says them. A generator's parameters come after "make".
var keys = []key{
	{"v", nil, func(_ *Session, value string) error {
		version, err := readWhole(value)
		if err == nil && (version < 1 || version > linkVersion) {
			err = fmt.Errorf("a link of another page's: this one knows versions 1 to %d", linkVersion)
		}
		return err
	}},
	words("mesh", func(s *Session) *string { return &s.Mesh }),
	words("make", func(s *Session) *string { return &s.Kind }),
	{"repair", func(s *Session) string { return strings.Join(s.Repairs, ",") }, func(s *Session, value string) (err error) {
		s.Repairs, err = readRepairs(value)
		return err
	}},
	short("unit", MaxUnit, func(s *Session) *string { return &s.Unit }),
	{"level", func(s *Session) string {
		if s.Level < 0 {
			return ""
		}
		return strconv.Itoa(s.Level)
	}, func(s *Session, value string) (err error) {
		s.Level, err = readWhole(value)
		if err == nil && (s.Level < 0 || s.Level > maxLevel) {
			err = fmt.Errorf("not between 0 and %d", maxLevel)
		}
		return err
	}},
	words("finder", func(s *Session) *string { return &s.Finder }),
	positive("balance", 0.5, func(s *Session) *float64 { return &s.Balance }),
	{"cut", func(s *Session) string {
		if s.Cut == (Cut{}) {
			return ""
		}
		return fmt.Sprintf("%d.%d", s.Cut.S, s.Cut.Smaller)
	}, func(s *Session, value string) (err error) {
		size, smaller, _ := strings.Cut(value, ".")
		if s.Cut.S, err = readWhole(size); err == nil {
			s.Cut.Smaller, err = readWhole(smaller)
		}
		if err != nil || s.Cut.S < 1 || s.Cut.Smaller < 1 || max(s.Cut.S, s.Cut.Smaller) > math.MaxInt32 {
			return errors.New("not the sizes of a separator and of a side")
		}
		return nil
	}},
	words("method", func(s *Session) *string { return &s.Method }),
	short("kernel", MaxKernel, func(s *Session) *string { return &s.Kernel }),
	positive("reach", math.Inf(1), func(s *Session) *float64 { return &s.Reach }),
	{"debias", func(s *Session) string {
		if !s.Debias {
			return ""
		}
		return "1"
	}, func(s *Session, value string) error {
		if s.Debias = value == "1"; !s.Debias {
			return errors.New("not 1")
		}
		return nil
	}},
	positive("eps", math.Inf(1), func(s *Session) *float64 { return &s.Epsilon }),
	positive("delta", math.Inf(1), func(s *Session) *float64 { return &s.Delta }),
	count("depth", maxLevel, fmt.Sprintf("between 1 and %d", maxLevel), func(s *Session) *int { return &s.Depth }),
	{"brush", func(s *Session) string {
		if s.Radius == 0 && s.Strength == 0 {
			return ""
		}
		return number(s.Radius) + "," + number(s.Strength)
	}, func(s *Session, value string) (err error) {
		radius, strength, _ := strings.Cut(value, ",")
		if s.Radius, err = readNumber(radius); err == nil {
			s.Strength, err = readNumber(strength)
		}
		if err != nil || !(s.Radius > 0 && s.Strength >= 0 && s.Strength <= 1) {
			return errors.New("not a radius and a strength")
		}
		return nil
	}},
	toggles("on", func(s *Session) *[]string { return &s.On }),
	toggles("off", func(s *Session) *[]string { return &s.Off }),
	words("mass", func(s *Session) *string { return &s.Mass }),
	words("task", func(s *Session) *string { return &s.Task }),
	{"section", func(s *Session) string {
		if s.Section.Axis == "" {
			return ""
		}
		return s.Section.Axis + "," + number(s.Section.Position)
	}, func(s *Session, value string) (err error) {
		axis, position, _ := strings.Cut(value, ",")
		s.Section.Axis = axis
		if s.Section.Position, err = readNumber(position); err != nil || !slices.Contains(Axes, axis) || !(s.Section.Position >= 0 && s.Section.Position <= 1) {
			return errors.New("not an axis and a position from 0 to 1")
		}
		return nil
	}},
	positive("speed", math.Inf(1), func(s *Session) *float64 { return &s.Speed }),
	{"at", func(s *Session) string {
		if s.Moment == 0 {
			return ""
		}
		return strconv.FormatFloat(s.Moment, 'g', 4, 64)
	}, positive("at", 1, func(s *Session) *float64 { return &s.Moment }).read},
	count("cell", math.MaxInt32, "a cell of a tree", func(s *Session) *int { return &s.Cell }),
	{"bag", func(s *Session) string { return s.Bag }, func(s *Session, value string) error {
		if s.Bag = value; value != "centroid" && value != "widest" {
			return errors.New("neither centroid nor widest")
		}
		return nil
	}},
	count("gone", math.MaxInt32, "a number of vertices", func(s *Session) *int { return &s.Gone }),
	{"field", func(s *Session) string {
		if s.Field.From == 0 {
			return s.Field.Name
		}
		return s.Field.Name + "," + strconv.Itoa(s.Field.From)
	}, func(s *Session, value string) (err error) {
		name, from, ok := strings.Cut(value, ",")
		if s.Field.Name = name; ok {
			s.Field.From, err = readCount(from, math.MaxInt32, "a vertex")
		}
		return err
	}},
	{"cam", func(s *Session) string { return s.Camera.text() }, func(s *Session, value string) (err error) {
		s.Camera, err = readCamera(value)
		return err
	}},
	{"paint", nil, func(s *Session, value string) error {
		packed, err := base64.RawURLEncoding.DecodeString(value)
		if err != nil {
			return errors.New("not a painting")
		}
		if s.Painting, err = decodePainting(packed); err != nil {
			return fmt.Errorf("no painting (%w)", err)
		}
		return nil
	}},
	{"between", nil, func(s *Session, value string) error {
		packed, err := base64.RawURLEncoding.DecodeString(value)
		if err != nil {
			return errors.New("no densities")
		}
		if s.Kept, err = decodeKept(packed); err != nil {
			return fmt.Errorf("no densities (%w)", err)
		}
		return nil
	}},
}

// readerOf is what reads the value of a name, nil of one that no link has.
func readerOf(name string) func(s *Session, value string) error {
	if param, ok := strings.CutPrefix(name, paramPrefix); ok {
		return func(s *Session, value string) error { return s.readParam(param, value) }
	}
	for _, k := range keys {
		if k.name == name {
			return k.read
		}
	}
	return nil
}

func (s *Session) readParam(name, value string) error {
	name, err := url.QueryUnescape(name)
	if err != nil {
		return err
	}
	if len(s.Params) == maxParams {
		return fmt.Errorf("one parameter more than %d", maxParams)
	}
	x, err := readNumber(value)
	if err == nil {
		s.Params = append(s.Params, job.Param{Name: name, Value: x})
	}
	return err
}

// words are any text.
func words(name string, at func(s *Session) *string) key { return short(name, math.MaxInt, at) }

// short is a text of at most so many characters.
func short(name string, most int, at func(s *Session) *string) key {
	return key{name, func(s *Session) string { return *at(s) }, func(s *Session, value string) error {
		if *at(s) = value; utf8.RuneCountInString(value) > most {
			return fmt.Errorf("more than %d characters", most)
		}
		return nil
	}}
}

// positive is a number above 0. The link does not say 0.
func positive(name string, most float64, at func(s *Session) *float64) key {
	return key{name, func(s *Session) string {
		if *at(s) == 0 {
			return ""
		}
		return number(*at(s))
	}, func(s *Session, value string) (err error) {
		*at(s), err = readNumber(value)
		switch x := *at(s); {
		case err != nil || x > 0 && x <= most:
			return err
		case math.IsInf(most, 1):
			return errors.New("not more than 0")
		}
		return fmt.Errorf("not more than 0 and at most %g", most)
	}}
}

// count is a whole number from 1 on. The link does not say 0.
func count(name string, most int, what string, at func(s *Session) *int) key {
	return key{name, func(s *Session) string {
		if *at(s) == 0 {
			return ""
		}
		return strconv.Itoa(*at(s))
	}, func(s *Session, value string) (err error) {
		*at(s), err = readCount(value, most, what)
		return err
	}}
}

// toggles are names of what is switched.
func toggles(name string, at func(s *Session) *[]string) key {
	return key{name, func(s *Session) string { return strings.Join(*at(s), ",") }, func(s *Session, value string) (err error) {
		*at(s), err = readToggles(value)
		return err
	}}
}
