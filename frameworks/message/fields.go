package message

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// sharer returns what makes an empty message the same as one of the samples, without a deep
// copy. The struct itself must not be copied, since it holds a lock, and reflection takes ten
// times as long as the fields' own assignments. What else a message has is not in exported
// fields, so that samples with unknown fields or extensions are copied whole.
func sharer[M any](samples []*M) func(dst, src *M) {
	list, ok := exported(reflect.TypeFor[M]())
	for _, m := range samples {
		ok = ok && plain(protoOf(m))
	}
	if !ok {
		return func(dst, src *M) { proto.Merge(protoOf(dst), protoOf(src)) }
	}
	return func(dst, src *M) {
		for _, f := range list {
			f.assign(unsafe.Add(unsafe.Pointer(dst), f.offset), unsafe.Add(unsafe.Pointer(src), f.offset))
		}
	}
}

// assignment assigns a field of a struct.
type assignment struct {
	offset uintptr
	assign func(dst, src unsafe.Pointer)
}

// assignments assign the kinds of fields that generated structs have.
var assignments = map[reflect.Kind]func(dst, src unsafe.Pointer){
	reflect.Bool: assign[bool], reflect.String: assign[string], reflect.Slice: assign[[]byte],
	reflect.Int32: assign[int32], reflect.Uint32: assign[int32], reflect.Float32: assign[int32],
	reflect.Int64: assign[int64], reflect.Uint64: assign[int64], reflect.Float64: assign[int64],
	reflect.Pointer: assign[unsafe.Pointer], reflect.Map: assign[unsafe.Pointer],
	reflect.Interface: assign[[2]unsafe.Pointer],
}

// assign assigns a value of the size of V, with the same pointers in it.
func assign[V any](dst, src unsafe.Pointer) { *(*V)(dst) = *(*V)(src) }

// exported lists the exported fields of a struct. It reports whether each can be assigned.
func exported(t reflect.Type) (list []assignment, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		assign, known := assignments[f.Type.Kind()]
		if !known {
			return nil, false
		}
		list = append(list, assignment{f.Offset, assign})
	}
	return list, true
}

// plain reports whether the exported fields of a message hold all that it has.
func plain(m proto.Message) bool {
	has := len(m.ProtoReflect().GetUnknown()) == 0
	proto.RangeExtensions(m, func(protoreflect.ExtensionType, any) bool {
		has = false
		return false
	})
	return has
}
