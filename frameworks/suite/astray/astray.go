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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
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
// variant. Each line must count the very replies that went astray, and the run exit with 1.
func Counted(t *testing.T, variants ...Framed) {
	if testing.Short() {
		t.Skip("it makes a run of this binary")
	}
	variants = slices.DeleteFunc(variants, func(v Framed) bool { return raceDetector && v.Races != (framework.Races{}) })
	if len(variants) == 0 {
		t.Skip("under the race detector: they have races of their own")
	}
	proxies := stand(t, variants)
	args := []string{
		"-test.run=^$", "-test.bench=^BenchmarkEcho$", fmt.Sprintf("-test.benchtime=%dx", calls),
		"-size=1KiB", fmt.Sprintf("-conc=%d", callers), fmt.Sprintf("-conns=%d", callers),
	}
	for i, v := range variants {
		args = append(args, "-server="+v.ID()+"@"+proxies[i].addr)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, said, code, err := host.Again(ctx, args...)
	require.NoError(t, err)
	assert.Equal(t, 1, code, "%s%s", out, said)
	for i, v := range variants {
		counted(t, v, proxies[i].astray(calls), out)
	}
	assert.Equal(t, len(variants), strings.Count(said, "× reply: not what was sent"), said)
}

// counted compares the errors of a variant's line with the faults.
func counted(t *testing.T, v Framed, faults map[string]int, out string) {
	name := fmt.Sprintf("%s/size=1KiB/conc=%d%s", v.Keys(), callers, v.OptionalKeys())
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
		p := &proxy{addr: l.Addr().String(), server: s.Addr(), framing: v.Framing, last: map[string][]byte{}}
		go p.accept(l)
		proxies = append(proxies, p)
	}
	return proxies
}

var errorsPart = regexp.MustCompile(`\s([0-9.]+) errors`)

// errorsOf returns the errors on the line of a case; -1 for no line.
func errorsOf(name, out string) int {
	for line := range strings.Lines(out) {
		if part := errorsPart.FindStringSubmatch(line); part != nil && strings.HasPrefix(line, "BenchmarkEcho/"+name+"-") {
			n, _ := strconv.ParseFloat(part[1], 64)
			return int(n)
		}
	}
	return -1
}
