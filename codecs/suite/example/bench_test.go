package example

import (
	"bytes"
	_ "embed"
	"encoding/gob"
	"encoding/json"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite"
)

//go:embed go.mod
var goMod []byte

func viaJSON() suite.Serializer[Order] {
	return suite.Serializer[Order]{
		Marshal:   func(m *Order) ([]byte, error) { return json.Marshal(m) },
		Unmarshal: func(src []byte, m *Order) error { return json.Unmarshal(src, m) },
	}
}

func viaGob() suite.Serializer[Order] {
	return suite.Serializer[Order]{
		Marshal: func(m *Order) ([]byte, error) {
			var buf bytes.Buffer
			err := gob.NewEncoder(&buf).Encode(m)
			return buf.Bytes(), err
		},
		Unmarshal: func(src []byte, m *Order) error { return gob.NewDecoder(bytes.NewReader(src)).Decode(m) },
	}
}

func entries() []suite.Entry {
	same := suite.Conversion[Order]{} // the serializers take an Order itself
	return []suite.Entry{{Codec: "json", Own: same.Of(viaJSON)}, {Codec: "gob", Own: same.Of(viaGob)}}
}

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{
		Entries:  entries(),
		Messages: suite.Messages("Order", orders(), suite.Comparison[Order]{}),
		GoMod:    goMod,
	})
}

func TestConformance(t *testing.T) { suite.Conformance(t) }
func TestHostile(t *testing.T)     { suite.Hostile(t, "hostile.json") }
func TestReuse(t *testing.T)       { suite.Reuse(t) }
func TestTogether(t *testing.T)    { suite.Together(t) }

func FuzzJSON(f *testing.F) { suite.Fuzz(f, entries()[0]) }

func BenchmarkCodec(b *testing.B) { suite.Codec(b) }
