//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/cell"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain has this binary be the command's children.
func TestMain(m *testing.M) {
	if is, err := cell.Child(context.Background(), os.Args[1:], os.Stdin, os.Stdout); is {
		if err != nil {
			os.Exit(failed)
		}
		return
	}
	os.Exit(m.Run())
}

// command runs the command, and returns its exit code, output and messages.
func command(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	var stdout, stderr strings.Builder
	code = run(t.Context(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// TestTruth measures a cell, and the same command again has nothing left to measure.
func TestTruth(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	args := []string{"-dir=" + dir, "-time=1s", "-runs=1", "-only=^frozen/http/loadgen"}
	code, first, said := command(t, args...)
	require.Zero(t, code, said)
	assert.Contains(t, first, "\nfrozen, HTTP/1.1, 500 calls/s for 1s\n")
	assert.Regexp(t, `(?m)^loadgen default .* 500 +500 +0 +0 `, first)
	assert.Regexp(t, `^1 cells, 1 runs to do\n1/1 frozen/http/loadgen/default, run 1: p99 \S+ of \S+; 0s left\n$`, said)

	code, again, said := command(t, args...)
	assert.Zero(t, code)
	assert.Equal(t, first, again)
	assert.Equal(t, "1 cells, 0 runs to do\n", said)
	code, table, said := command(t, "-dir="+dir, "-table")
	assert.Zero(t, code)
	assert.Equal(t, first, table)
	assert.Empty(t, said)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said strings.Builder
	dir := t.TempDir()
	assert.Equal(t, failed, run(ctx, []string{"-dir=" + dir, "-only=^slow/http/loadgen"}, &said, &said))
	assert.Contains(t, said.String(), "truth: interrupted: the same command goes on where it was\n")
	all, err := record.ReadAll(dir, 1)
	assert.NoError(t, err)
	assert.Empty(t, all, "a run that was interrupted leaves no record")
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		about, arg, say string
		code            int
	}{
		{"an unknown flag", "-run=3", "unknown flag -run; did you mean -runs?", badInput},
		{"an argument", "frozen", `"frozen": there are flags alone, and no arguments; -h lists the flags`, badInput},
		{"no runs", "-runs=0", "-runs=0: must be at least 1, and at most 100", badInput},
		{"no time", "-time=1ms", "-time=1ms: must be whole seconds, from 1s to 10m0s", badInput},
		{"tools that count seconds", "-time=1500ms", "-time=1.5s: must be whole seconds, from 1s to 10m0s", badInput},
		{"a number without a unit", "-time=10", "-time=10: must be a duration, as in 10s or 500ms", badInput},
		{"a seed", "-seed=-1", "-seed=-1: must be at least 0", badInput},
		{"a pattern", "-only=(", "-only=(: error parsing regexp: missing closing ): `(`", badInput},
		{"nothing matches", "-only=nobody", "-only=nobody: no cell matches; -list without -only lists all", failed},
		{"no directory", "-dir=", "-dir is empty: it must name the directory of the records", badInput},
	} {
		code, out, said := command(t, c.arg)
		assert.Equal(t, c.code, code, c.about)
		assert.Equal(t, "truth: "+c.say+"\n", said, c.about)
		assert.Empty(t, out, c.about)
	}
	code, _, said := command(t, "-table", "-list")
	assert.Equal(t, badInput, code)
	assert.Equal(t, "truth: -table and -list exclude each other\n", said)
	code, _, said = command(t, "-table", "-dir=nowhere")
	assert.Equal(t, failed, code)
	assert.Equal(t, "truth: nowhere has no records with the seed 1\n", said)
}

func TestHelp(t *testing.T) {
	code, out, said := command(t, "-help")
	assert.Zero(t, code)
	assert.Empty(t, said)
	assert.Contains(t, out, "Usage: truth [FLAG...]")
	assert.Contains(t, out, "-only expression")
}

func TestList(t *testing.T) {
	code, out, _ := command(t, "-list", "-only=loadgen")
	assert.Zero(t, code)
	for _, name := range []string{"frozen/http/loadgen/default", "queue/grpc/loadgen/Poisson", "plain20000/http/loadgen/default"} {
		assert.Contains(t, strings.Split(out, "\n"), name)
	}
	assert.NotContains(t, out, "frozen/http/loadgen/Poisson")
	assert.NotContains(t, out, "plain1000/grpc")
}

// TestTasks: all cells are run once before any is run again, closed loops are run once, and what
// is done is left out.
func TestTasks(t *testing.T) {
	o := options{dir: t.TempDir(), seed: 4, runs: 2}
	mode := func(name string) tool.Mode { return tool.Mode{Tool: name, Name: "default", Protocol: tool.HTTP} }
	closed := mode("c")
	closed.Closed = true
	all, err := cells([]tool.Mode{mode("a"), mode("b"), closed}, regexp.MustCompile("slow"))
	require.NoError(t, err)
	done := record.Record{Cell: "slow/http/b/default", Seed: 4, Run: 1}
	failed := record.Record{Cell: "slow/http/a/default", Seed: 4, Run: 1, Error: "no a"}
	require.NoError(t, done.Write(o.dir))
	require.NoError(t, failed.Write(o.dir))
	var got []string
	for _, k := range o.tasks(all) {
		got = append(got, k.cell.Name()+[]string{"", " 1", " 2"}[k.run])
	}
	assert.Equal(t, []string{"slow/http/a/default 1", "slow/http/c/default 1", "slow/http/a/default 2", "slow/http/b/default 2"}, got)
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		about string
		kind  planted.Kind
		mode  tool.Mode
		want  bool
	}{
		{"random arrivals are for the queue", planted.Queue, tool.Mode{Tool: own.Tool, Name: own.Poisson, Random: true}, true},
		{"and for no other", planted.Frozen, tool.Mode{Tool: own.Tool, Name: own.Poisson, Random: true}, false},
		{"all tools are run against servers with planted times", planted.Slow, tool.Mode{Tool: "hey"}, true},
		{"the cheapest tools are compared by CPU", planted.Plain, tool.Mode{Tool: "vegeta", Name: "default", Protocol: tool.HTTP}, true},
		{"as they are best used", planted.Plain, tool.Mode{Tool: "vegeta", Name: "8 workers", Protocol: tool.HTTP}, false},
		{"and ours with more slack", planted.Plain, tool.Mode{Tool: own.Tool, Name: own.Loose, Protocol: tool.HTTP}, true},
		{"which other servers do not need", planted.Frozen, tool.Mode{Tool: own.Tool, Name: own.Loose, Protocol: tool.HTTP}, false},
		{"the others are not", planted.Plain, tool.Mode{Tool: "hey", Protocol: tool.HTTP}, false},
	} {
		assert.Equal(t, c.want, has(c.kind, c.mode), c.about)
	}
}

func TestProgress(t *testing.T) {
	r := record.Record{Cell: "frozen/http/hey/default", Run: 2}
	r.Said.P99 = 3_123_456
	assert.Equal(t, "frozen/http/hey/default, run 2: p99 3.12ms; 1m30s left", progress(r, left(time.Minute, 2, 5)))
	r.Truth.P99 = 190 * time.Millisecond
	assert.Equal(t, "frozen/http/hey/default, run 2: p99 3.12ms of 190ms; 0s left", progress(r, 0))
	r.Error = "hey is not installed"
	assert.Equal(t, "frozen/http/hey/default, run 2: hey is not installed; 0s left", progress(r, 0))
}
