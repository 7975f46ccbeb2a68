package message

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// sharer returns what makes an empty message the same as one of the samples, without a deep
// copy. The struct itself must not be copied, since it holds a lock. Its exported fields stand
// beside each other and are copied as one. What else a message has is in other fields, so that
// samples with unknown fields or extensions are copied whole.
func sharer[M any](samples []*M) func(dst, src *M) {
	first, block, ok := exported(reflect.TypeFor[M]())
	for _, m := range samples {
		ok = ok && plain(message(m))
	}
	if !ok {
		return func(dst, src *M) { proto.Merge(message(dst), message(src)) }
	}
	return func(dst, src *M) {
		to, from := unsafe.Add(unsafe.Pointer(dst), first), unsafe.Add(unsafe.Pointer(src), first)
		reflect.NewAt(block, to).Elem().Set(reflect.NewAt(block, from).Elem())
	}
}

// exported returns the exported fields of a struct as a struct, and the offset of the first. It
// reports whether they stand in one block.
func exported(t reflect.Type) (first uintptr, block reflect.Type, ok bool) {
	var list []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return 0, nil, false
	}
	block = reflect.StructOf(list)
	for i, f := range list {
		if block.Field(i).Offset != f.Offset-list[0].Offset {
			return 0, nil, false
		}
	}
	return list[0].Offset, block, list[0].Offset%uintptr(block.Align()) == 0
}

// plain reports whether the exported fields of a message hold all that it has.
func plain(m proto.Message) bool {
	has := len(m.ProtoReflect().GetUnknown()) == 0
	proto.RangeExtensions(m, func(_ protoreflect.ExtensionType, _ any) bool {
		has = false
		return false
	})
	return has
}
