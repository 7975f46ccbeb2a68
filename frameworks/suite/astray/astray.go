// Package astray has proxies that hand replies to other calls than theirs, and the test that
// a run counts them.
//
// A proxy cuts what a server sends into frames, exchanges the bodies of replies, and leaves
// their headers alone, so that the ids of calls fit: what a framework itself compares does
// not tell.
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
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
)

// calls is how many calls of a run are measured, and callers make them.
const (
	calls   = 400
	callers = 2
)

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
	case raceDetector:
		t.Skip("conformance and faults make the same calls under the race detector")
	}
	proxies := stand(t, variants)
	counted(t, "Echo", "reply: not what was sent", proxies)
	proxies = slices.DeleteFunc(proxies, func(p *proxy) bool { return !p.Streams })
	if len(proxies) > 0 {
		counted(t, "Stream", "stream: the message that came back is not what was sent", proxies)
	}
}

// envAlone is set in the process of CountedAlone.
const envAlone = "RPCBENCH_ASTRAY"

// CountedAlone is Counted in a process of its own, for a framework of which a process can
// have one server. Its test has no subtests.
func CountedAlone(t *testing.T, variants ...Framed) {
	if os.Getenv(envAlone) != "" || testing.Short() || raceDetector {
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
func counted(t *testing.T, benchmark, wrong string, proxies []*proxy) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, said, code, err := process.Again(ctx, arguments(benchmark, proxies)...)
	require.NoError(t, err)
	assert.Equal(t, 1, code, "%s%s", out, said)
	for _, p := range proxies {
		name := fmt.Sprintf("Benchmark%s/%s/size=1KiB/conc=%d%s", benchmark, p.RequiredKeys(), callers, p.OptionalKeys())
		compare(t, name, p.astray(calls), out)
	}
	assert.Equal(t, len(proxies), strings.Count(said, "× "+wrong), said)
}

// arguments returns the arguments of a run through proxies, which begin afresh.
func arguments(benchmark string, proxies []*proxy) []string {
	args := []string{
		"-test.run=^$", "-test.bench=^Benchmark" + benchmark + "$", fmt.Sprintf("-test.benchtime=%dx", calls),
		"-size=1KiB", fmt.Sprintf("-conc=%d", callers), fmt.Sprintf("-conns=%d", callers),
	}
	for _, p := range proxies {
		p.begin()
		args = append(args, "-server="+p.ID()+"@"+p.addr)
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

// stand starts a server of each variant and puts a proxy before it.
func stand(t *testing.T, variants []Framed) (proxies []*proxy) {
	for _, v := range variants {
		s, err := v.Serve("127.0.0.1:0")
		require.NoError(t, err, v.ID())
		t.Cleanup(func() { s.Close() })
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { l.Close() })
		p := &proxy{addr: l.Addr().String(), server: s.Addr(), Framed: v}
		go p.accept(l)
		proxies = append(proxies, p)
	}
	return proxies
}

// errorsPart matches what follows the name of a case on its line. Package testing puts the
// number of CPUs there, except on one CPU.
var errorsPart = regexp.MustCompile(`^(?:-\d+)?\s.*\s([0-9.]+) errors`)

// errorsOf returns the errors on the line of a case; -1 for no line.
func errorsOf(name, out string) int {
	for line := range strings.Lines(out) {
		rest, is := strings.CutPrefix(line, name)
		if part := errorsPart.FindStringSubmatch(rest); is && part != nil {
			n, _ := strconv.ParseFloat(part[1], 64)
			return int(n)
		}
	}
	return -1
}
