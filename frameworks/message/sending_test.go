package message_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protodelim"

	"github.com/rpcbench/rpcbench"
	pb "github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/arpc"
	"github.com/rpcbench/rpcbench/frameworks/connect"
	"github.com/rpcbench/rpcbench/frameworks/drpc"
	"github.com/rpcbench/rpcbench/frameworks/grpc"
	"github.com/rpcbench/rpcbench/frameworks/http"
	"github.com/rpcbench/rpcbench/frameworks/kitex"
	own "github.com/rpcbench/rpcbench/frameworks/message"
	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/rpcx"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
	"github.com/rpcbench/rpcbench/frameworks/ttrpc"
)

// receipts is an exchange of two types, of which replies have the number of the call.
func receipts() message.Exchange[pb.BenchMessage, pb.EchoMessage] {
	var requests, replies bytes.Buffer
	for i := range 3 {
		order := message.Filled[pb.BenchMessage](1)[0]
		*order.Field6 = int32(i)
		protodelim.MarshalTo(&requests, order) // to memory
		protodelim.MarshalTo(&replies, &pb.EchoMessage{Action: string(rune('a' + i)), Msg: make([]byte, 20)})
	}
	return own.Protobuf[pb.BenchMessage, pb.EchoMessage](own.Samples{
		Name: "Order", Requests: requests.Bytes(), Replies: replies.Bytes(), Field: "field22", ReplyField: "msg",
	})
}

// variants are the recommended ones of all adapters that send any message of protobuf-go, and
// those that encode it otherwise.
func variants() []framework.Variant {
	x := receipts()
	all := slices.Concat(
		grpc.Sending(x), connect.Sending(x), drpc.Sending(x), ttrpc.Sending(x), arpc.Sending(x),
		rpcx.Sending(x), netrpc.Sending(x), kitex.Sending(x), http.Sending(x),
	)
	return slices.DeleteFunc(all, func(v framework.Variant) bool { return !v.Recommended && v.Codec == "protobuf" })
}

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{Frameworks: variants(), References: tcp.Sending(receipts()), GoMod: rpcbench.GoMod()})
}

// envAlone is set in the process of TestMessages.
const envAlone = "RPCBENCH_MESSAGES"

// TestMessages has every variant send messages, in another process: all else of them is tested
// in their own directories.
func TestMessages(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestConformance$/./././^message$|^TestConformance$/././././^message$")
	cmd.Env = append(os.Environ(), envAlone+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, v := range variants() {
		assert.Contains(t, string(out), "--- PASS: TestConformance/"+v.ID()+"/message ")
	}
}

func TestConformance(t *testing.T) {
	if os.Getenv(envAlone) == "" {
		t.Skip("TestMessages runs it")
	}
	suite.Conformance(t)
}

func BenchmarkMessage(b *testing.B) { suite.Message(b) }
func BenchmarkRate(b *testing.B)    { suite.Rate(b) }
func BenchmarkCount(b *testing.B)   { suite.Count(b) }
