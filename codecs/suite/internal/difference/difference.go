// Package difference tells which fields of a message differ from those of another, and how.
package difference

import (
	"fmt"
	"reflect"
	"slices"
)

// None reports whether two messages, pointers to the same type, are equal: as
// reflect.DeepEqual has it, but NaN equals NaN, and a type that has a method Equal is asked.
func None(got, want any) bool {
	return reflect.DeepEqual(got, want) || len(List(got, want)) == 0
}

// List tells what differs in got, which should be want: the path of each field and what
// happened to it. It tells no value and no number of an element, and nothing twice.
func List(got, want any) []string {
	var l list
	l.compare("", reflect.ValueOf(got), reflect.ValueOf(want))
	return l.texts
}

type list struct{ texts []string }

// add tells what happened at a path; nothing of "".
func (l *list) add(path, what string) {
	if path == "" {
		path = "message"
	}
	if text := path + ": " + what; what != "" && !slices.Contains(l.texts, text) {
		l.texts = append(l.texts, text)
	}
}

// compare compares two values of one type.
func (l *list) compare(path string, got, want reflect.Value) {
	if equal, asked := ask(got, want); asked && equal {
		return
	} else if asked && !told(want.Type()) {
		l.add(path, "changed")
		return
	}
	switch want.Kind() {
	case reflect.Pointer:
		l.pointers(path, got, want)
	case reflect.Interface:
		l.interfaces(path, got, want)
	case reflect.Struct:
		l.structs(path, got, want)
	case reflect.Slice:
		l.slices(path, got, want)
	case reflect.Array:
		l.elements(path, got, want)
	case reflect.Map:
		l.maps(path, got, want)
	default:
		l.add(path, scalar(got, want))
	}
}

func (l *list) pointers(path string, got, want reflect.Value) {
	switch {
	case got.IsNil() && want.IsNil():
	case got.IsNil():
		l.add(path, state(want.Elem())+" became absent")
	case want.IsNil():
		l.add(path, "absent became "+state(got.Elem()))
	default:
		l.compare(path, got.Elem(), want.Elem())
	}
}

// state says whether a value is zero, and of which kind.
func state(v reflect.Value) string {
	switch {
	case !v.IsZero():
		return "present"
	case v.Kind() == reflect.Struct:
		return "an empty message"
	case v.Kind() == reflect.Bool:
		return "false"
	case v.CanInt() || v.CanUint() || v.CanFloat():
		return "0"
	}
	return "empty"
}

func (l *list) interfaces(path string, got, want reflect.Value) {
	switch {
	case got.IsNil() && want.IsNil():
	case got.IsNil():
		l.add(path, "present became absent")
	case want.IsNil():
		l.add(path, "absent became present")
	case got.Elem().Type() != want.Elem().Type():
		l.add(path, fmt.Sprintf("%v became %v", want.Elem().Type(), got.Elem().Type()))
	default:
		l.compare(path, got.Elem(), want.Elem())
	}
}

func (l *list) slices(path string, got, want reflect.Value) {
	switch {
	case want.Len() == 0 && got.Len() == 0:
		l.empty(path, got, want)
	case want.Type().Elem().Kind() == reflect.Uint8:
		l.add(path, text(string(got.Bytes()), string(want.Bytes())))
	case got.Len() == 0:
		l.add(path, "all elements lost")
	case got.Len() < want.Len():
		l.add(path, "elements lost")
	case got.Len() > want.Len():
		l.add(path, "elements added")
	default:
		l.elements(path, got, want)
	}
}

// empty compares two lists or maps without elements.
func (l *list) empty(path string, got, want reflect.Value) {
	if got.IsNil() && !want.IsNil() {
		l.add(path, "empty became absent")
	} else if !got.IsNil() && want.IsNil() {
		l.add(path, "absent became empty")
	}
}

func (l *list) elements(path string, got, want reflect.Value) {
	for i := range want.Len() {
		l.compare(path, got.Index(i), want.Index(i))
	}
}

func (l *list) maps(path string, got, want reflect.Value) {
	if want.Len() == 0 && got.Len() == 0 {
		l.empty(path, got, want)
	}
	for it := want.MapRange(); it.Next(); {
		if v := got.MapIndex(it.Key()); v.IsValid() {
			l.compare(path, v, it.Value())
		} else {
			l.add(path, "entries lost")
		}
	}
	for it := got.MapRange(); it.Next(); {
		if !want.MapIndex(it.Key()).IsValid() {
			l.add(path, "entries added")
		}
	}
}
