// Package transfer makes messages of Protocol Buffers of each other, for the serializers
// of that format: it imports the library for all of them.
package transfer

import (
	"fmt"
	"reflect"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"google.golang.org/protobuf/proto"
)

// Conversion returns c. A zero one of a message of Protocol Buffers becomes one that uses
// Copy.
func Conversion[N any](c suite.Conversion[N]) suite.Conversion[N] {
	if _, is := any(new(N)).(proto.Message); !is || c.Build != nil || c.Read != nil {
		return c
	}
	return suite.Conversion[N]{
		Build: func(m *N, message any) error { return Copy(m, message) },
		Read:  func(message any, m *N) error { return Copy(message, m) },
	}
}

// Copy sets the message to from the message from, with memory of its own. Messages of two Go
// packages go through bytes; they must have the same name, but for that of their packages.
// Where either is no message of Protocol Buffers, it does what suite.Convert does.
func Copy(to, from any) error {
	dst, is := to.(proto.Message)
	src, is2 := from.(proto.Message)
	if !is || !is2 {
		return suite.Convert(to, from)
	}
	if reflect.TypeOf(dst) == reflect.TypeOf(src) {
		proto.Reset(dst)
		proto.Merge(dst, src)
		return nil
	}
	if d, s := dst.ProtoReflect().Descriptor(), src.ProtoReflect().Descriptor(); d.Name() != s.Name() {
		return fmt.Errorf("cannot convert %s to %s", s.FullName(), d.FullName())
	}
	b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(src)
	if err != nil {
		return err
	}
	return proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(b, dst)
}
