package message

import (
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

// Fill fills a native bench message, given by pointer: each string with the same 18
// runes, each integer with 100000, each bool with true. It allocates pointers to such
// fields, and leaves slices empty.
func Fill(message any) {
	v := reflect.ValueOf(message).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			fill(v.Field(i))
		}
	}
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

// fill fills a field, or what it points to.
func fill(f reflect.Value) {
	switch f.Kind() {
	case reflect.Pointer:
		if f.IsNil() {
			f.Set(reflect.New(f.Type().Elem()))
		}
		fill(f.Elem())
	case reflect.String:
		f.SetString(strings.Repeat(fillRune, fillLen))
	case reflect.Int32, reflect.Int64:
		f.SetInt(fillInt)
	case reflect.Bool:
		f.SetBool(true)
	}
}

// Structured is a native bench message of another type than a struct, such as a map
// or text. Only the conformance test calls Struct.
type Structured interface {
	// Struct returns a pointer to a struct that has the message's fields.
	Struct() any
}
