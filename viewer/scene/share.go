package scene

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"genussink/core/job"
	"genussink/viewer/camera"
)

// Share is what an address says of the page: enough to show the same thing
// again. Zero values mean "not said".
type Share struct {
	Mesh    string      // a gallery name or address, "" if Kind says it or nothing does
	Kind    string      // a generator
	Params  []job.Param // of the generator
	Level   int         // -1 not said
	Finder  string
	Method  string
	Epsilon float64 // fraction of the diagonal, 0 not said
	Delta   float64 // fraction of the diagonal, 0 not said
	Camera  *camera.Pose
}

const (
	maxShare  = 4096
	maxParams = 32
)

// Link describes what is shown, for the address bar.
func (s *Scene) Link() Share {
	p := s.cam.Goal()
	return Share{
		Mesh: s.source.reference, Kind: s.source.kind, Params: s.source.params,
		Level: s.level, Finder: s.finder, Method: s.transport.Method, Epsilon: s.transport.Epsilon, Delta: s.transport.Delta, Camera: &p,
	}
}

// Restore takes over a shared link's settings; its camera and level wait for
// the next mesh, which the caller opens.
func (s *Scene) Restore(sh Share) {
	s.finder, s.transport.Method = sh.Finder, sh.Method
	if sh.Delta != 0 {
		s.transport.Delta = min(max(sh.Delta, MinDelta), MaxDelta)
	}
	if sh.Epsilon != 0 {
		s.transport.Epsilon = min(max(sh.Epsilon, MinEpsilon), MaxEpsilon)
	}
	s.restore = &sh
	s.changed()
}

func (s *Scene) applyShare(sh Share) {
	if sh.Level >= 0 {
		s.level = sh.Level // clamped once the tree is there
	}
	if sh.Camera != nil {
		s.cam.Set(*sh.Camera)
		s.view.Orthographic = sh.Camera.Orthographic
		s.view.Up = string("xyz"[sh.Camera.Up])
	}
}

// Encode writes a link as a query string without the question mark, which
// serves as a fragment too.
func (sh Share) Encode() string {
	var out []string
	say := func(key, value string) {
		if value != "" {
			out = append(out, key+"="+url.QueryEscape(value))
		}
	}
	say("mesh", sh.Mesh)
	say("make", sh.Kind)
	for _, p := range sh.Params {
		say("p."+url.QueryEscape(p.Name), number(p.Value))
	}
	if sh.Level >= 0 {
		say("level", strconv.Itoa(sh.Level))
	}
	say("finder", sh.Finder)
	say("method", sh.Method)
	if sh.Epsilon != 0 {
		say("eps", number(sh.Epsilon))
	}
	if sh.Delta != 0 && (sh.Method == "certified" || sh.Method == "embedded") {
		say("delta", number(sh.Delta))
	}
	if c := sh.Camera; c != nil {
		projection := "p"
		if c.Orthographic {
			projection = "o"
		}
		values := []string{projection + string("xyz"[c.Up])}
		for _, x := range []float64{c.Yaw, c.Pitch, c.Size, c.Target[0], c.Target[1], c.Target[2]} {
			values = append(values, strconv.FormatFloat(x, 'g', 4, 64))
		}
		out = append(out, "cam="+strings.Join(values, ","))
	}
	return strings.Join(out, "&")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// DecodeShare reads what Encode wrote, with or without a leading # or ?.
// Unknown keys are ignored; a value that makes no sense is an error.
func DecodeShare(text string) (Share, error) {
	sh := Share{Level: -1}
	if len(text) > maxShare {
		return sh, fmt.Errorf("scene: a link of %d characters, at most %d", len(text), maxShare)
	}
	text = strings.TrimLeft(text, "#?")
	for _, pair := range strings.Split(text, "&") {
		key, value, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(value)
		if err != nil {
			return Share{Level: -1}, fmt.Errorf("scene: link: %s: %w", key, err)
		}
		if err := sh.read(key, value); err != nil {
			return Share{Level: -1}, fmt.Errorf("scene: link: %s=%q: %w", key, value, err)
		}
	}
	return sh, nil
}

func (sh *Share) read(key, value string) (err error) {
	switch {
	case key == "mesh":
		sh.Mesh = value
	case key == "make":
		sh.Kind = value
	case strings.HasPrefix(key, "p."):
		name, err := url.QueryUnescape(key[2:])
		if err != nil {
			return err
		}
		if len(sh.Params) == maxParams {
			return errors.New("too many parameters")
		}
		x, err := readNumber(value)
		if err != nil {
			return err
		}
		sh.Params = append(sh.Params, job.Param{Name: name, Value: x})
	case key == "level":
		sh.Level, err = strconv.Atoi(value)
		if err == nil && (sh.Level < 0 || sh.Level > 1000) {
			err = errors.New("not between 0 and 1000")
		}
	case key == "finder":
		sh.Finder = value
	case key == "method":
		sh.Method = value
	case key == "eps":
		sh.Epsilon, err = readNumber(value)
		if err == nil && !(sh.Epsilon >= MinEpsilon && sh.Epsilon <= MaxEpsilon) {
			err = fmt.Errorf("not between %g and %g", MinEpsilon, float64(MaxEpsilon))
		}
	case key == "delta":
		sh.Delta, err = readNumber(value)
		if err == nil && !(sh.Delta >= MinDelta && sh.Delta <= MaxDelta) {
			err = fmt.Errorf("not between %g and %g", MinDelta, MaxDelta)
		}
	case key == "cam":
		sh.Camera, err = readPose(value)
	}
	return err
}

func readPose(value string) (*camera.Pose, error) {
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
	p := camera.Pose{
		Yaw: x[0], Pitch: x[1], Size: x[2], Target: [3]float64{x[3], x[4], x[5]},
		Orthographic: parts[0][0] == 'o', Up: camera.Axis(up),
	}
	if !p.Valid() {
		return nil, errors.New("out of range")
	}
	return &p, nil
}

func readNumber(value string) (float64, error) {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, errors.New("not a number")
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("not finite")
	}
	return x, nil
}
