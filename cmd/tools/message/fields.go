package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
)

// fields reads -field.
func (in *input) fields() error {
	if in.given.field == "" {
		return nil
	}
	request, reply, two := strings.Cut(in.given.field, ":")
	if two && in.given.reply == "" {
		return fmt.Errorf("-field=%s names a field of a reply, which is the message itself: name another with -reply (REPLY), or leave :%s out", in.given.field, reply)
	}
	if !two {
		reply = request
	}
	in.field, in.replyField = request, reply
	return cmp.Or(changing(in.message, request), changing(in.reply, reply))
}

// changing returns an error for a field that cannot differ from call to call without changing
// how long the message is.
func changing(m protoreflect.MessageDescriptor, name string) error {
	var names []string
	for i := range m.Fields().Len() {
		if f := m.Fields().Get(i); numbered(f) {
			names = append(names, string(f.Name()))
		}
	}
	f := m.Fields().ByName(protoreflect.Name(name))
	switch {
	case f != nil && numbered(f):
		return nil
	case f != nil && len(names) == 0:
		return fmt.Errorf("-field=%s cannot hold the number of a call, nor can another field of %s: leave it out, and stale replies cannot be told", name, m.FullName())
	case f != nil:
		return fmt.Errorf("-field=%s cannot hold the number of a call, which takes a number, a string or bytes, outside of lists, maps and oneofs: %s has %s", name, m.FullName(), strings.Join(names, ", "))
	case len(names) == 0:
		return fmt.Errorf("-field=%s is no field of %s, and none of its fields can hold the number of a call: leave it out, and stale replies cannot be told", name, m.FullName())
	}
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("-field=%s is no field of %s: %s", name, m.FullName(), commandline.DidYouMean(near))
	}
	return fmt.Errorf("-field=%s is no field of %s: there are %s", name, m.FullName(), strings.Join(names, ", "))
}

// numbered reports whether a field can hold the number of a call. All numbers have one size,
// as varints and as text.
func numbered(f protoreflect.FieldDescriptor) bool {
	kinds := []protoreflect.Kind{protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.MessageKind, protoreflect.GroupKind}
	part := f.ContainingOneof() != nil && !f.ContainingOneof().IsSynthetic()
	return !f.IsList() && !f.IsMap() && !part && !slices.Contains(kinds, f.Kind())
}
