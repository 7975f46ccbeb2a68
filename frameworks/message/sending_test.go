package message_test

import (
	"bytes"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protodelim"

	"github.com/rpcbench/rpcbench"
	pb "github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/arpc"
	"github.com/rpcbench/rpcbench/frameworks/connect"
	"github.com/rpcbench/rpcbench/frameworks/drpc"
	"github.com/rpcbench/rpcbench/frameworks/grpc"
	"github.com/rpcbench/rpcbench/frameworks/http"
	"github.com/rpcbench/rpcbench/frameworks/kitex"
	"github.com/rpcbench/rpcbench/frameworks/message"
	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/rpcx"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
	"github.com/rpcbench/rpcbench/frameworks/ttrpc"
)

// receipts is an exchange of two types, of which replies have the number of the call.
func receipts() framework.Exchange[pb.BenchMessage, pb.EchoMessage] {
	var requests, replies bytes.Buffer
	for i := range 3 {
		order := framework.Filled[pb.BenchMessage](1)[0]
		*order.Field6 = int32(i)
		protodelim.MarshalTo(&requests, order) // to memory
		protodelim.MarshalTo(&replies, &pb.EchoMessage{Action: string(rune('a' + i)), Msg: make([]byte, 20)})
	}
	return message.Protobuf[pb.BenchMessage, pb.EchoMessage](message.Samples{
		Name: "Order", Requests: requests.Bytes(), Replies: replies.Bytes(), Field: "field22", ReplyField: "msg",
	})
}

// TestMain has the recommended variants of all adapters that send any message of protobuf-go,
// and those that encode it otherwise.
func TestMain(m *testing.M) {
	x := receipts()
	all := slices.Concat(
		grpc.Sending(x), connect.Sending(x), drpc.Sending(x), ttrpc.Sending(x), arpc.Sending(x),
		rpcx.Sending(x), netrpc.Sending(x), kitex.Sending(x), http.Sending(x),
	)
	all = slices.DeleteFunc(all, func(v framework.Variant) bool { return !v.Recommended && v.Codec == "protobuf" })
	suite.Main(m, suite.Config{Frameworks: all, References: tcp.Sending(x), GoMod: rpcbench.GoMod()})
}

// Slow: every variant waits for deadlines, and for servers that are silent or gone.
func TestConformance(t *testing.T) { t.Parallel(); suite.Conformance(t) }

func BenchmarkMessage(b *testing.B) { suite.Message(b) }
func BenchmarkRate(b *testing.B)    { suite.Rate(b) }
func BenchmarkCount(b *testing.B)   { suite.Count(b) }
