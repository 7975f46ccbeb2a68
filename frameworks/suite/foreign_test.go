package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/resilience"
	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// envHostile is the environment variable of where the framework hostile says forged.
const envHostile = "HOSTILE"

// forged has a result line and has a terminal delete what it shows.
const forged = "x\nBenchmarkEcho/framework=forged 1 1 ns/op\x1b[2J"

// hostile returns a configuration in which forged is said where the environment asks
// for it.
func hostile(c Config) Config {
	h := hostileFramework{at: os.Getenv(envHostile)}
	if h.at == "" {
		return c
	}
	fails := tiny{name: "hostile", handle: h.handle}
	v := framework.Variant{Keys: framework.Keys{Framework: "hostile", Transport: "tcp", Codec: "gob"}, Recommended: true, Modules: []string{"example.com/hostile"}, Serve: fails.serve, Dial: fails.dial}
	version := "v1.0.0"
	switch h.at {
	case "serve":
		v.Serve = func(string) (framework.Server, error) { return nil, errors.New(forged) }
	case "dial":
		v.Dial = func(string, framework.DialOptions) (framework.Client, error) { return nil, errors.New(forged) }
	case "stream":
		v.Streams = true
		v.Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
			c, err := fails.dial(addr, o)
			if err != nil {
				return nil, err
			}
			return streamless{c.(*tinyClient)}, nil
		}
	case "version":
		version = strconv.Quote(forged)
	case "setup", "work", "close":
		c.Workloads = []workload.Workload{{Name: "bad", Start: h.startWork}}
	case "workload":
		c.Workloads = []workload.Workload{{Name: strings.ReplaceAll(forged, "/", ""), Start: h.startWork}}
	}
	c.Frameworks = []framework.Variant{v}
	c.GoMod = []byte("module m\n\nrequire example.com/hostile " + version + "\n")
	return c
}

type hostileFramework struct {
	at    string
	calls int
}

// handle lets the first calls succeed.
func (h *hostileFramework) handle(f *tinyFrame) error {
	h.calls++
	switch {
	case h.at == "every call":
		f.Error = forged
	case h.calls < 500:
	case h.at == "call" && h.calls%2 == 0:
		f.Error = forged
	case h.at == "panic":
		panic(forged)
	case h.at == "last words":
		fmt.Println(forged)
		os.Exit(3)
	}
	return nil
}

func (h *hostileFramework) startWork(string) (w workload.Work, err error) {
	w.Do = func() error { return nil }
	switch h.at {
	case "setup":
		w.Setup = forged
	case "work":
		err = errors.New(forged)
	case "close":
		w.Close = func() error { return errors.New(forged) }
	}
	return w, err
}

// streamless is a client that opens no streams.
type streamless struct{ *tinyClient }

var _ framework.StreamClient = streamless{}

// OpenStream implements framework.StreamClient.
func (streamless) OpenStream(_ context.Context, _ int) (framework.EchoStream, error) {
	return nil, errors.New(forged)
}

// TestForeignText: whatever a framework, its server or another machine says, it is no
// line of its own and nothing that a terminal obeys.
func TestForeignText(t *testing.T) {
	unraced(t)
	t.Parallel()
	echo := measuring("Echo", "-framework=hostile", "-size=1B", "-conc=10", "-pin=off")
	conformance := []string{"-test.run=^TestConformanceOf$", "-framework=hostile"}
	work := measuring("Workload", "-framework=hostile", "-conc=10", "-pin=off")
	given := func(h hostileFramework) string {
		return "-server=framework=tiny@" + running(t, tiny{handle: h.handle})
	}
	for _, c := range []struct {
		about, at string
		args      []string
		code      int
	}{
		{"calls that fail", "call", echo, 1},
		{"calls that fail, of which there is a record", "call", append(echo, "-results="+t.TempDir()), 1},
		{"calls of several clients", "call", append(echo, "-clients=2"), 1},
		{"no call succeeds", "every call", echo, 1},
		{"a client that cannot connect", "dial", echo, 1},
		{"a server that does not start", "serve", echo, 1},
		{"a panic of a server", "panic", echo, 1},
		{"the last words of a server", "last words", echo, 1},
		{"a version", "version", echo, 2},
		{"the set-up of a workload", "setup", work, 0},
		{"a workload that does not start", "work", work, 2},
		{"a workload that does not end", "close", work, 2},
		{"the name of a workload", "workload", work, 2},
		{"conformance: calls", "call", conformance, 1},
		{"conformance: a client that cannot connect", "dial", conformance, 1},
		{"conformance: a server that does not start", "serve", conformance, 1},
		{"conformance: streams", "stream", conformance, 1},
		{"faults: a line is missing", "serve", []string{"-test.run=^TestFaultsOf$", "-framework=hostile"}, 1},
		{"a given server", "", measuring("Echo", given(hostileFramework{at: "every call"}), "-size=1B"), 1},
		{"calls of a given server", "", measuring("Echo", given(hostileFramework{at: "call"}), "-size=1B", "-conc=10"), 1},
		{"conformance of a given server", "", []string{"-test.run=^TestConformanceOf$", given(hostileFramework{at: "every call"})}, 1},
		{"another machine, of itself", "", measuring("Echo/framework=tiny", hostileMachine(t), "-size=1B"), 1},
		{"a directory", "", measuring("Echo/framework=tiny", "-size=1B", "-results="+filepath.Join(os.Args[0], forged)), 2},
		{"an argument", "", []string{forged}, 2},
		{"the value of a flag", "", []string{"-watchdog=" + forged}, 2},
		{"the name of a server", "", measuring("Echo", given(hostileFramework{}), "-size=1B", "-peer="+strings.NewReplacer("/", "", "=", "", " ", "").Replace(forged), "-cases"), 2},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := selfIn(t, []string{envHostile + "=" + c.at}, c.args...)
			assert.Equal(t, c.code, code, "%s%s", out, errOut)
			assert.Contains(t, out+errOut, `\x1b[2J`)
			assertUnforged(t, out+errOut)
			assertUnforgedRecords(t, c.args)
		})
	}
}

// TestFaultsOf is run by TestForeignText.
func TestFaultsOf(t *testing.T) {
	if os.Getenv(envHostile) == "" {
		t.Skip("only for a hostile framework")
	}
	resilience.Config{}.Fault(sanitized{t}, make([]plan.Target, 1), "kill", "-test.bench=^BenchmarkEcho$", "-set=recommended", "-framework=hostile")
}

// assertUnforged sees that a text has no forged line, and no character but line breaks
// and tabs that a terminal obeys.
func assertUnforged(t *testing.T, text string) {
	t.Helper()
	assert.NotContains(t, "\n"+text, "\nBenchmarkEcho/framework=forged")
	for _, r := range text {
		assert.False(t, unicode.IsControl(r) && r != '\n' && r != '\t', "%q", text)
	}
}

// assertUnforgedRecords reads the records, if a run was to write some.
func assertUnforgedRecords(t *testing.T, args []string) {
	for _, arg := range args {
		if dir, asked := strings.CutPrefix(arg, "-results="); asked && !strings.Contains(dir, forged) {
			all := recordtest.In(t, dir)
			require.Len(t, all, 1)
			for _, records := range all {
				require.NotEmpty(t, records[0].Result.ErrorKinds)
				assertUnforged(t, records[0].Result.ErrorKinds[0].Text)
			}
		}
	}
}

// hostileMachine serves what a machine with -serve says of itself.
func hostileMachine(t *testing.T) (flag string) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Rpcbench-Serving", "1")
		if r.Method == http.MethodPost {
			http.Error(w, forged, http.StatusInternalServerError)
			return
		}
		about := map[string]string{"tiny": forged, forged: forged}
		assert.NoError(t, json.NewEncoder(w).Encode(remote.About{Versions: about, Settings: about, GoVersion: forged, System: forged, Procs: 1}))
	}))
	t.Cleanup(s.Close)
	return "-host=" + strings.TrimPrefix(s.URL, "https://")
}
