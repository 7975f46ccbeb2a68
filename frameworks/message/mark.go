package message

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// digits is how many a message.Number has.
const digits = 6

// marks are the kinds of fields that hold a number.
var marks = []reflect.Kind{
	reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64, reflect.String, reflect.Slice,
}

// field is a field of a generated struct.
type field struct {
	offset uintptr
	of     reflect.Type
	owned  bool // what it points to is changed in place, since no other message shares it
}

// markOf finds the field of a message that holds numbers. owned says that no other message
// shares what the field points to.
func markOf[M any](name string, owned bool) (message.Mark[M], error) {
	fail := func(why string) (message.Mark[M], error) {
		return message.Mark[M]{}, fmt.Errorf("field %s of %s %s", name, protoOf(new(M)).ProtoReflect().Descriptor().FullName(), why)
	}
	d := protoOf(new(M)).ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(name))
	if d == nil {
		return fail("is not there")
	}
	f, ok := structField(reflect.TypeFor[M](), d)
	if !ok || d.Cardinality() == protoreflect.Repeated || d.Kind() == protoreflect.EnumKind {
		return fail("cannot hold the number of a call: it takes a number, a string or bytes, outside of lists, maps and oneofs")
	}
	f.owned = owned
	return message.Mark[M]{
		Set: func(m *M, n int64) { f.set(unsafe.Pointer(m), n) },
		Get: func(m *M) int64 { return f.get(unsafe.Pointer(m)) },
	}, nil
}

// structField finds a field by the number in its tag.
func structField(t reflect.Type, d protoreflect.FieldDescriptor) (field, bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("protobuf"), ",")
		if len(tag) < 2 || tag[1] != strconv.Itoa(int(d.Number())) {
			continue
		}
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		return field{offset: f.Offset, of: f.Type}, slices.Contains(marks, of.Kind())
	}
	return field{}, false
}

// value is the field in a struct.
func (f field) value(m unsafe.Pointer) reflect.Value {
	return reflect.NewAt(f.of, unsafe.Add(m, f.offset)).Elem()
}

func (f field) set(m unsafe.Pointer, n int64) {
	v := f.value(m)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() || !f.owned {
			old := v.Elem()
			v.Set(reflect.New(f.of.Elem()))
			if old.IsValid() {
				v.Elem().Set(old)
			}
		}
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		v.SetInt(n)
	case v.CanUint():
		v.SetUint(uint64(n))
	case v.CanFloat():
		v.SetFloat(float64(n))
	case v.Kind() == reflect.String:
		v.SetString(string(wholeRunes(f.text([]byte(v.String()), true, n))))
	default:
		v.SetBytes(f.text(v.Bytes(), f.owned, n))
	}
}

// text writes a number over the beginning of a text, which stays as long as it was if it has
// room.
func (field) text(old []byte, owned bool, n int64) []byte {
	if len(old) < digits {
		old = make([]byte, digits)
	} else if !owned {
		old = slices.Clone(old)
	}
	strconv.AppendInt(old[:0], n, 10)
	return old
}

// wholeRunes replaces what a number has left of a rune.
func wholeRunes(text []byte) []byte {
	for i := digits; i < len(text) && !utf8.RuneStart(text[i]); i++ {
		text[i] = '0'
	}
	return text
}

func (f field) get(m unsafe.Pointer) int64 {
	v := f.value(m)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0
		}
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.CanFloat():
		return int64(v.Float())
	case v.Kind() == reflect.String:
		return numberIn(v.String())
	}
	return numberIn(string(v.Bytes()))
}

// numberIn is the number that a text begins with; 0 for none.
func numberIn(text string) int64 {
	n, err := strconv.ParseInt(text[:min(len(text), digits)], 10, 64)
	if err != nil {
		return 0
	}
	return n
}
