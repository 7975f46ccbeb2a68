package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// stub is a protocol whose calls return at once.
type stub struct {
	args        []string
	connect     error
	call        error
	interrupted context.CancelFunc // called by the tenth call, if there is one
	calls       int64
	closed      bool
}

func (*stub) Usage() string { return "stub [flags] NAME\n" }

func (*stub) Flags(fs *flag.FlagSet) commandline.Subject {
	fs.Bool("own", false, "its own")
	return commandline.Subject{Title: "Stub", Flags: []string{"own"}}
}

func (s *stub) Open(args []string) (Service, error) {
	if s.args = args; len(args) == 0 {
		return nil, errors.New("no name is given")
	}
	return s, nil
}

func (*stub) Name() string                    { return "Stub" }
func (*stub) Facts() map[string]string        { return map[string]string{"fact": "one"} }
func (*stub) Endpoints() []string             { return []string{"a", "b"} }
func (s *stub) Connect(context.Context) error { return s.connect }
func (s *stub) Close() error                  { s.closed = true; return nil }

func (s *stub) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	call := func(context.Context, int) error {
		if n := atomic.AddInt64(&s.calls, 1); n == 10 && s.interrupted != nil {
			s.interrupted()
		}
		return s.call
	}
	return loadgen.Mix{Calls: []loadgen.MixedCall{{Name: "a", Weight: 1, Call: call}}}.Run(ctx, cfg)
}

// command runs a command of the stub.
func command(t *testing.T, s *stub, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.interrupted != nil {
		s.interrupted = cancel
	}
	var out, err strings.Builder
	code = Run(ctx, s, args, &out, &err)
	return code, out.String(), err.String()
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct {
		about, args string
		say         string
	}{
		{"nothing", "", "how much load? Give -rate=500 for 500 calls a second, or -callers=10 for a closed loop"},
		{"no name", "-rate=5", "no name is given"},
		{"a flag that is not there", "-calers=5", "unknown flag -calers; did you mean -callers?"},
		{"a rate that is none", "-rate=x n", "-rate=x: must be a number"},
		{"a negative rate", "-rate=-5 n", "-rate=-5: must be more than 0 and at most 100000000"},
		{"a rate without end", "-rate=Inf n", "-rate=+Inf: must be more than 0 and at most 100000000"},
		{"both loops", "-rate=5 -callers=5 n", "-rate and -callers are two loops: give one of them"},
		{"fewer callers than none", "-callers=-1 n", "-callers=-1: must be from 1 to 1000000"},
		{"workers of a closed loop", "-callers=5 -workers=5 n", "-workers is of calls at a rate, and -callers of a closed loop"},
		{"no workers", "-rate=5 -workers=0 n", "-workers=0: must be from 1 to 1000000"},
		{"more workers than memory", "-rate=5 -workers=100000000 n", "-workers=100000000: must be from 1 to 1000000"},
		{"no time", "-rate=5 -for=0 n", "-for=0s: must be more than 0"},
		{"a negative time", "-rate=5 -timeout=-1s n", "-warmup, -timeout and -slack must not be negative"},
		{"too much time", "-rate=5 -slack=1h n", "-slack=1h0m0s: must be at most 1s"},
		{"too few calls for a rank", "-rate=1000 -for=1s -ranks=2 -rank=0 -run-name=r -require=p99<1s n", "-require: p99 needs 1000 calls, and there are 500 in 1s"},
		{"other arrivals", "-rate=5 -arrivals=random n", "-arrivals=random: must be constant or poisson"},
		{"intervals that are too short", "-rate=5 -every=1ms n", "-every=1ms: must be from 10ms to 1m"},
		{"an unknown condition", "-rate=5 -require=p9x<1s n", `-require: condition "p9x<1s": "p9x" is not known: conditions are as in p99<200ms`},
		{"a condition for which there are too few calls", "-rate=5 -for=10s -require=p99<1s n", "-require: p99 needs 1000 calls, and there are 50 in 10s"},
		{"a condition on a part that there is not", "-rate=5 -require=errors{c}=0 n", `-require: condition "errors{c}=0" is of what is not called: there are a, b`},
		{"more intervals than a record has", "-rate=5 -for=24h -every=100ms n", "-every=100ms: of 24h0m0s and 2 endpoints there would be 2592000 points, and a record has at most 335544: give longer intervals"},
		{"a file that cannot be", "-rate=5 -json=/dev/null/x n", "-json: open /dev/null/x: not a directory"},
		{"two files in one place", "-rate=5 -json=- -csv=- n", "-json=- and -csv=-: there is room for one of them"},
		{"two files of one name", "-rate=5 -json=x -csv=./x n", "-json=x and -csv=./x: there is room for one of them"},
		{"a directory that cannot be", "-rate=5 -results=/dev/null/x n", "-results: mkdir /dev/null: not a directory"},
		{"a name with space", "-rate=5 -name=a:\tb n", `-name: the name "Benchmarka:\tb" must be that of a benchmark line`},
		{"a rank of none", "-rate=5 -rank=1 n", "-rank=1 -ranks=1: the rank must be from 0 to one less than the ranks"},
	} {
		code, stdout, stderr := command(t, new(stub), strings.Split(c.args, " ")...)
		assert.Equal(t, exitUsage, code, c.about)
		assert.Empty(t, stdout, c.about)
		assert.True(t, strings.HasPrefix(stderr, "stub: "+c.say) && strings.Count(stderr, "\n") == 1, "%s: %s", c.about, stderr)
	}
}

// TestHelp has every flag, in a subject.
func TestHelp(t *testing.T) {
	code, stdout, stderr := command(t, new(stub), "-h")
	assert.Zero(t, code)
	assert.Empty(t, stderr)
	assert.True(t, strings.HasPrefix(stdout, "Usage: stub [flags] NAME\n\nStub\n  -own "), stdout)
	assert.NotContains(t, stdout, "\nMore\n", "a flag is of no subject")
}

func TestHowItEnds(t *testing.T) {
	for _, c := range []struct {
		about, args    string
		stub           stub
		code           int
		stdout, stderr string // parts
	}{
		{"well", "-rate=1000 -for=50ms n", stub{}, 0, "Stub/rate=1000: open loop, ", "0 failed"},
		{"flags may come last", "n -rate=1000 -for=50ms", stub{}, 0, "50 calls due, 50 sent, 50 ok", "0 failed"},
		{"quiet", "-rate=1000 -for=50ms -quiet n", stub{}, 0, "50 sent", ""},
		{"random arrivals", "-rate=1000 -for=50ms -arrivals=poisson n", stub{}, 0, "open loop", ""},
		{"a closed loop", "-callers=1 -for=50ms n", stub{}, 0, "Stub/callers=1: closed loop, ", ""},
		{"a name of its own", "-callers=1 -for=50ms -name=Shop/day=1 n", stub{}, 0, "Shop/day=1: closed loop", ""},
		{"all calls fail", "-rate=1000 -for=50ms -require=calls>0 n", stub{call: errors.New("no")}, exitFailed, "50 × no", "stub: no call succeeded\n"},
		{"a condition is not met", "-rate=1000 -for=50ms -require=calls>60,errors=0 n", stub{}, exitFailed, "50 sent", "stub: 1 of 2 conditions not met: calls>60: 50 were made\n"},
		{"a condition on a part", "-rate=1000 -for=50ms -require=calls{a}=50 n", stub{}, 0, "50 sent", ""},
		{"no server", "-rate=1000 n", stub{connect: errors.New("httpload: no connection")}, exitFailed, "", "stub: no connection\n"},
		{"interrupted", "-rate=1000 -for=10s n", stub{interrupted: func() {}}, exitInterrupted, " ok, 0 failed, ", "stub: interrupted\n"},
	} {
		code, stdout, stderr := command(t, &c.stub, strings.Split(c.args, " ")...)
		assert.Equal(t, c.code, code, c.about+": "+stderr)
		assert.Contains(t, stdout, c.stdout, c.about)
		assert.Contains(t, stderr, c.stderr, c.about)
		assert.True(t, c.stub.closed, c.about)
		assert.Equal(t, []string{"n"}, c.stub.args, c.about)
	}
}

// TestFiles are written whether a run was well or was interrupted.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, s := range []*stub{{}, {interrupted: func() {}}} {
		code, _, stderr := command(t, s, "-rate=1000", "-for=100ms", "-json="+path("a.json"), "-csv="+path("a.csv"), "-results="+path("results"), "n")
		require.Contains(t, []int{0, exitInterrupted}, code, stderr)
		r, err := record.Read(path("a.json"))
		require.NoError(t, err)
		assert.Equal(t, "BenchmarkStub/rate=1000", r.Benchmark)
		assert.Equal(t, "one", r.Config["fact"])
		assert.Equal(t, code == exitInterrupted, r.Config["ended"] == "context canceled", r.Config)
		assert.Positive(t, r.Result.OK)
		assert.WithinDuration(t, time.Now(), r.Start, time.Minute)
		table, err := os.ReadFile(path("a.csv"))
		require.NoError(t, err)
		assert.Contains(t, string(table), "p99")
	}
	files, err := filepath.Glob(path("results/*.json"))
	require.NoError(t, err)
	assert.Len(t, files, 1, "what was interrupted is not to be merged")
}

// TestStandardOutputIsForAFile: the report goes elsewhere.
func TestStandardOutputIsForAFile(t *testing.T) {
	code, stdout, stderr := command(t, new(stub), "-rate=1000", "-for=50ms", "-json=-", "n")
	require.Zero(t, code, stderr)
	var read struct {
		Result struct {
			Series []struct {
				P99 int64 `json:"p99_ns"`
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &read), stdout)
	require.NotEmpty(t, read.Result.Series)
	assert.Positive(t, read.Result.Series[0].P99)
	assert.Contains(t, stderr, "50 sent")
}

// full is a file on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAReportThatIsLost(t *testing.T) {
	var stderr strings.Builder
	code := Run(t.Context(), new(stub), []string{"-rate=1000", "-for=50ms", "-quiet", "n"}, full{}, &stderr)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, "stub: no space left on device\n", stderr.String())
	code = Run(t.Context(), new(stub), []string{"-h"}, full{}, &stderr)
	assert.Equal(t, exitUsage, code)
}

// TestRanks share what one process would do.
func TestRanks(t *testing.T) {
	dir := t.TempDir()
	at := fmt.Sprint("-at=", time.Now().Add(2*time.Second).Unix())
	code, stdout, stderr := command(t, new(stub), "-rate=1000", "-for=100ms", "-rank=1", "-ranks=2", "-run-name=r", at, "-results="+dir, "n")
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, "Stub/rate=1000, rank 1 of 2: open loop, ")
	assert.Contains(t, stdout, " 50 sent, ")
}
