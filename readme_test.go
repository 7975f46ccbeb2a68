package rpcbench_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadmeHasTheVersions: the table of systems names what go.mod has.
func TestReadmeHasTheVersions(t *testing.T) {
	readme := read(t, "frameworks/README.md")
	for _, c := range []struct{ system, module, goMod string }{
		{"grpc", "google.golang.org/grpc", "go.mod"},
		{"kitex", "github.com/cloudwego/kitex", "go.mod"},
		{"rpcx", "github.com/smallnest/rpcx", "go.mod"},
		{"arpc", "github.com/lesismal/arpc", "go.mod"},
		{"connect", "connectrpc.com/connect", "go.mod"},
		{"drpc", "storj.io/drpc", "go.mod"},
		{"ttrpc", "github.com/containerd/ttrpc", "go.mod"},
		{"thrift", "github.com/apache/thrift", "go.mod"},
		{"TarsGo", "github.com/TarsCloud/TarsGo", "go.mod"},
		{"jrpc2", "github.com/creachadair/jrpc2", "go.mod"},
		{"dubbo-go", "dubbo.apache.org/dubbo-go/v3", "frameworks/dubbo/go.mod"},
		{"motan-go", "github.com/weibocom/motan-go", "frameworks/motan/go.mod"},
		{"NATS", "github.com/nats-io/nats-server/v2", "frameworks/nats/go.mod"},
		{"tRPC-Go", "trpc.group/trpc-go/trpc-go", "frameworks/trpc/go.mod"},
		{"zRPC", "github.com/zeromicro/go-zero", "frameworks/zrpc/go.mod"},
		{"grpc", "google.golang.org/grpc", "frameworks/zrpc/go.mod"},
	} {
		required := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(c.module) + ` (v\S+)`).FindStringSubmatch(read(t, c.goMod))
		require.NotNil(t, required, c.module)
		assert.Regexp(t, `(?m)^\| \[`+c.system+`\][^|]*\| `+regexp.QuoteMeta(required[1])+` \|`, readme)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
