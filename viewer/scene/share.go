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
	Balance float64 // least share of the vertices on either side, 0 the default
	Cut     cutSize // of the separation taken from the Pareto list, zero: none was
	Method  string
	Epsilon float64 // fraction of the diagonal, 0 not said
	Delta   float64 // fraction of the diagonal, 0 not said
	Camera  *camera.Pose
}

// cutSize tells the separations of a Pareto list apart: each is larger and
// better balanced than the one before. A mesh has the same list everywhere.
type cutSize struct{ s, smaller int } // vertices in the separator and in the smaller side

func sizeOf(c job.Cut) cutSize { return cutSize{int(c.S), int(min(c.A, c.B))} }

const (
	shareVersion = 2 // 1 had no balance and no cut, and did not say its version
	maxShare     = 4096
	maxParams    = 32
)

// Link describes what is shown, for the address bar.
func (s *Scene) Link() Share {
	p := s.cam.Goal()
	cut := s.wanted
	if s.taken >= 0 {
		cut = sizeOf(s.swept.Cuts[s.taken])
	}
	return Share{
		Mesh: s.source.reference, Kind: s.source.kind, Params: s.source.params,
		Level: s.level, Finder: s.finder, Balance: s.balance, Cut: cut, Method: s.transport.Method, Epsilon: s.transport.Epsilon, Delta: s.transport.Delta, Camera: &p,
	}
}

// Restore takes over a shared link's settings; its camera, level and cut wait
// for the next mesh, which the caller opens.
func (s *Scene) Restore(sh Share) {
	s.finder, s.balance, s.transport.Method = sh.Finder, sh.Balance, sh.Method
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
	if s.meta.Pieces == 1 {
		s.wanted = sh.Cut
	}
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
	say("v", strconv.Itoa(shareVersion))
	say("mesh", sh.Mesh)
	say("make", sh.Kind)
	for _, p := range sh.Params {
		say("p."+url.QueryEscape(p.Name), number(p.Value))
	}
	if sh.Level >= 0 {
		say("level", strconv.Itoa(sh.Level))
	}
	say("finder", sh.Finder)
	if sh.Balance != 0 {
		say("balance", number(sh.Balance))
	}
	if sh.Cut != (cutSize{}) {
		say("cut", fmt.Sprintf("%d.%d", sh.Cut.s, sh.Cut.smaller))
	}
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

// DecodeShare reads what Encode wrote, now or in a version before, with or
// without a leading # or ?. Unknown keys are ignored; a value that makes no
// sense and a later version are errors.
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
	case key == "v":
		var version int
		version, err = strconv.Atoi(value)
		if err == nil && (version < 1 || version > shareVersion) {
			err = fmt.Errorf("a link of another page's: this one knows versions 1 to %d", shareVersion)
		}
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
	case key == "balance":
		sh.Balance, err = readNumber(value)
		if err == nil && !(sh.Balance > 0 && sh.Balance <= 0.5) {
			err = errors.New("not more than 0 and at most 0.5")
		}
	case key == "cut":
		size, smaller, _ := strings.Cut(value, ".")
		if sh.Cut.s, err = strconv.Atoi(size); err == nil {
			sh.Cut.smaller, err = strconv.Atoi(smaller)
		}
		if err != nil || sh.Cut.s < 1 || sh.Cut.smaller < 1 || max(sh.Cut.s, sh.Cut.smaller) > math.MaxInt32 {
			err = errors.New("not the sizes of a separator and of a side")
		}
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
