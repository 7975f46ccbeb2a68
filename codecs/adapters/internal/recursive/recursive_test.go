// Package recursive_test sends a message that holds itself, in a map, a list and a oneof,
// through the serializers that take it.
package recursive_test

import (
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/hyperpb"
	"github.com/rpcbench/rpcbench/codecs/adapters/json"
	"github.com/rpcbench/rpcbench/codecs/adapters/message"
	"github.com/rpcbench/rpcbench/codecs/adapters/protobuf"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"google.golang.org/protobuf/types/known/structpb"
)

// values are messages of the standard schema of JSON, whose Go types know JSON themselves.
func values() (list []*structpb.Value) {
	for i := range 10 {
		v, err := structpb.NewValue([]any{nil, true, float64(i), "", map[string]any{fmt.Sprint("key", i): []any{map[string]any{"a": "b"}}}})
		if err != nil {
			panic(err) // of JSON
		}
		list = append(list, v)
	}
	return append(list, &structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "alone"}})
}

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{
		Entries: []suite.Entry{
			protobuf.Own(suite.Conversion[structpb.Value]{}), json.Own(suite.Conversion[structpb.Value]{}), hyperpb.Own[structpb.Value](),
		},
		Messages: suite.Messages("Value", values(), message.Comparison[structpb.Value]()),
	})
}

func TestConformance(t *testing.T) { suite.Conformance(t) }
func TestTogether(t *testing.T)    { suite.Together(t) }

func BenchmarkCodec(b *testing.B) { suite.Codec(b) }
