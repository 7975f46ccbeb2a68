package protobuf

import (
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/lazy"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Lazy is the opaque API where the outermost fields that hold messages are lazy:
// Unmarshal only checks their bytes and copies them, and the first read of a field
// decodes them. So touch is measured where a message has such fields. A message
// without decodes as Opaque does.
func Lazy() suite.Entry {
	e := Opaque()
	e.Mode, e.About = "lazy", "Protocol Buffers, opaque API; the items of large are decoded when read"
	e.Large = suite.Of(touched[lazy.Large](touchLarge))
	e.Next = suite.Of(touched[lazy.Next](touchNext))
	return e
}

// touched is the codec of a struct that is read field by field.
func touched[N any, M message[N]](touch func(*N) uint64) func() suite.Serializer[N] {
	return func() suite.Serializer[N] {
		c := hidden[N, M]()
		c.Touch = touch
		return c
	}
}

func touchNext(m *lazy.Next) uint64 {
	sum := uint64(m.GetId()) + uint64(len(m.GetName())) + bit(m.GetActive()) + uint64(m.GetScore()) + uint64(len(m.GetNote()))
	for _, v := range m.GetMarks() {
		sum += v
	}
	return sum + touchLabel(m.GetLabel())
}

func touchLarge(m *lazy.Large) uint64 {
	sum := uint64(len(m.GetId())) + uint64(m.GetTs())
	for _, item := range m.GetItems() {
		sum += touchItem(item)
	}
	return sum
}

func touchItem(m *lazy.Item) uint64 {
	sum := uint64(m.GetId()) + uint64(len(m.GetName())) + uint64(m.GetPrice()) + uint64(m.GetFlags()) + bit(m.GetActive())
	for _, l := range m.GetLabels() {
		sum += touchLabel(l)
	}
	for _, v := range m.GetVals() {
		sum += v
	}
	return sum + uint64(len(m.GetBlob()))
}

func touchLabel(m *lazy.Label) uint64 { return uint64(len(m.GetKey()) + len(m.GetVal())) }

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
