package proof

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/difference"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/duplicate"
)

// where says which message is refused, unless the first one is already, and the field
// without which it would not be. It ends as a text before an error does.
func (t *Trial) where() (text string) {
	if t.kind.New == nil {
		return ""
	}
	if t.at > 0 {
		text = fmt.Sprintf("message %d of %d: ", t.at+1, len(t.sample.List))
	}
	path := ""
	err := caught(func() error { path = t.culprit(); return nil })
	if err != nil || path == "" {
		return text
	}
	return text + path + ": "
}

// culprit is the path of the field without which the message that is refused would not be;
// "" if no single field is the reason. Many libraries do not say which it was.
func (t *Trial) culprit() string {
	message, begin := duplicate.Of(t.sample.List[t.at]), time.Now()
	var path []string
	for level := structsIn(reflect.ValueOf(message)); len(level) > 0; {
		i := t.guilty(message, level)
		if i < 0 || time.Since(begin) > patience {
			break
		}
		path = append(path, difference.NameOf(level[0].Type(), i))
		var below []reflect.Value
		for _, v := range level {
			below = append(below, structsIn(v.Field(i))...)
		}
		level = below
	}
	return strings.Join(path, ".")
}

// patience is how long the field is looked for, about: large messages take long, once for each
// of their fields.
const patience = 3 * time.Second

// guilty is the index of the field that all structs of a level must be without for a message
// to be taken; -1 if there is none. All have the type of the first.
func (t *Trial) guilty(message any, level []reflect.Value) int {
	for i := range level[0].NumField() {
		if level[0].Field(i).CanSet() && difference.NameOf(level[0].Type(), i) != "" && t.takesWithout(message, level, i) {
			return i
		}
	}
	return -1
}

// takesWithout reports whether a message is taken while a field of its structs is zero.
func (t *Trial) takesWithout(message any, level []reflect.Value, field int) bool {
	for _, v := range level {
		f, was := v.Field(field), reflect.New(v.Field(field).Type()).Elem()
		was.Set(f)
		f.SetZero()
		defer f.Set(was)
	}
	one := *t.sample
	one.List = []any{message}
	alone := Trial{kind: t.kind, sample: &one}
	return caught(alone.all) == nil
}

// structsIn are the structs that a value is, points to or lists, all of one type.
func structsIn(v reflect.Value) (list []reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		return []reflect.Value{v}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return structsIn(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			for _, s := range structsIn(v.Index(i)) {
				if len(list) == 0 || s.Type() == list[0].Type() {
					list = append(list, s)
				}
			}
		}
	}
	return list
}
