package job

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Defaults are filled in, and what does not count for a method makes no difference.
func TestCompleteFillsIn(t *testing.T) {
	for _, c := range [][2]KernelSpec{
		{{Epsilon: Fraction(0.2)}, {Method: Exact, Function: Exp, Epsilon: Fraction(0.2)}},
		{{Method: Embedded, Epsilon: Units(3), Delta: Fraction(0.1)}, {Method: Embedded, Function: Exp, Epsilon: Units(3), Delta: Fraction(0.1), Host: Nested}},
		{{Method: Dense, Epsilon: Fraction(0.2), Delta: Units(0), Sample: Sample{Seed: 7}}, {Method: Dense, Function: Exp, Epsilon: Fraction(0.2)}},
		{{Method: Sampled, Epsilon: Fraction(0.2), Sample: Sample{Keep: 3, Seed: 7}}, {Method: Sampled, Function: Exp, Epsilon: Fraction(0.2), Sample: Sample{Keep: 3, Seed: 7}}},
	} {
		got, err := c[0].Complete()
		if err != nil || got != c[1] {
			t.Errorf("%+v is completed to %+v, %v; want %+v", c[0], got, err, c[1])
		}
		if again, err := got.Complete(); err != nil || again != got {
			t.Errorf("%+v is completed again, to %+v, %v", got, again, err)
		}
	}
	for _, m := range Methods {
		s := KernelSpec{Method: m, Epsilon: Fraction(0.2)}
		if Bounded(m) {
			s.Delta = Fraction(0.1)
		}
		if _, err := s.Complete(); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// What cannot be is refused with the option, its value, and what is possible.
func TestCompleteRefuses(t *testing.T) {
	fits := func(method string) KernelSpec { return KernelSpec{Method: method, Epsilon: Fraction(0.2)} }
	with := func(method string, change func(s *KernelSpec)) KernelSpec {
		s := fits(method)
		change(&s)
		return s
	}
	for _, c := range []struct {
		spec KernelSpec
		says string
	}{
		{KernelSpec{}, "epsilon 0: must be positive"},
		{with("", func(s *KernelSpec) { s.Epsilon = Units(-1) }), "epsilon -1u: must be positive"},
		{with("", func(s *KernelSpec) { s.Epsilon = Fraction(math.NaN()) }), "epsilon NaN: must be positive"},
		{with("", func(s *KernelSpec) { s.Epsilon = Fraction(math.Inf(1)) }), "epsilon +Inf: must be positive and finite"},
		{fits("fast"), "method fast: there are auto, support, quantized, exact, certified, embedded, sampled, tree and dense"},
		{with(Sampled, func(s *KernelSpec) { s.Function = "inverse" }), "kernel inverse: the method sampled has exp alone; exact, certified and embedded have others"},
		{fits(Certified), "delta 0: the method certified needs one"},
		{with(Embedded, func(s *KernelSpec) { s.Delta = Fraction(math.NaN()) }), "delta NaN: the method embedded needs one"},
		{with(Exact, func(s *KernelSpec) { s.Delta = Units(0.1) }), "delta 0.1u: the method exact has no error to allow"},
		{with(Exact, func(s *KernelSpec) { s.Host = Nested }), "host nested: only the method embedded has one"},
		{with(Embedded, func(s *KernelSpec) { s.Host, s.Delta = "hotel", Fraction(0.1) }), "host hotel: there are nested and emulated"},
		{with(Exact, func(s *KernelSpec) { s.Precision = "float16" }), "precision float16: there are float64 and float32"},
		{with(Tree, func(s *KernelSpec) { s.Precision = Float32 }), "precision float32: the method tree has no choice"},
		{with(Sampled, func(s *KernelSpec) { s.Sample.Keep = -1 }), "keep -1: must not be negative"},
		{with(Sampled, func(s *KernelSpec) { s.Levels = -2 }), "levels -2: must not be negative"},
		{with(Tree, func(s *KernelSpec) { s.Sample.Keep = 1 }), "keep 1: the method tree samples nothing"},
		{with(Exact, func(s *KernelSpec) { s.Levels = 1 }), "levels 1: only the methods tree and sampled have a depth of their own"},
		{with(Tree, func(s *KernelSpec) { s.Sample.Farthest = true }), "portals farthest: the method tree samples nothing"},
		{with(Quantized, func(s *KernelSpec) { s.Representatives = -1 }), "representatives -1: must not be negative"},
		{with(Auto, func(s *KernelSpec) { s.Representatives = 9 }), "representatives 9: the method auto has none"},
	} {
		_, err := c.spec.Complete()
		var wrong *SpecError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.spec, err, c.says)
		}
	}
	if listed([]string{"a", "b", "c"}) != "a, b and c" {
		t.Errorf("listed says %q", listed([]string{"a", "b", "c"}))
	}
}
