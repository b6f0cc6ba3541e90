package quantity

import (
	"math"
	"strings"
	"testing"
)

func TestWriting(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(0), "0"},
		{Number(1), "1"},
		{Number(-0.5), "−0.5"},
		{Number(3.14159), "3.142"},
		{Number(0.00123456), "0.001235"},
		{Number(0.000123456), "1.235 × 10⁻⁴"},
		{Number(1234.5678), "1235"},
		{Number(123456.7), "123 457"},
		{Number(9.99999), "10"},
		{Number(6.02e23), "6.02 × 10²³"},
		{Number(math.Inf(1)), "+∞"},
		{Number(math.NaN()), "undefined"},
		{Count(999), "999"},
		{Count(1234), "1234"},
		{Count(1234567), "1 234 567"},
		{Count(-3), "−3"},
		{Percent(0.0125), "1.25 %"},
		{Seconds(0), "0 ms"},
		{Seconds(0.0001234), "0.123 ms"},
		{Seconds(0.1234), "123 ms"},
		{Seconds(1.239), "1.24 s"},
		{Seconds(125), "2 min 5 s"},
		{Bytes(0), "0 B"},
		{Bytes(999), "999 B"},
		{Bytes(1500), "1.5 kB"},
		{Bytes(123456789), "123 MB"},
		{Bytes(2_000_000_000_000_000), "2000 TB"},
	} {
		if got := strings.ReplaceAll(c.got, thin, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
