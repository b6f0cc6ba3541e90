// Package quantity writes numbers for people: with units, at most four significant
// digits, and digits grouped by thin spaces. Very large and very small numbers have a power of ten.
package quantity

import (
	"math"
	"strconv"
	"strings"
)

const (
	thin = "\u202f" // narrow no-break space: between groups of digits and before units
	// Digits is the most significant digits that a number is written with.
	Digits = 4
)

// Number writes x with at most four significant digits.
func Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "undefined"
	case math.IsInf(x, 0):
		return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "Inf", "∞", 1)
	case x == 0:
		return "0"
	}
	text := strconv.FormatFloat(x, 'e', Digits-1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	power, _ := strconv.Atoi(exponent)
	if power < -3 || power > 6 {
		return minus(trim(mantissa)) + thin + "×" + thin + "10" + raised(power)
	}
	return minus(group(trim(strconv.FormatFloat(x, 'f', max(0, Digits-1-power), 64))))
}

// Count writes a whole number in full.
func Count(n int) string { return minus(group(strconv.Itoa(n))) }

// Percent writes a fraction as a percentage.
func Percent(x float64) string { return Number(100*x) + thin + "%" }

// Seconds writes a duration: milliseconds below a second, minutes above two.
func Seconds(s float64) string {
	switch {
	case s < 1:
		return three(1000*s) + thin + "ms"
	case s < 120:
		return three(s) + thin + "s"
	default:
		return Count(int(s)/60) + thin + "min " + strconv.Itoa(int(s)%60) + thin + "s"
	}
}

// Bytes writes an amount of memory in decimal units.
func Bytes(n int64) string {
	x, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; x >= 1000 && i < len(units)-1; i++ {
		x /= 1000
	}
	return three(x) + thin + units[i]
}

// three writes x with three significant digits and no exponent.
func three(x float64) string {
	if x < 0.001 {
		return "0"
	}
	power := int(math.Floor(math.Log10(x)))
	return group(trim(strconv.FormatFloat(x, 'f', min(3, max(0, 2-power)), 64)))
}

// trim takes zeros off the end of a fraction.
func trim(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// group parts the whole digits in threes, from ten thousand up.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, dotted := strings.Cut(s, ".")
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + thin + whole[i:]
		}
	}
	if dotted {
		whole += "." + fraction
	}
	return sign + whole
}

// minus gives a negative number the sign that people write.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

func raised(n int) string {
	var out strings.Builder
	for _, c := range strconv.Itoa(n) {
		if c == '-' {
			out.WriteRune('⁻')
		} else {
			out.WriteRune([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0'])
		}
	}
	return out.String()
}
