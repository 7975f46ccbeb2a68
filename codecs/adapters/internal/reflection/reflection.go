// Package reflection converts between our messages and those of protobuf whose
// fields can only be reached through methods. It uses protobuf's own reflection,
// so that one converter serves all of them.
package reflection

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Set sets the fields of to from those of the struct that from points to, by their
// names. It copies all memory.
func Set(to protoreflect.Message, from any) error {
	return set(to, reflect.ValueOf(from).Elem())
}

func set(to protoreflect.Message, from reflect.Value) error {
	for i := range from.NumField() {
		field, err := fieldOf(to, from.Type().Field(i).Name)
		if err != nil {
			return err
		}
		if err := setField(to, field, from.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", field.FullName(), err)
		}
	}
	return nil
}

// fieldOf finds the field of a name. Ours are those of the .proto files, but for capitals.
func fieldOf(m protoreflect.Message, name string) (protoreflect.FieldDescriptor, error) {
	field := m.Descriptor().Fields().ByName(protoreflect.Name(strings.ToLower(name)))
	if field == nil {
		return nil, fmt.Errorf("%s has no field %s", m.Descriptor().FullName(), name)
	}
	return field, nil
}

func setField(to protoreflect.Message, field protoreflect.FieldDescriptor, from reflect.Value) error {
	switch {
	case from.Kind() == reflect.Pointer && from.IsNil():
		return nil
	case from.Kind() == reflect.Pointer:
		return setField(to, field, from.Elem())
	case field.IsMap():
		for it := from.MapRange(); it.Next(); {
			key := protoreflect.ValueOfString(it.Key().String()).MapKey()
			to.Mutable(field).Map().Set(key, protoreflect.ValueOfString(it.Value().String()))
		}
		return nil
	case field.IsList():
		return setList(to, field, from)
	case field.Message() != nil:
		return set(to.Mutable(field).Message(), from)
	}
	v, err := scalar(from)
	if err == nil {
		to.Set(field, v)
	}
	return err
}

func setList(to protoreflect.Message, field protoreflect.FieldDescriptor, from reflect.Value) error {
	for i := range from.Len() {
		list := to.Mutable(field).List()
		if field.Message() != nil {
			if err := set(list.AppendMutable().Message(), from.Index(i)); err != nil {
				return err
			}
			continue
		}
		v, err := scalar(from.Index(i))
		if err != nil {
			return err
		}
		list.Append(v)
	}
	return nil
}

// scalar is a value that is neither a list nor a message.
func scalar(v reflect.Value) (protoreflect.Value, error) {
	switch v.Kind() {
	case reflect.String:
		return protoreflect.ValueOfString(strings.Clone(v.String())), nil
	case reflect.Slice:
		return protoreflect.ValueOfBytes(bytes.Clone(v.Bytes())), nil
	case reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Float64:
		return protoreflect.ValueOf(v.Interface()), nil
	}
	return protoreflect.Value{}, fmt.Errorf("cannot convert %v", v.Type())
}

// Get sets the struct that to points to from the fields of from, by their names. It
// copies all memory, and leaves lists and maps nil that are empty.
func Get(to any, from protoreflect.Message) error {
	return get(reflect.ValueOf(to).Elem(), from)
}

func get(to reflect.Value, from protoreflect.Message) error {
	for i := range to.NumField() {
		field, err := fieldOf(from, to.Type().Field(i).Name)
		if err != nil {
			return err
		}
		f := to.Field(i)
		if f.Kind() == reflect.Pointer {
			if !from.Has(field) {
				continue
			}
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		if err := getField(f, field, from.Get(field)); err != nil {
			return err
		}
	}
	return nil
}

func getField(to reflect.Value, field protoreflect.FieldDescriptor, from protoreflect.Value) error {
	switch {
	case field.IsMap():
		getMap(to, from.Map())
		return nil
	case field.IsList():
		for i := range from.List().Len() {
			to.Set(reflect.Append(to, reflect.Zero(to.Type().Elem())))
			if err := getValue(to.Index(i), from.List().Get(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return getValue(to, from)
}

func getMap(to reflect.Value, from protoreflect.Map) {
	if from.Len() > 0 {
		to.Set(reflect.MakeMap(to.Type()))
	}
	from.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		to.SetMapIndex(reflect.ValueOf(strings.Clone(key.String())), reflect.ValueOf(strings.Clone(value.String())))
		return true
	})
}

func getValue(to reflect.Value, from protoreflect.Value) error {
	switch v := from.Interface().(type) {
	case protoreflect.Message:
		return get(to, v)
	case string:
		to.SetString(strings.Clone(v))
	case []byte:
		if len(v) > 0 {
			to.SetBytes(bytes.Clone(v))
		}
	default:
		if reflect.TypeOf(v) != to.Type() {
			return fmt.Errorf("cannot convert %T to %v", v, to.Type())
		}
		to.Set(reflect.ValueOf(v))
	}
	return nil
}
