// Package idl writes .proto files, for generators that read no descriptors.
package idl

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Source is the text of one .proto file of edition 2023 with messages, which are all that they
// need, none of them within another. Their encodings are the same: an enum is an int32, and
// required fields are optional. importPath is that of the Go package. The error says what the
// text cannot have.
func Source(importPath string, messages []*protogen.Message) (string, error) {
	w := writer{names: map[protoreflect.FullName]string{}}
	taken := map[string]bool{}
	for _, m := range messages {
		name := goName(m.GoIdent.GoName, taken)
		w.names[m.Desc.FullName()] = name
	}
	w.printf("edition = \"2023\";\npackage own;\noption go_package = %q;\n", importPath)
	for _, m := range messages {
		if err := w.message(m.Desc); err != nil {
			return "", err
		}
	}
	return w.String(), nil
}

// Name is the name of the first message in the text, which is its Go name too.
func Name(messages []*protogen.Message) string {
	return goName(messages[0].GoIdent.GoName, map[string]bool{})
}

// goName is a name without underscores: one with them is that of a case of a oneof in Go.
func goName(name string, taken map[string]bool) string {
	name = strings.ReplaceAll(name, "_", "")
	for taken[name] {
		name += "X"
	}
	taken[name] = true
	return name
}

type writer struct {
	strings.Builder
	names map[protoreflect.FullName]string
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) message(m protoreflect.MessageDescriptor) error {
	w.printf("message %s {\n", w.names[m.FullName()])
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		if f.Kind() == protoreflect.GroupKind {
			return fmt.Errorf("%s.%s is a group", m.Name(), f.Name())
		}
		if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
			if o.Fields().Get(0) == f {
				w.oneof(o)
			}
			continue
		}
		w.printf("\t%s%s;\n", w.field(f), options(f))
	}
	w.printf("}\n")
	return nil
}

func (w *writer) oneof(o protoreflect.OneofDescriptor) {
	w.printf("\toneof %s {\n", o.Name())
	for i := range o.Fields().Len() {
		w.printf("\t\t%s;\n", w.field(o.Fields().Get(i)))
	}
	w.printf("\t}\n")
}

func (w *writer) field(f protoreflect.FieldDescriptor) string {
	kind := w.kind(f)
	switch {
	case f.IsMap():
		kind = fmt.Sprintf("map<%s, %s>", w.kind(f.MapKey()), w.kind(f.MapValue()))
	case f.IsList():
		kind = "repeated " + kind
	}
	return fmt.Sprintf("%s %s = %d", kind, f.Name(), f.Number())
}

func (w *writer) kind(f protoreflect.FieldDescriptor) string {
	switch {
	case f.Message() != nil:
		return w.names[f.Message().FullName()]
	case f.Enum() != nil:
		return "int32"
	}
	return f.Kind().String()
}

// options are what the encoding of a field depends on.
func options(f protoreflect.FieldDescriptor) string {
	switch {
	case f.IsMap() || f.Message() != nil:
		return ""
	case f.IsList() && !f.IsPacked() && packable(f.Kind()):
		return " [features.repeated_field_encoding = EXPANDED]"
	case !f.IsList() && !f.HasPresence():
		return " [features.field_presence = IMPLICIT]"
	}
	return ""
}

func packable(k protoreflect.Kind) bool {
	return k != protoreflect.StringKind && k != protoreflect.BytesKind
}
