// Package decimal reads numbers in one syntax, that of mesh files, wherever a person or a file gives one: digits
// with a sign, a point and an exponent, as C writes them. Hexadecimal and digits
// set apart by underscores are Go's alone, and no numbers here.
package decimal

import (
	"bytes"
	"errors"
	"strconv"
)

var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Float reads a number such as -1.5e3, infinities and NaN included; one beyond float64 is infinite. Up to 2^53 times a power of ten up to 22
// both are exact in float64, so that one rounding gives the nearest value; the
// rest is left to strconv.
func Float(b []byte) (x float64, ok bool) {
	i, negative := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		i++
	}
	var mantissa uint64
	digits, scale := 0, 0
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		digits++
	}
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			digits++
			scale--
		}
	}
	if digits == 0 || digits > 19 {
		return slowFloat(b)
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		e, ok := Int(b[i+1:])
		if !ok || e < -999 || e > 999 {
			return slowFloat(b)
		}
		scale += int(e)
		i = len(b)
	}
	if i < len(b) || mantissa > 1<<53 || scale < -22 || scale > 22 {
		return slowFloat(b)
	}
	if x = float64(mantissa); scale < 0 {
		x /= powersOfTen[-scale]
	} else {
		x *= powersOfTen[scale]
	}
	if negative {
		x = -x
	}
	return x, true
}

func slowFloat(b []byte) (float64, bool) {
	if bytes.ContainsAny(b, "_xX") {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange)
}

// Int reads a signed whole number of at most 18 digits.
func Int(b []byte) (n int64, ok bool) {
	i, negative := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		i++
	}
	if i == len(b) || len(b)-i > 18 {
		return 0, false
	}
	for ; i < len(b); i++ {
		if b[i]-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(b[i]-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}
