package framework

import (
	"fmt"
	"reflect"
	"strings"
)

// The values with which Fill fills the bench message.
const (
	fillInt  = 100000
	fillRune = "\u8bb8" // three bytes in UTF-8
	fillLen  = 18       // runes of a string field
)

// The answer to the bench message: every server sets field1 and field2 of the
// request to these values and sends the message back.
const (
	AnswerField1 = "OK"
	AnswerField2 = 100
)

// MessageSize is the size in bytes of the filled bench message in protobuf. Other
// benchmarks name the message by this size.
const MessageSize = 581

// Fill fills a native bench message, given by pointer: each string with the same 18
// runes, each integer with 100000, each bool with true. It allocates pointers to such
// fields, and leaves slices empty.
func Fill(message any) {
	eachField(message, func(_ string, f reflect.Value) {
		switch f.Kind() {
		case reflect.String:
			f.SetString(strings.Repeat(fillRune, fillLen))
		case reflect.Int32, reflect.Int64:
			f.SetInt(fillInt)
		case reflect.Bool:
			f.SetBool(true)
		}
	})
}

// Filled makes n native bench messages of the struct type T, one for each
// worker, and fills them.
func Filled[T any](n int) []*T {
	list := make([]*T, n)
	for i := range list {
		list[i] = new(T)
		Fill(list[i])
	}
	return list
}

// eachField visits the exported scalar fields of the struct that message points to.
// It follows pointers, and allocates those that are nil.
func eachField(message any, visit func(name string, f reflect.Value)) {
	v := reflect.ValueOf(message).Elem()
	for i := range v.NumField() {
		f, field := v.Field(i), v.Type().Field(i)
		if !field.IsExported() || f.Kind() == reflect.Slice {
			continue
		}
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				f.Set(reflect.New(f.Type().Elem()))
			}
			f = f.Elem()
		}
		visit(field.Name, f)
	}
}

// FieldsOf lists the fields of a native bench message, given by pointer, by
// name.
func FieldsOf(message any) map[string]any {
	fields := map[string]any{}
	eachField(message, func(name string, f reflect.Value) { fields[name] = f.Interface() })
	return fields
}

// Structured is a native bench message of another type than a struct, such as a map
// or text. Only the conformance test calls Struct.
type Structured interface {
	// Struct returns a pointer to a struct that has the message's fields.
	Struct() any
}

// CheckAnswer is the MessageCheck of the benchmarks.
func CheckAnswer(_ int, field1 string, field2 int32, _ any) error {
	if field1 != AnswerField1 || field2 != AnswerField2 {
		return fmt.Errorf("reply: field1 is %.64q and field2 %d, want %q and %d", field1, field2, AnswerField1, AnswerField2)
	}
	return nil
}
