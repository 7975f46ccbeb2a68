// Package plain writes Go structs for the messages of a schema, as one would write them by
// hand for a serializer that knows no schemas.
package plain

import (
	"fmt"
	"go/format"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Source is the Go code of a package of structs for messages, which are all that they need.
// The fields of a struct are in the order of the message's. One without presence is a value,
// a required one too, and an optional one a pointer, except for bytes, where nil is absent; an enum is an int32; a
// message is a pointer, and a value in lists and maps; of a oneof each case is a pointer. name
// is the package's, and directive a line for a generator, or "".
func Source(name, directive string, messages []*protogen.Message) ([]byte, error) {
	w := writer{names: typeNames(messages)}
	w.printf("// Code generated from a schema. DO NOT EDIT.\n\n// Package %s has plain structs.\npackage %[1]s\n", name)
	if directive != "" {
		w.printf("\n%s\n", directive)
	}
	for _, m := range messages {
		w.message(m)
	}
	return format.Source([]byte(w.String()))
}

// TypeName is the name that Source gives the struct of one of messages.
func TypeName(m *protogen.Message, messages []*protogen.Message) string {
	return typeNames(messages)[m.Desc.FullName()]
}

// typeNames are Go's names for messages, by their full names.
func typeNames(messages []*protogen.Message) map[protoreflect.FullName]string {
	names, taken := map[protoreflect.FullName]string{}, map[string]bool{}
	for _, m := range messages {
		names[m.Desc.FullName()] = free(taken, m.GoIdent.GoName)
	}
	return names
}

// free is a name that is not taken, with as many _ after it as that needs, and takes it.
func free(taken map[string]bool, name string) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// methods are the names of those that generators give structs.
func methods() map[string]bool {
	taken := map[string]bool{}
	for _, name := range strings.Fields("Reset Msgsize MarshalMsg UnmarshalMsg EncodeMsg DecodeMsg CanMarshalMsg CanUnmarshalMsg MarshalEasyJSON UnmarshalEasyJSON MarshalJSON UnmarshalJSON GobEncode GobDecode MarshalText UnmarshalText MarshalBinary UnmarshalBinary MarshalCBOR UnmarshalCBOR EncodeMsgpack DecodeMsgpack String Error Format IsZero") {
		taken[name] = true
	}
	return taken
}

type writer struct {
	strings.Builder
	names map[protoreflect.FullName]string
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// message writes a struct and its method Reset, which keeps the memory of lists and maps for
// the next message to be decoded.
func (w *writer) message(m *protogen.Message) {
	name, fields := w.names[m.Desc.FullName()], fieldNames(m)
	w.printf("\n// %s is message %s.\ntype %[1]s struct {\n", name, m.Desc.Name())
	for i, f := range m.Fields {
		w.printf("\t%s %s `json:\"%s%s\"`\n", fields[i], w.field(f), f.Desc.Name(), omitted(f.Desc))
	}
	w.printf("}\n\n// Reset empties the message and keeps its memory.\nfunc (m *%s) Reset() {\n", name)
	w.reset(name, m, fields)
	w.printf("}\n")
}

// fieldNames names the fields of a struct.
func fieldNames(m *protogen.Message) (names []string) {
	taken := methods()
	for _, f := range m.Fields {
		names = append(names, free(taken, f.GoName))
	}
	return names
}

// omitted is what a tag has after the name of a field that may be absent.
func omitted(f protoreflect.FieldDescriptor) string {
	if absent(f) || f.IsList() || f.IsMap() {
		return ",omitempty"
	}
	return ""
}

// absent reports whether a field can be absent, unlike one without presence or a required one.
// Required messages are taken for those, as they may be recursive.
func absent(f protoreflect.FieldDescriptor) bool {
	return f.HasPresence() && (f.Cardinality() != protoreflect.Required || f.Message() != nil)
}

// field is the type of a field.
func (w *writer) field(f *protogen.Field) string {
	switch {
	case f.Desc.IsMap():
		return fmt.Sprintf("map[%s]%s", w.value(f.Desc.MapKey()), w.value(f.Desc.MapValue()))
	case f.Desc.IsList():
		return "[]" + w.value(f.Desc)
	case absent(f.Desc) && f.Desc.Kind() != protoreflect.BytesKind:
		return "*" + w.value(f.Desc)
	}
	return w.value(f.Desc)
}

// value is the type of a field's value, or of an element.
func (w *writer) value(f protoreflect.FieldDescriptor) string {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return w.names[f.Message().FullName()]
	case protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return "int32"
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return "int64"
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return "uint32"
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return "uint64"
	case protoreflect.FloatKind:
		return "float32"
	case protoreflect.DoubleKind:
		return "float64"
	case protoreflect.BytesKind:
		return "[]byte"
	}
	return f.Kind().String() // bool and string
}

// reset writes the body of Reset.
func (w *writer) reset(name string, m *protogen.Message, fields []string) {
	var kept []string
	for i, f := range m.Fields {
		d := f.Desc
		switch {
		case d.IsMap():
			w.printf("\tclear(m.%s)\n", fields[i])
			kept = append(kept, fmt.Sprintf("%s: m.%[1]s", fields[i]))
		case d.IsList() && d.Message() != nil:
			w.printf("\tfor i := range m.%s[:cap(m.%[1]s)] {\n\t\tm.%[1]s[:cap(m.%[1]s)][i].Reset()\n\t}\n", fields[i])
			kept = append(kept, fmt.Sprintf("%s: m.%[1]s[:0]", fields[i]))
		case d.IsList() || d.Kind() == protoreflect.BytesKind && !absent(d):
			if d.Kind() == protoreflect.BytesKind && d.IsList() || d.Kind() == protoreflect.StringKind {
				w.printf("\tclear(m.%s[:cap(m.%[1]s)])\n", fields[i])
			}
			kept = append(kept, fmt.Sprintf("%s: m.%[1]s[:0]", fields[i]))
		}
	}
	w.printf("\t*m = %s{%s}\n", name, strings.Join(kept, ", "))
}
