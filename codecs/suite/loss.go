package suite

import "reflect"

// Loss is something that messages lose on the way through a serializer.
type Loss struct {
	About string
	// lose takes from a message what the serializer does.
	lose func(message any)
}

// The losses there are.
var (
	// ZeroIsAbsent: an optional field that is present and zero arrives absent.
	ZeroIsAbsent = Loss{"a present zero arrives as absent", eachPointer(func(f reflect.Value) {
		if !f.IsNil() && f.Elem().IsZero() {
			f.SetZero()
		}
	})}
	// AbsentNumberIsZero: an optional number or bool that is absent arrives
	// present and zero.
	AbsentNumberIsZero = Loss{"an absent number or bool arrives as zero", eachPointer(func(f reflect.Value) {
		if f.IsNil() && f.Type().Elem().Kind() != reflect.String {
			f.Set(reflect.New(f.Type().Elem()))
		}
	})}
	// AbsentTextIsEmpty: an optional string that is absent arrives present and
	// empty.
	AbsentTextIsEmpty = Loss{"an absent string arrives as empty", eachPointer(func(f reflect.Value) {
		if f.IsNil() && f.Type().Elem().Kind() == reflect.String {
			f.Set(reflect.New(f.Type().Elem()))
		}
	})}
	// EmptyTextIsAbsent: an optional string that is present and empty arrives
	// absent.
	EmptyTextIsAbsent = Loss{"a present empty string arrives as absent", eachPointer(func(f reflect.Value) {
		if !f.IsNil() && f.Elem().Kind() == reflect.String && f.Elem().IsZero() {
			f.SetZero()
		}
	})}
)

// eachPointer visits the optional fields of a message.
func eachPointer(visit func(f reflect.Value)) func(message any) {
	return func(message any) {
		v := reflect.ValueOf(message).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Pointer {
				visit(f)
			}
		}
	}
}
