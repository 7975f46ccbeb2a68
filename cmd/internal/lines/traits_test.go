package lines

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatTellsLinesApart(t *testing.T) {
	for about, c := range map[string]struct{ first, second, words, other, refused string }{
		"repeats are alike":                    {"pkg: a\nBenchmarkA-2", "BenchmarkA-2", "", "", ""},
		"a line without a suffix has one proc": {"BenchmarkA", "BenchmarkA-2", "1 proc", "2 procs", "procs: 1 and 2"},
		"packages may have one name":           {"pkg: x/a\nBenchmarkA", "pkg: x/b\nBenchmarkA", "package x/a", "package x/b", "package: x/a and x/b"},
		"cores may be shared or not":           {"pin: 0/1\nBenchmarkA", "pin: off\nBenchmarkA", "pin 0/1", "pin off", "pin: 0/1 and off"},
		"a server may have more procs":         {"server-procs: 1\nBenchmarkA", "server-procs: 2\nBenchmarkA", "server-procs 1", "server-procs 2", "server-procs: 1 and 2"},
		"a kernel does other work":             {"kernel: 6.1\nBenchmarkA", "kernel: 6.2\nBenchmarkA", "kernel 6.1", "kernel 6.2", "kernel: 6.1 and 6.2"},
		"a framework is of a version":          {"kitex: v1.0.0\nBenchmarkA", "kitex: v1.1.0\nBenchmarkA", "kitex v1.0.0", "kitex v1.1.0", "the version of kitex: v1.0.0 and v1.1.0"},
		"so is Go":                             {"go: go1.26.8\nBenchmarkA", "go: go1.27.0\nBenchmarkA", "go go1.26.8", "go go1.27.0", "the version of go: go1.26.8 and go1.27.0"},
		"its runtime is set":                   {"gogc: 100\nBenchmarkA", "gogc: off\nBenchmarkA", "gogc 100", "gogc off", "gogc: 100 and off"},
		"a setting that looks like a version":  {"goamd64: v1\nBenchmarkA", "goamd64: v3\nBenchmarkA", "goamd64 v1", "goamd64 v3", "goamd64: v1 and v3"},
		"an experiment of the compiler":        {"goexperiment: none\nBenchmarkA", "goexperiment: x\nBenchmarkA", "goexperiment none", "goexperiment x", "goexperiment: none and x"},
		"calls may have a deadline or none":    {"rate-workers: 5\nBenchmarkA", "rate-workers: 5\ncall-timeout: 1s\nBenchmarkA", "call-timeout none", "call-timeout 1s", "call-timeout: none and 1s"},
		"workers of rates make no other calls": {"rate-workers: 5\nBenchmarkA", "rate-workers: 9\nBenchmarkA", "", "", ""},
		"a version counts in its package":      {"pkg: a\ngob: v1.1.0\nBenchmarkA", "pkg: b\ngob: v1.2.0\nBenchmarkA", "package a", "package b", "package: a and b"},
		"of a file without a setting any":      {"gogc: 100\nBenchmarkA", "BenchmarkA", "", "", ""},
		"a day tells no lines apart":           {"date: 2026-01-01\ncommit: a\nBenchmarkA", "date: 2026-01-02\ncommit: b\nBenchmarkA", "", "", ""},
		"nor does what history compares":       {"version: v1.0.0\nBenchmarkA", "version: v1.1.0\nBenchmarkA", "", "", ""},
		"two differences are both told":        {"pin: 0/1\nBenchmarkA", "pin: off\nBenchmarkA-2", "1 proc, pin 0/1", "2 procs, pin off", "procs: 1 and 2"},
		"other names are no repeats":           {"pin: 0/1\nBenchmarkA", "pin: off\nBenchmarkB", "", "", ""},
	} {
		text, _, err := read(t, header+c.first+" 1 5 ns/op\n", header+c.second+" 1 5 ns/op\n")
		require.NoError(t, err, about)
		list := Apart(text.Lines, Fields()...)
		assert.Equal(t, []string{c.words, c.other}, []string{list[0].Get(ApartKey), list[1].Get(ApartKey)}, about)
		assert.Empty(t, text.Lines[0].Get(ApartKey), "the lines that are given stay")
		err = Repeats(text.Lines, func(l Line) string { return l.Full }, Fields()...)
		if c.refused == "" {
			assert.NoError(t, err, about)
			continue
		}
		assert.EqualError(t, err, "lines of BenchmarkA differ in "+c.refused+"; give them as files of their own", about)
	}
}

// Calls that are due at times are made otherwise by other workers, arrivals and waits.
func TestSettingsOfRates(t *testing.T) {
	for about, c := range map[string]struct{ first, second, words, other string }{
		"workers":                       {"rate-workers: 5", "rate-workers: 9", "rate-workers 5", "rate-workers 9"},
		"arrivals":                      {"rate-arrivals: poisson", "rate-arrivals: constant", "rate-arrivals poisson", "rate-arrivals constant"},
		"who does not say it is awake":  {"rate-workers: 5", "rate-workers: 5\nrate-wait: quiet", "rate-wait awake", "rate-wait quiet"},
		"a text that says it, as older": {"rate-wait: awake", "goos: linux", "", ""},
	} {
		text, _, err := read(t, header+c.first+"\nBenchmarkA 1 5 calls/s\n", header+c.second+"\nBenchmarkA 1 5 calls/s\n")
		require.NoError(t, err, about)
		list := Apart(text.Lines, Fields()...)
		assert.Equal(t, []string{c.words, c.other}, []string{list[0].Get(ApartKey), list[1].Get(ApartKey)}, about)
	}
}

// A third line that lacks what two others differ in is of neither.
func TestALineThatDoesNotSay(t *testing.T) {
	plain := strings.ReplaceAll(header, "kitex: v0.16.3\n", "")
	text, _, err := read(t, plain+"gogc: 100\nBenchmarkA 1 5 ns/op\n", plain+"gogc: off\nBenchmarkA 1 5 ns/op\n", plain+"BenchmarkA 1 5 ns/op\n")
	require.NoError(t, err)
	assert.Equal(t, "gogc unknown", Apart(text.Lines, Fields()...)[2].Get(ApartKey))
}
