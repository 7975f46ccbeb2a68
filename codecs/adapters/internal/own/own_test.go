// Package own_test sends the bench message through the suite as a message of one's own.
package own_test

import (
	_ "embed"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/adapters/json"
	"github.com/rpcbench/rpcbench/codecs/adapters/protobuf"
	"github.com/rpcbench/rpcbench/codecs/adapters/vtproto"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

func TestMain(m *testing.M) {
	var list []*messages.Bench
	for i := range 256 {
		list = append(list, messages.KindBench.Seeded(i).(*messages.Bench))
	}
	suite.Main(m, suite.Config{
		Entries: []suite.Entry{
			json.Own(suite.Conversion[messages.Bench]{}),
			protobuf.Own(suite.Conversion[pb.BenchMessage]{}),
			vtproto.Own(suite.Conversion[pb.BenchMessage]{}),
		},
		Messages: suite.Messages("bench", list, suite.Comparison[messages.Bench]{}),
	})
}

func TestConformance(t *testing.T) { suite.Conformance(t) }

func BenchmarkCodec(b *testing.B) { suite.Codec(b) }
func BenchmarkParallel(b *testing.B) { suite.Parallel(b) }
