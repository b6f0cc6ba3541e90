package decimal

import (
	"math"
	"strconv"
	"testing"
)

// TestFloat compares with strconv, rounding cases included.
func TestFloat(t *testing.T) {
	for _, s := range []string{"0", "-0", "+1", "1.", ".5", "-.5e3", "1e22", "1e23", "1e-22", "1e-23", "9007199254740993", "9007199254740992",
		"0.1", "123456789012345678", "12345678901234567890", "18446744073709551616", "1e+5", "1E5", "1.7976931348623157e308", "5e-324", "1e-400",
		"00000000000000000001", "0.000000000000000000001", "179.99999999999997", "3.4028234663852886e38"} {
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Float([]byte(s))
		if !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"", "+", "-", ".", "e5", "1e", "1e+", "1e5.", "1,5", "1.#IND", "3.1+e2", "--1", "0x", "1_000", "0x1p0", "0X1P0", "0x10", "0b1", "0o7", "1_0.5", "१"} {
		if got, ok := Float([]byte(s)); ok {
			t.Errorf("%q read as %g", s, got)
		}
	}
}

// A number that is too large is one still, and infinite: whoever reads it asks for finite ones.
func TestBeyondFloat64(t *testing.T) {
	for s, sign := range map[string]int{"1e999": 1, "-1e309": -1, "inf": 1, "-Infinity": -1} {
		if got, ok := Float([]byte(s)); !ok || !math.IsInf(got, sign) {
			t.Errorf("%q read as %g, %v", s, got, ok)
		}
	}
}

func TestInt(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "-0": 0, "+7": 7, "-12": -12, "010": 10, "999999999999999999": 999999999999999999} {
		if got, ok := Int([]byte(s)); !ok || got != want {
			t.Errorf("%q read as %d, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "+", "1.0", "1e3", "1_0", "0x10", "1000000000000000000", "1 "} {
		if got, ok := Int([]byte(s)); ok {
			t.Errorf("%q read as %d", s, got)
		}
	}
}
