package difference

import (
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
)

// scalar says what happened to a value without parts; "" of equal ones.
func scalar(got, want reflect.Value) string {
	switch {
	case want.Kind() == reflect.String:
		return text(got.String(), want.String())
	case want.CanFloat():
		return float(got.Float(), want.Float())
	case want.CanInt():
		g, w := got.Int(), want.Int()
		return number(g == w, g == int64(int32(w)), g == 0, float64(g) == float64(w))
	case want.CanUint():
		g, w := got.Uint(), want.Uint()
		return number(g == w, g == uint64(uint32(w)), g == 0, float64(g) == float64(w))
	case want.Kind() == reflect.Func && got.IsNil() && want.IsNil() || want.Comparable() && want.Equal(got):
		return ""
	case want.Kind() == reflect.Bool && want.Bool():
		return "true became false"
	case want.Kind() == reflect.Bool:
		return "false became true"
	}
	return "changed"
}

// number says what happened to a whole number.
func number(equal, cut, zero, rounded bool) string {
	switch {
	case equal:
		return ""
	case cut:
		return "cut to 32 bits"
	case zero:
		return "became 0"
	case rounded:
		return "rounded to a float"
	}
	return "changed"
}

func float(got, want float64) string {
	switch {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return ""
	case math.IsNaN(want):
		return "NaN changed"
	case math.IsInf(want, 0):
		return "an infinity changed"
	case got == 0:
		return "became 0"
	case got == float64(float32(want)):
		return "cut to 32 bits"
	}
	return "changed"
}

// text says what happened to a string or bytes.
func text(got, want string) string {
	switch {
	case got == want:
		return ""
	case got == "":
		return "became empty"
	case strings.HasPrefix(want, got):
		return "cut short"
	case !utf8.ValidString(want):
		return "invalid UTF-8 changed"
	}
	return "changed"
}
