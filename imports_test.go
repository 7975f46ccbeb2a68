package rpcbench_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestImportersGetLittle looks at the modules that those take on who import ours.
func TestImportersGetLittle(t *testing.T) {
	frameworks := regexp.MustCompile(`/(grpc|kitex|rpcx|arpc|nbio|connect|drpc|ttrpc|jrpc2|thrift|TarsGo|dubbo-go|motan-go|nats-server|nats\.go|trpc-go|go-zero)(/v\d+)?( |$)`)
	for _, c := range []struct {
		about, module string
		most          int
	}{
		{"the load generator has modules for its tests alone", "loadgen", 16},
		{"serializers are their importer's", "codecs/suite", 16},
		{"frameworks are their importer's; TUN devices bring wireguard, which names eight more", "frameworks/suite/example", 19},
	} {
		t.Run(c.module, func(t *testing.T) {
			modules := modulesOf(t, c.module)
			assert.LessOrEqual(t, len(modules), c.most, "%s: %v", c.about, modules)
			for _, m := range modules {
				assert.NotRegexp(t, frameworks, m, c.about)
			}
		})
	}
}

// modulesOf lists the modules in the graph of one of ours, with their versions.
func modulesOf(t *testing.T, module string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "-C", module, "list", "-m", "all")
	list.Env = append(list.Environ(), "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestBenchBuildsWhatItNeeds since its first result waits for that: the command that
// runs the binaries, and of these the first, without databases and other frameworks.
func TestBenchBuildsWhatItNeeds(t *testing.T) {
	before, measured, found := strings.Cut(runMake(t, "-n", "bench"), "\nbin/benchrounds ")
	require.True(t, found)
	assert.Equal(t, []string{"go build -C cmd -o ../bin/ ./benchrounds"}, regexp.MustCompile(`go build -C cmd [^2]* \./\w+`).FindAllString(before, -1), "one command")
	first := regexp.MustCompile(`bench\.txt=bin/(\w+)\.test`).FindStringSubmatch(measured)
	require.NotNil(t, first, measured)
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-test", "./frameworks/"+first[1]).Output()
	require.NoError(t, err)
	assert.NotRegexp(t, `(?m)^(modernc\.org/|github\.com/(jackc/pgx|cloudwego/kitex|rpcbench/rpcbench/cmd)/)`, string(deps))
}

// TestCommandsInstall since go install takes no module that has a replace.
func TestCommandsInstall(t *testing.T) {
	assert.NotRegexp(t, `(?m)^replace`, read(t, "cmd/go.mod"))
}
