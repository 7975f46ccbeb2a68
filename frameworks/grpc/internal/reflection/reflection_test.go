package reflection

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	reflect "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// TestServersTellTheirServices to gRPC's own client, with all that a client needs to call
// them: the files of the services and of their messages.
// Slow: it links a test binary.
func TestServersTellTheirServices(t *testing.T) {
	t.Parallel()
	ask := client(t, serving(t, "framework=grpc/transport=h2/codec=protobuf"))
	list := ask(&reflect.ServerReflectionRequest{MessageRequest: &reflect.ServerReflectionRequest_ListServices{}})
	var names []string
	for _, s := range list.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	assert.Subset(t, names, []string{"rpcbench.Bencher", "rpcbench.Streamer"})
	files := ask(&reflect.ServerReflectionRequest{MessageRequest: &reflect.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: "rpcbench.Bencher"}})
	var messages []string
	for _, text := range files.GetFileDescriptorResponse().GetFileDescriptorProto() {
		var f descriptorpb.FileDescriptorProto
		require.NoError(t, proto.Unmarshal(text, &f))
		for _, m := range f.GetMessageType() {
			messages = append(messages, m.GetName())
		}
	}
	slices.Sort(messages)
	assert.Equal(t, []string{"BenchMessage", "EchoMessage"}, messages)
}

// serving starts a server of a variant in a test binary with the tag.
func serving(t *testing.T, variant string) (addr string) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "grpc.test")
	out, err := exec.CommandContext(t.Context(), "go", "test", "-trimpath", "-vet=off", "-tags=reflection", "-c", "-o", binary, "../..").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.CommandContext(t.Context(), binary, "-serve="+variant)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if found := regexp.MustCompile(`^serving \S+ at (\S+);`).FindStringSubmatch(lines.Text()); found != nil {
			return found[1]
		}
	}
	require.Fail(t, "it does not serve")
	return ""
}

// client returns what asks the reflection of a server.
func client(t *testing.T, addr string) func(*reflect.ServerReflectionRequest) *reflect.ServerReflectionResponse {
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	stream, err := reflect.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	require.NoError(t, err)
	return func(request *reflect.ServerReflectionRequest) *reflect.ServerReflectionResponse {
		require.NoError(t, stream.Send(request))
		response, err := stream.Recv()
		require.NoError(t, err)
		return response
	}
}

// TestTree has Go run these tests again when a file of the repository has changed: they
// read what Go does not see. make sets the variable.
func TestTree(*testing.T) { _ = os.Getenv("RPCBENCH_TREE") }
