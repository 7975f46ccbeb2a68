package reflection

import (
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/opaque"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// What was set is what is read, whichever way the fields are held.
func TestGetReadsWhatSetWrote(t *testing.T) {
	for _, c := range []struct {
		kind messages.Kind
		to   []proto.Message
	}{
		{messages.KindBench, []proto.Message{new(pb.BenchMessage), new(opaque.BenchMessage)}},
		{messages.KindFlat, []proto.Message{new(pb.Flat), new(opaque.Flat)}},
		{messages.KindLarge, []proto.Message{new(pb.Large), new(opaque.Large)}},
		{messages.KindNext, []proto.Message{new(pb.Next), new(opaque.Next)}},
		{messages.KindMapped, []proto.Message{new(pb.Mapped), new(opaque.Mapped)}},
	} {
		for _, m := range c.to {
			got := c.kind.New()
			require.NoError(t, Set(m.ProtoReflect(), c.kind.Seeded(0)))
			require.NoError(t, Get(got, m.ProtoReflect()))
			require.Equal(t, c.kind.Seeded(0), got)
		}
	}
}

func TestFieldsThatDoNotMatch(t *testing.T) {
	var m pb.Small
	for _, c := range []struct {
		about, set, get string
		message         any
	}{
		{"a field that protobuf does not have", "rpcbench.Small has no field Other", "rpcbench.Small has no field Other", &struct{ Other int64 }{}},
		{"a type that protobuf does not have", "rpcbench.Small.id: cannot convert int", "cannot convert int64 to int", &struct{ ID int }{}},
	} {
		require.EqualError(t, Set(m.ProtoReflect(), c.message), c.set, c.about)
		require.EqualError(t, Get(c.message, m.ProtoReflect()), c.get, c.about)
	}
}
