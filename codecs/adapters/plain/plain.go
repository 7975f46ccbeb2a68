// Package plain converts between messages of Protocol Buffers and plain Go structs, as
// encoding/json takes them, by reflection. It is for messages of one's own, and not timed.
package plain

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Conversion converts to structs N whose fields are in the order in which the message declares
// its own. A field with presence is a pointer, or nil bytes where it is absent, unless it is
// required; each case of a oneof is such a field; an enum is an int32; a message is a struct, by value in lists and
// maps. Fields that the schema does not know and extensions have no place in a struct: they
// are lost. All memory is copied.
func Conversion[N any]() suite.Conversion[N] {
	return suite.Conversion[N]{
		Build: func(m *N, message any) error { return read(reflect.ValueOf(m).Elem(), reflected(message)) },
		Read:  func(message any, m *N) error { return set(reflected(message), reflect.ValueOf(m).Elem()) },
	}
}

func reflected(message any) protoreflect.Message { return message.(proto.Message).ProtoReflect() }

// each calls do for the fields of a message and of its struct. An error names the field.
func each(m protoreflect.Message, s reflect.Value, do func(protoreflect.FieldDescriptor, reflect.Value) error) error {
	fields := m.Descriptor().Fields()
	if s.Kind() != reflect.Struct || s.NumField() != fields.Len() {
		return fmt.Errorf("%s has %d fields, unlike %v", m.Descriptor().FullName(), fields.Len(), s.Type())
	}
	for i := range fields.Len() {
		if err := do(fields.Get(i), s.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", fields.Get(i).FullName(), err)
		}
	}
	return nil
}

// read sets a struct from a message.
func read(to reflect.Value, from protoreflect.Message) error {
	return each(from, to, func(f protoreflect.FieldDescriptor, field reflect.Value) error {
		switch {
		case !from.Has(f):
			return nil
		case f.IsMap():
			return readMap(field, from.Get(f).Map())
		case f.IsList():
			return readList(field, from.Get(f).List())
		case field.Kind() == reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
			return readValue(field.Elem(), from.Get(f))
		}
		return readValue(field, from.Get(f))
	})
}

func readMap(to reflect.Value, from protoreflect.Map) (err error) {
	to.Set(reflect.MakeMapWithSize(to.Type(), from.Len()))
	from.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if err = readValue(key, k.Value()); err == nil {
			err = readValue(value, v)
		}
		to.SetMapIndex(key, value)
		return err == nil
	})
	return err
}

func readList(to reflect.Value, from protoreflect.List) error {
	to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	for i := range from.Len() {
		if err := readValue(to.Index(i), from.Get(i)); err != nil {
			return err
		}
	}
	return nil
}

func readValue(to reflect.Value, from protoreflect.Value) error {
	v := reflect.ValueOf(from.Interface())
	switch _, message := from.Interface().(protoreflect.Message); {
	case message:
		return read(to, from.Message())
	case v.Kind() != to.Kind():
		return fmt.Errorf("%v is no %v", v.Type(), to.Type())
	case v.Kind() == reflect.String:
		to.SetString(strings.Clone(v.String()))
	case v.Kind() == reflect.Slice:
		to.SetBytes(append([]byte{}, v.Bytes()...)) // empty ones are present
	default:
		to.Set(v.Convert(to.Type())) // an enum's number, for one
	}
	return nil
}

// set sets a message from a struct.
func set(to protoreflect.Message, from reflect.Value) error {
	return each(to, from, func(f protoreflect.FieldDescriptor, field reflect.Value) error {
		switch {
		case f.IsMap():
			return setMap(to, f, field)
		case f.IsList():
			return setList(to, f, field)
		case absent(f, field):
			return nil
		case field.Kind() == reflect.Pointer:
			field = field.Elem()
		}
		v := to.NewField(f)
		if err := value(&v, f, field); err != nil {
			return err
		}
		to.Set(f, v)
		return nil
	})
}

// absent reports whether a field is not to be set.
func absent(f protoreflect.FieldDescriptor, field reflect.Value) bool {
	switch {
	case f.Cardinality() == protoreflect.Required && f.Message() == nil:
		return false
	case f.HasPresence():
		return field.IsNil()
	}
	return field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0
}

func setMap(to protoreflect.Message, f protoreflect.FieldDescriptor, from reflect.Value) error {
	for it := from.MapRange(); it.Next(); {
		entries := to.Mutable(f).Map()
		key, v := f.MapKey().Default(), entries.NewValue()
		if err := value(&key, f.MapKey(), it.Key()); err != nil {
			return err
		}
		if err := value(&v, f.MapValue(), it.Value()); err != nil {
			return err
		}
		entries.Set(key.MapKey(), v)
	}
	return nil
}

func setList(to protoreflect.Message, f protoreflect.FieldDescriptor, from reflect.Value) error {
	for i := range from.Len() {
		list := to.Mutable(f).List()
		v := list.NewElement()
		if err := value(&v, f, from.Index(i)); err != nil {
			return err
		}
		list.Append(v)
	}
	return nil
}

// value sets v from a Go value; a message is in v beforehand.
func value(v *protoreflect.Value, f protoreflect.FieldDescriptor, from reflect.Value) error {
	switch {
	case f.Message() != nil:
		return set(v.Message(), from)
	case f.Enum() != nil:
		*v = protoreflect.ValueOfEnum(protoreflect.EnumNumber(from.Int()))
	case f.Kind() == protoreflect.BytesKind:
		*v = protoreflect.ValueOfBytes(bytes.Clone(from.Bytes()))
	case f.Kind() == protoreflect.StringKind:
		*v = protoreflect.ValueOfString(strings.Clone(from.String()))
	default:
		*v = protoreflect.ValueOf(from.Interface())
	}
	return nil
}
