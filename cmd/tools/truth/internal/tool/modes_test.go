package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCommands compares the command of each mode, with GET and for HTTP with POST, with
// testdata/commands.txt.
func TestCommands(t *testing.T) {
	want, err := os.ReadFile("testdata/commands.txt")
	require.NoError(t, err)
	var got strings.Builder
	for _, m := range Modes("/tools") {
		got.WriteString(shown(t, m, false))
		if m.Protocol == HTTP {
			got.WriteString(shown(t, m, true))
		}
	}
	assert.Equal(t, string(want), got.String())
}

// shown is a mode with its command as text, with the files that the command wrote.
func shown(t *testing.T, m Mode, post bool) string {
	dir := t.TempDir()
	target := Target{
		Protocol: m.Protocol, Address: "127.0.0.1:8080", Post: post,
		Rate: 500, Duration: 10 * time.Second, Calls: 5000, Dir: dir,
	}
	args, err := m.Command(target)
	require.NoError(t, err)
	files, err := filepath.Glob(dir + "/*")
	require.NoError(t, err)
	text := strings.Join(args, " ")
	for _, f := range files {
		text += " +" + filepath.Base(f)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, dir, "RUN"), "\n", `\n`)
	return string(m.Protocol) + "/" + m.Tool + "/" + m.Name + ": " + text + "\n"
}

// TestModes: there are as many as a run of all cells has time for, no two of a protocol have
// one name, and only tools without a rate are closed.
func TestModes(t *testing.T) {
	counts, closed, seen := map[Protocol]int{}, []string{}, map[string]bool{}
	for _, m := range Modes("/tools") {
		counts[m.Protocol]++
		name := string(m.Protocol) + "/" + m.Tool + "/" + m.Name
		assert.False(t, seen[name], name)
		assert.NotEmpty(t, m.Options, name)
		seen[name] = true
		if m.Closed {
			closed = append(closed, m.Tool)
		}
	}
	assert.Equal(t, map[Protocol]int{HTTP: 15, GRPC: 5}, counts)
	assert.Equal(t, []string{"wrk", "ab"}, closed)
}

// TestNowhere: a directory that is not there is an error of modes that write into it.
func TestNowhere(t *testing.T) {
	target := Target{Address: "127.0.0.1:8080", Post: true, Rate: 500, Duration: time.Second, Dir: "/nowhere"}
	for _, m := range []Mode{vegeta("vegeta")[0], k6("k6")[0], ghz("ghz")[0], ab("ab")[0], wrk("wrk")[0], h2load("h2load")[0]} {
		_, err := m.Command(target)
		assert.ErrorContains(t, err, "write for the tool: open /nowhere/", m.Tool)
	}
}

// TestSpread: the starts of h2load's clients are spread at any rate that divides a second.
func TestSpread(t *testing.T) {
	for _, row := range []struct {
		rate int
		want string
	}{
		{200, "--rps 2 -r 1 --rate-period 5ms"},
		{500, "--rps 5 -r 1 --rate-period 2ms"},
		{20000, "--rps 200 -r 20 --rate-period 1ms"},
	} {
		args, err := h2load("h2load")[0].Command(Target{Rate: row.rate, Duration: time.Second, Dir: t.TempDir()})
		require.NoError(t, err)
		assert.Contains(t, strings.Join(args, " "), row.want)
	}
}
