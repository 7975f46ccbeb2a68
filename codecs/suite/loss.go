package suite

import (
	"reflect"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/conformance"
)

// Loss is something that messages lose on the way through a serializer.
type Loss struct {
	About string
	// lose takes from a message what the serializer does.
	lose func(message any)
}

// The losses there are.
var (
	// ZeroIsAbsent: an optional field that is present and zero arrives absent.
	ZeroIsAbsent = Loss{"a present zero arrives as absent", conformance.EachOptional(func(f reflect.Value) {
		if !f.IsNil() && f.Elem().IsZero() {
			f.SetZero()
		}
	})}
	// AbsentNumberIsZero: an optional number or bool that is absent arrives
	// present and zero.
	AbsentNumberIsZero = Loss{"an absent number or bool arrives as zero", conformance.EachOptional(func(f reflect.Value) {
		if f.IsNil() && f.Type().Elem().Kind() != reflect.String {
			f.Set(reflect.New(f.Type().Elem()))
		}
	})}
	// AbsentTextIsEmpty: an optional string that is absent arrives present and
	// empty.
	AbsentTextIsEmpty = Loss{"an absent string arrives as empty", conformance.EachOptional(func(f reflect.Value) {
		if f.IsNil() && f.Type().Elem().Kind() == reflect.String {
			f.Set(reflect.New(f.Type().Elem()))
		}
	})}
	// EmptyTextIsAbsent: an optional string that is present and empty arrives
	// absent.
	EmptyTextIsAbsent = Loss{"a present empty string arrives as absent", conformance.EachOptional(func(f reflect.Value) {
		if !f.IsNil() && f.Elem().Kind() == reflect.String && f.Elem().IsZero() {
			f.SetZero()
		}
	})}
)
