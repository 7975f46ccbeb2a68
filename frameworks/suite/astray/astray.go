// Package astray tests, for authors of adapters, that a reply to another call never counts as
// right: it hands replies to other calls than theirs, and a run must count each as an error.
//
// A proxy cuts what a server sends into frames, exchanges the bodies of replies, and leaves
// their headers alone. So the ids of calls fit, and the framework itself notices nothing.
package astray

import (
	"context"
	"fmt"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
)

// calls is how many calls of a run are measured.
const calls = 400

// Framed is a variant with the framing of its replies.
type Framed struct {
	framework.Variant
	Framing Framing
}

// Each gives all variants one framing.
func Each(f Framing, variants ...framework.Variant) []Framed {
	list := make([]Framed, len(variants))
	for i, v := range variants {
		list[i] = Framed{v, f}
	}
	return list
}

// Counted makes a run of Echo by this test binary, with a proxy before the server of each
// variant, and one of Stream if some have streams. Each line must count the very replies that
// went astray, and the runs exit with 1.
func Counted(t *testing.T, variants ...Framed) {
	switch {
	case testing.Short():
		t.Skip("it makes runs of this binary")
	case race.Enabled:
		t.Skip("conformance and faults make the same calls under the race detector")
	}
	list := serve(t, variants)
	counted(t, "Echo", "reply: not what was sent", list)
	list = slices.DeleteFunc(list, func(s served) bool { return !s.Streams })
	if len(list) > 0 {
		counted(t, "Stream", "stream: the message that came back is not what was sent", list)
	}
}

// envAlone is set in the process of CountedAlone.
const envAlone = "RPCBENCH_ASTRAY"

// CountedAlone is Counted in a process of its own, for a framework of which a process can
// have one server. Its test has no subtests.
func CountedAlone(t *testing.T, variants ...Framed) {
	if os.Getenv(envAlone) != "" || testing.Short() || race.Enabled {
		Counted(t, variants...)
		return
	}
	t.Setenv(envAlone, "1")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ended, err := process.Rerun(ctx, "-test.run=^"+t.Name()+"$")
	require.NoError(t, err)
	assert.Zero(t, ended.ExitCode, "%s%s", ended.Stdout, ended.Stderr)
}

// counted makes a run of a benchmark, whose wrong replies are told in these words.
func counted(t *testing.T, benchmark, wrong string, list []served) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, said, code, err := process.Again(ctx, arguments(benchmark, list)...)
	require.NoError(t, err)
	assert.Equal(t, 1, code, "%s%s", out, said)
	for _, s := range list {
		name := fmt.Sprintf("Benchmark%s/%s/size=1KiB/conc=%d%s", benchmark, s.RequiredKeys(), callers, s.OptionalKeys())
		compare(t, name, s.proxy.astray(calls), out)
	}
	assert.Equal(t, len(list), strings.Count(said, "× "+wrong), said)
}

// arguments returns the arguments of a run through proxies, which forget the run before.
func arguments(benchmark string, list []served) []string {
	args := []string{
		"-test.run=^$", "-test.bench=^Benchmark" + benchmark + "$", fmt.Sprintf("-test.benchtime=%dx", calls),
		"-size=1KiB", fmt.Sprintf("-conc=%d", callers), fmt.Sprintf("-conns=%d", callers),
	}
	for _, s := range list {
		s.proxy.begin()
		args = append(args, "-server="+s.ID()+"@"+s.addr)
	}
	return args
}

// compare compares the errors of a case's line with the faults.
func compare(t *testing.T, name string, faults map[string]int, out string) {
	sum := 0
	for _, fault := range []string{isStale, isOthers, isSwapped, isDoubled} {
		assert.Positive(t, faults[fault], "%s: %s: %s", name, fault, out)
		sum += faults[fault]
	}
	assert.Equal(t, sum, errorsOf(name, out), "%s: %v: %s", name, faults, out)
}

// served is a variant with a server behind a proxy.
type served struct {
	framework.Variant
	proxy *proxy
	addr  string // the proxy's
}

// serve starts a server of each variant and puts a proxy before it.
func serve(t *testing.T, variants []Framed) (list []served) {
	for _, v := range variants {
		s, err := v.Serve("127.0.0.1:0")
		require.NoError(t, err, v.ID())
		t.Cleanup(func() { s.Close() })
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		p := &proxy{server: s.Addr(), framing: v.Framing}
		go p.accept(l)
		list = append(list, served{v.Variant, p, l.Addr().String()})
	}
	return list
}

// errorsPart matches what follows the name of a case on its line. Package testing puts the
// number of CPUs there, except on one CPU.
var errorsPart = regexp.MustCompile(`^(?:-\d+)?\s.*\s([0-9.]+) errors`)

// errorsOf returns the errors on the line of a case; -1 for no line.
func errorsOf(name, out string) int {
	for line := range strings.Lines(out) {
		after, is := strings.CutPrefix(line, name)
		if part := errorsPart.FindStringSubmatch(after); is && part != nil {
			n, _ := strconv.ParseFloat(part[1], 64)
			return int(n)
		}
	}
	return -1
}
