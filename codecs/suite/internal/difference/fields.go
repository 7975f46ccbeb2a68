package difference

import (
	"reflect"
	"strings"
)

func (l *list) structs(path string, got, want reflect.Value) {
	for i := range want.NumField() {
		if name := nameOf(want.Type(), i); name != "" {
			l.compare(strings.TrimPrefix(path+"."+name, "."), got.Field(i), want.Field(i))
		}
	}
}

// unknown is how the fields of a message of Protocol Buffers are told that its reader does
// not know.
const unknown = "unknown fields"

// nameOf is the name of a field as texts have it: that of its tag json, which generated
// structs have too, or Go's. "" is for what Protocol Buffers keep in a struct beside the
// fields.
func nameOf(t reflect.Type, i int) string {
	f := t.Field(i)
	_, generated := reflect.PointerTo(t).MethodByName("ProtoReflect")
	switch {
	case generated && f.Name == "unknownFields" || f.Name == "XXX_unrecognized":
		return unknown
	case generated && !f.IsExported() || strings.HasPrefix(f.Name, "XXX_") || f.Name == "_":
		return ""
	}
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
		return name
	}
	return f.Name
}

// ask asks the method Equal of a type, as time.Time has it.
func ask(got, want reflect.Value) (equal, asked bool) {
	if want.Kind() == reflect.Pointer && (want.IsNil() || got.IsNil()) || want.Kind() == reflect.Interface || !want.CanInterface() {
		return false, false
	}
	method := want.MethodByName("Equal")
	if !method.IsValid() {
		return false, false
	}
	t := method.Type()
	if t.NumIn() != 1 || t.In(0) != want.Type() || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Bool {
		return false, false
	}
	return method.Call([]reflect.Value{got})[0].Bool(), true
}

// told reports whether there are fields in a type that can be told by name.
func told(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}
