package grpcload_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/grpcload"
)

const (
	unary  = "grpc.testing.TestService/UnaryCall"
	stream = "grpc.testing.TestService/StreamingOutputCall"
)

// calls is a run of some calls.
func calls(n int64) loadgen.Config {
	return loadgen.Config{Workers: 4, Schedule: loadgen.ClosedLoop, Calls: n, Timeout: 10 * time.Second}
}

func dial(t *testing.T, cfg grpcload.Config) *grpcload.Client {
	client, err := grpcload.Dial(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, client.Close()) })
	return client
}

// TestSchemas: a method can be known in several ways.
func TestSchemas(t *testing.T) {
	set := descriptors(t, grpc_testing.File_grpc_testing_test_proto, true)
	v1 := func(s *grpc.Server) { reflection.RegisterV1(s) }
	v1alpha := func(s *grpc.Server) {
		alpha.RegisterServerReflectionServer(s, reflection.NewServer(reflection.ServerOptions{Services: s})) //nolint:staticcheck // old servers have it
	}
	none := func(*grpc.Server) {}
	for _, c := range []struct {
		about    string
		register func(*grpc.Server)
		schema   grpcload.Schema
	}{
		{"the server tells", v1, grpcload.Schema{}},
		{"an old server tells", v1alpha, grpcload.Schema{}},
		{"a descriptor set has it", none, grpcload.Schema{Descriptors: set}},
		{"a .proto file has it", none, grpcload.Schema{Protos: []string{"testdata/service.proto"}}},
		{"it is named as imports name it", none, grpcload.Schema{Protos: []string{"service.proto"}, Imports: []string{"testdata"}}},
		{"it is named as protoc has it", none, grpcload.Schema{Protos: []string{"testdata/service.proto"}, Imports: []string{"testdata"}}},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, address := serveWith(t, c.register)
			client := dial(t, grpcload.Config{Address: address, Schema: c.schema, Targets: []grpcload.Target{{Method: unary, Request: `{"responseSize": 3}`}}})
			res, err := client.Run(t.Context(), calls(20))
			require.NoError(t, err)
			assert.EqualValues(t, 20, res.OK, res.Failures())
			assert.Empty(t, res.Parts)
		})
	}
}

// descriptors writes a descriptor set of a file, with or without what it imports.
func descriptors(t *testing.T, file protoreflect.FileDescriptor, imports bool) string {
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(file)}}
	for i := range file.Imports().Len() {
		if imports {
			set.File = append(set.File, protodesc.ToFileDescriptorProto(file.Imports().Get(i).FileDescriptor))
		}
	}
	data, err := proto.Marshal(set)
	require.NoError(t, err)
	return written(t, "set.binpb", string(data))
}

func written(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestChecks: what replies say can make calls fail.
func TestChecks(t *testing.T) {
	_, address := serve(t)
	var judged atomic.Int64
	client := dial(t, grpcload.Config{
		Address: address,
		Targets: []grpcload.Target{
			{Method: unary, Request: `{"responseSize": 2}`, Name: "short"},
			{Method: unary, Request: `{"responseSize": 5}`, Name: "long"},
			{Method: stream, Request: `{"responseParameters": [{"size": 1}, {"size": 2}, {"size": 3}]}`},
		},
		Check: func(method string, reply proto.Message) error {
			judged.Add(1)
			message := reply.ProtoReflect()
			payload := message.Get(message.Descriptor().Fields().ByName("payload")).Message()
			if n := len(payload.Get(payload.Descriptor().Fields().ByName("body")).Bytes()); method == unary && n > 4 {
				return fmt.Errorf("%d bytes: %s", n, protojson.MarshalOptions{}.Format(reply))
			}
			return nil
		},
	})
	res, err := client.Run(t.Context(), calls(90))
	require.NoError(t, err)
	require.Len(t, res.Parts, 3)
	assert.Equal(t, []string{"short", "long", stream}, []string{res.Parts[0].Name, res.Parts[1].Name, res.Parts[2].Name})
	short, long, streamed := res.Parts[0].Result, res.Parts[1].Result, res.Parts[2].Result
	for _, p := range res.Parts {
		assert.EqualValues(t, 30, p.Result.Sent, "targets are called in turn")
	}
	assert.Zero(t, short.Failed)
	assert.Equal(t, long.Sent, long.Failed)
	assert.Equal(t, `5 bytes: {"payload":{"body":"AAAAAAA="}}`, long.ErrorKinds[0].Text)
	assert.Zero(t, streamed.Failed, streamed.Failures())
	assert.Equal(t, short.Sent+long.Sent+3*streamed.Sent, judged.Load(), "each message of a stream")
}

// TestMetadata: the metadata of all targets and of one arrive, and targets of a part are
// called in turn.
func TestMetadata(t *testing.T) {
	s, address := serve(t)
	client := dial(t, grpcload.Config{
		Address:  address,
		Conns:    3,
		Metadata: metadata.Pairs("said", "all"),
		Targets:  []grpcload.Target{{Method: unary}, {Method: unary, Metadata: metadata.Pairs("said", "one")}},
	})
	cfg := calls(20)
	var called, checked atomic.Int64
	cfg.OnCall = func(int, loadgen.Arrival) { called.Add(1) }
	cfg.Check = func(int) error { checked.Add(1); return nil }
	res, err := client.Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.EqualValues(t, 20, res.OK, res.Failures())
	assert.Equal(t, map[string]int{"all": 20, "one": 10}, s.calls)
	assert.EqualValues(t, 20, called.Load(), "the hooks of a run are its own")
	assert.EqualValues(t, 20, checked.Load())
}

// TestFailures of calls are told by their code.
func TestFailures(t *testing.T) {
	_, address := serve(t)
	client := dial(t, grpcload.Config{Address: address, Targets: []grpcload.Target{
		{Method: unary, Request: `{"responseStatus": {"code": 7, "message": "not you"}}`},
	}})
	res, err := client.Run(t.Context(), calls(1))
	require.NoError(t, err)
	assert.Equal(t, []loadgen.ErrorKind{{Text: "PermissionDenied: not you", Count: 1}}, res.ErrorKinds)
}

// TestNoServer: calls fail while there is no server, and do not wait for one.
func TestNoServer(t *testing.T) {
	var server *grpc.Server
	_, address := serveWith(t, func(s *grpc.Server) { server = s; reflection.Register(s) })
	client := dial(t, grpcload.Config{Address: address, Targets: []grpcload.Target{{Method: unary}, {Method: stream}}})
	server.Stop()
	res, err := client.Run(t.Context(), calls(10))
	require.NoError(t, err)
	assert.EqualValues(t, 10, res.Failed)
	for _, kind := range res.ErrorKinds {
		assert.Regexp(t, `^Unavailable: `, kind.Text)
	}
}

// TestTimeout ends a stream that has no end.
func TestTimeout(t *testing.T) {
	_, address := serveWith(t, func(s *grpc.Server) {
		reflection.Register(s)
		grpc_health_v1.RegisterHealthServer(s, health.NewServer())
	})
	client := dial(t, grpcload.Config{Address: address, Targets: []grpcload.Target{{Method: "grpc.health.v1.Health/Watch"}}})
	cfg := calls(4)
	cfg.Timeout = 50 * time.Millisecond
	res, err := client.Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, []loadgen.ErrorKind{{Text: "DeadlineExceeded: context deadline exceeded", Count: 4}}, res.ErrorKinds)
}

// TestTLS: a server with TLS is called by who trusts it.
func TestTLS(t *testing.T) {
	option, trusted := certified(t)
	_, address := serve(t, option)
	client := dial(t, grpcload.Config{Address: address, TLS: trusted, Targets: []grpcload.Target{{Method: unary}}})
	res, err := client.Run(t.Context(), calls(1))
	require.NoError(t, err)
	assert.EqualValues(t, 1, res.OK, res.Failures())
}

// TestInterruptedCallsEnd as they would: none is cut off.
func TestInterruptedCallsEnd(t *testing.T) {
	begun := make(chan struct{}, 100)
	slow := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		begun <- struct{}{}
		time.Sleep(50 * time.Millisecond)
		return handle(ctx, in)
	}
	_, address := serve(t, grpc.UnaryInterceptor(slow))
	client := dial(t, grpcload.Config{Address: address, Targets: []grpcload.Target{{Method: unary}}})
	ctx, interrupt := context.WithCancel(t.Context())
	go func() { <-begun; interrupt() }()
	res, err := client.Run(ctx, calls(100))
	require.ErrorIs(t, err, context.Canceled)
	assert.Positive(t, res.OK)
	assert.Less(t, res.OK, int64(100))
	assert.Zero(t, res.Failed, res.Failures())
}

// TestNothingIsLeftBehind: calls that did not return within Drain end all the same.
func TestNothingIsLeftBehind(t *testing.T) {
	var left atomic.Int64
	hang := func(ctx context.Context, _ any, _ *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
		left.Add(1)
		defer left.Add(-1)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	_, address := serve(t, grpc.UnaryInterceptor(hang))
	client := dial(t, grpcload.Config{Address: address, Targets: []grpcload.Target{{Method: unary}}})
	cfg := calls(8)
	cfg.Workers, cfg.Schedule, cfg.Duration, cfg.Drain = 8, loadgen.Constant(1000), 8*time.Millisecond, 100*time.Millisecond
	res, err := client.Run(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, "8 × did not return before the end of the run", res.Failures())
	assert.Eventually(t, func() bool { return left.Load() == 0 }, 10*time.Second, time.Millisecond)
}
