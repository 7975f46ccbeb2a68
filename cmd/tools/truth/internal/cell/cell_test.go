//go:build unix

package cell

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shortRig measures cells of 0.4 s.
func shortRig(t *testing.T) Rig {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return Rig{Self: self, Duration: 400 * time.Millisecond, Seed: 7, Machine: "a machine"}
}

// TestCells runs our own modes against each server. Other tests and programs may need the
// CPUs: what is asserted are counts, and that nobody waited less than the arithmetic says.
func TestCells(t *testing.T) {
	rig := shortRig(t)
	for _, m := range own.Modes(rig.Self) {
		for _, kind := range planted.Kinds() {
			c := Cell{Kind: kind, Rate: 500, Mode: m, Version: "1"}
			t.Run(c.Name(), func(t *testing.T) {
				if m.Name == own.Poisson && kind != planted.Queue {
					t.Skip("random arrivals are for the queue")
				}
				t.Parallel()
				checkOwn(t, rig.Measure(t.Context(), c, 1), failing(kind))
			})
		}
	}
}

// failing is how many of 200 calls fail.
func failing(kind planted.Kind) int64 {
	switch kind {
	case planted.Wrong:
		return 20
	case planted.Dropping:
		return 4
	}
	return 0
}

func checkOwn(t *testing.T, r record.Record, failed int64) {
	t.Helper()
	require.Empty(t, r.Error)
	assert.Zero(t, r.Lost(), "calls lost")
	assert.Equal(t, r.Asked, r.Said.OK+r.Said.Failed, "calls told")
	if !r.Random {
		assert.EqualValues(t, 200, r.Asked)
	}
	if r.Kind == planted.Dropping && r.Protocol == tool.GRPC {
		assert.GreaterOrEqual(t, r.Said.Failed, failed, "others fail with the connection")
	} else {
		assert.Equal(t, r.Asked, r.Made)
		assert.Equal(t, failed, r.Failed)
		assert.Equal(t, failed, r.Said.Failed)
	}
	assert.Greater(t, r.Said.P99, (r.Truth.P99-r.Floor)*6/10, "hardly anybody waits for less than planted, unless the first call is late")
	assert.Less(t, r.Said.P99, r.Truth.P99+5*time.Second)
	assert.Positive(t, r.CPU)
	assert.Equal(t, r.Kind == planted.Stopped, r.Stood.To > r.Stood.From)
}

// badMode is a mode whose program is args, or that cannot even say what it is.
func badMode(err error, args ...string) tool.Mode {
	return tool.Mode{
		Tool: "bad", Name: "default", Protocol: tool.HTTP,
		Command: func(tool.Target) ([]string, error) { return args, err },
		Read: func(_ tool.Target, stdout []byte) (said tool.Said, err error) {
			return said, json.Unmarshal(stdout, &said)
		},
	}
}

func TestBadTools(t *testing.T) {
	rig := shortRig(t)
	for _, c := range []struct {
		about     string
		mode      tool.Mode
		say, note string
	}{
		{"it is missing", badMode(nil, "/nowhere/vegeta"), "fork/exec /nowhere/vegeta: no such file or directory", ""},
		{"its script cannot be written", badMode(errors.New("no space:\nnone")), `no space:\nnone`, ""},
		{"it fails", badMode(nil, rig.Self, "fail"), "bad: exit status 2: no such option: -rate", ""},
		{"nobody can read what it says", badMode(nil, rig.Self, "babble"), "bad said what cannot be read: invalid character 'a' looking for beginning of value", ""},
		{"it ends with an error since calls have failed", badMode(nil, rig.Self, "errors"), "", "exit status 3"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			r := rig.Measure(t.Context(), Cell{Kind: planted.Plain, Rate: 1000, Mode: c.mode}, 1)
			assert.Equal(t, c.say, r.Error)
			assert.Equal(t, c.note, r.Note)
			assert.Equal(t, "plain1000/http/bad/default", r.Cell)
		})
	}
}

// TestMissing: nothing is started for a tool that could not be installed.
func TestMissing(t *testing.T) {
	r := Rig{Self: "/nowhere/truth"}.Measure(t.Context(), Cell{Kind: planted.Slow, Mode: badMode(nil), Missing: errors.New("bad needs cargo")}, 2)
	assert.Equal(t, "bad needs cargo", r.Error)
	assert.Equal(t, 2, r.Run)
}

// TestHanging: a tool that does not end is killed.
func TestHanging(t *testing.T) {
	t.Parallel()
	target := tool.Target{Dir: t.TempDir()}
	_, err := runBounded(t.Context(), 300*time.Millisecond, []string{shortRig(t).Self, "hang"}, badMode(nil), target)
	assert.EqualError(t, err, "bad did not end within 300ms and was killed")
}

// TestInterrupt: the end of the context ends the tool.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	r := shortRig(t).Measure(ctx, Cell{Kind: planted.Plain, Rate: 1000, Mode: badMode(nil, shortRig(t).Self, "hang")}, 1)
	assert.NotEmpty(t, r.Error)
	assert.Less(t, time.Since(start), 20*time.Second)
}

func TestBadServers(t *testing.T) {
	t.Parallel()
	plan := planted.Of(planted.Frozen, time.Second, 1)
	_, err := startServer(t.Context(), "/nowhere/truth", tool.HTTP, plan)
	assert.ErrorContains(t, err, "no such file or directory")
	_, err = startServer(t.Context(), shortRig(t).Self, "", planted.Plan{})
	assert.EqualError(t, err, `the server died: exit status 1: protocol "": neither http nor grpc`)

	s, err := startServer(t.Context(), shortRig(t).Self, tool.HTTP, plan)
	require.NoError(t, err)
	require.NoError(t, s.cmd.Process.Kill())
	_, err = s.next()
	assert.EqualError(t, err, "the server died: signal: killed")
	assert.EqualError(t, s.died(), "the server died: signal: killed")
	assert.Error(t, s.begin())
	s.stop()
}

func TestEnoughCores(t *testing.T) {
	assert.NoError(t, enoughCores(2))
	assert.EqualError(t, enoughCores(1), "1 core: the server and the tool need one each")
}

func TestModel(t *testing.T) {
	assert.Equal(t, "AMD EPYC", model("processor\t: 0\nmodel name\t: AMD EPYC\nmodel name\t: other\n"))
	assert.NotEmpty(t, model(""), "where there is no such file")
	assert.NotContains(t, Machine(), "\n")
}

func TestLastLine(t *testing.T) {
	printed := bounded.Buffer{Most: bounded.Messages}
	assert.Empty(t, lastLine(&printed))
	for _, text := range []string{"one\n", "two\n", "three \n\n"} {
		n, err := printed.Write([]byte(text))
		assert.Equal(t, len(text), n)
		assert.NoError(t, err)
	}
	assert.Equal(t, "three", lastLine(&printed))
}
