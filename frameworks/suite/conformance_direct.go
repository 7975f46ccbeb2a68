package suite

import (
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// envDirect is the environment variable that has Conformance prove one thing alone: that
// the variants it names, by IDs with spaces between them, connect to their servers
// directly.
const envDirect = "RPCBENCH_DIRECT"

// directly has another process prove that variants use no proxy of the environment. In
// this one net/http may have read the environment, which it does once.
func directly(t *testing.T, variants []plan.Target) {
	var ids, frameworks []string
	for _, v := range variants {
		if v.Given == "" && (!testing.Short() || v.Recommended) && !(raceDetector && v.Races.Calls+v.Races.Ending != "") {
			ids, frameworks = append(ids, v.ID()), append(frameworks, v.Framework)
		}
	}
	if len(ids) == 0 {
		return
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	t.Run("directly", func(t *testing.T) {
		os.Setenv(envDirect, strings.Join(ids, " "))
		defer os.Unsetenv(envDirect)
		ended, err := process.Rerun(within(tester{t}, 5*time.Minute), "-test.run=^"+name+"$", "-framework="+strings.Join(slices.Compact(frameworks), ","))
		require.NoError(t, err)
		if ended.ExitCode != 0 {
			tester{t}.Errorf("a client must connect to its server whatever proxy the environment names:\n%s%s", ended.Stdout, ended.Stderr)
		}
	})
}

// proxyVariables are those by which programs find a proxy.
var proxyVariables = []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"}

// proveDirect is the part of the other process.
func proveDirect(t *testing.T, ids []string) {
	var asked atomic.Int64
	proxy, err := serveProxy(&asked)
	require.NoError(t, err)
	defer proxy.Close()
	for _, name := range proxyVariables {
		os.Setenv(name, "http://"+proxy.Addr().String())
	}
	os.Unsetenv("NO_PROXY")
	os.Unsetenv("no_proxy")
	for _, v := range current.plan.Targets {
		for _, id := range ids {
			if v.ID() == id {
				t.Run(id, func(t *testing.T) { proveOneDirect(tester{t}, v.Variant, &asked) })
			}
		}
	}
}

// serveProxy counts the connections of a proxy that closes them.
func serveProxy(asked *atomic.Int64) (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			c.Close()
		}
	}()
	return l, nil
}

// proveOneDirect makes a call by an address that is this machine's, but unlike 127.0.0.1
// none that programs reach without their proxy.
func proveOneDirect(t tester, v framework.Variant, asked *atomic.Int64) {
	before := asked.Load()
	server, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Addr())
	require.NoError(t, err)
	c, err := v.Dial(net.JoinHostPort("0.0.0.0", port), framework.DialOptions{Conns: 1, Callers: 1, Patience: enough})
	if err == nil {
		err = echoCall(c, 1, 1)(within(t, enough), 0)
		c.Close()
	}
	assert.Equal(t, before, asked.Load(), "connections to the proxy of the environment")
	assert.NoError(t, err)
}
