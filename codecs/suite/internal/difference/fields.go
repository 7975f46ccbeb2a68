package difference

import (
	"reflect"
	"strings"
)

func (l *list) structs(path string, got, want reflect.Value) {
	for i := range want.NumField() {
		name, g, w := NameOf(want.Type(), i), got.Field(i), want.Field(i)
		if name == "" || emptyIsAbsent(want.Type(), i) && g.Len() == 0 && w.Len() == 0 {
			continue
		}
		l.compare(strings.TrimPrefix(path+"."+name, "."), g, w)
	}
}

// unknown is how the fields of a message of Protocol Buffers are told that its reader does
// not know.
const unknown = "unknown fields"

// NameOf is the name of a field as texts have it: that of the schema of a generated struct,
// that of its tag json, or Go's. "" is for what Protocol Buffers keep in a struct beside the
// fields.
func NameOf(t reflect.Type, i int) string {
	f := t.Field(i)
	if name := schemaName(f.Tag); name != "" {
		return name
	}
	switch generated := isGenerated(t); {
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

// schemaName is the name of a field, or a oneof, in the schema of Protocol Buffers.
func schemaName(tag reflect.StructTag) string {
	if name := tag.Get("protobuf_oneof"); name != "" {
		return name
	}
	for part := range strings.SplitSeq(tag.Get("protobuf"), ",") {
		if name, found := strings.CutPrefix(part, "name="); found {
			return name
		}
	}
	return ""
}

// isGenerated reports whether a struct is a message of Protocol Buffers.
func isGenerated(t reflect.Type) bool {
	_, is := reflect.PointerTo(t).MethodByName("ProtoReflect")
	return is
}

// emptyIsAbsent reports whether an empty list, map or bytes is the same as none in a field:
// in a message of Protocol Buffers, but for bytes that have presence.
func emptyIsAbsent(t reflect.Type, i int) bool {
	f := t.Field(i)
	if k := f.Type.Kind(); k != reflect.Slice && k != reflect.Map || !isGenerated(t) {
		return false
	}
	tag := f.Tag.Get("protobuf")
	bytes := f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8
	return !bytes || !f.IsExported() || strings.Contains(tag, ",proto3") && !strings.Contains(tag, ",oneof")
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
