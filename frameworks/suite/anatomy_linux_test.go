package suite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnatomy: each line has a record, and profiles of both sides beside it.
func TestAnatomy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, said, code := self(t, measuring("Echo", "-framework=tiny", "-size=1B,1KiB", "-conc=10", "-anatomy="+dir)...)
	require.Zero(t, code, said)
	assert.NotContains(t, said, "runtime: ", "the runtime's words on the rate are kept back")
	files, err := filepath.Glob(filepath.Join(dir, "Echo,framework=tiny,*.json"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		for _, side := range []string{"client", "server"} {
			info, err := os.Stat(strings.TrimSuffix(file, ".json") + "." + side + ".pprof")
			require.NoError(t, err)
			assert.Positive(t, info.Size())
		}
		var one struct {
			Config  map[string]string
			Metrics map[string]float64
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &one))
		tick, err := time.ParseDuration(one.Config["sample"])
		require.NoError(t, err)
		assert.Positive(t, tick)
		assert.Positive(t, one.Metrics["client-cpu-ns/op"])
		assert.Contains(t, one.Metrics, "client-monitor-ns/op")
		assert.Contains(t, one.Metrics, "server-monitor-ns/op")
	}
}

// TestClientProfile is of the calls alone.
func TestClientProfile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "client")
	_, said, code := self(t, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=10", "-client-cpuprofile="+file)...)
	require.Zero(t, code, said)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Positive(t, info.Size())

	_, said, code = self(t, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=10", "-client-cpuprofile="+file, "-test.cpuprofile="+file+"2")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "# profile: of the client: cpu profiling already in use\n", "a process has one")
}

// TestAnatomiesThatCannotBeHad are refused before anything is measured.
func TestAnatomiesThatCannotBeHad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		about, want string
		args        []string
	}{
		{"two clients", "-anatomy -clients=2: a profile of the client needs the calls of one client", measuring("Echo", "-clients=2", "-anatomy="+dir)},
		{"two servers", "has 2 servers, and a profile is of one", measuring("Cluster", "-framework=tiny", "-servers=2", "-anatomy="+dir)},
		{"a server that breaks", "-anatomy -fault=kill: a server that breaks keeps no profile: leave one out", measuring("Echo", "-framework=tiny", "-fault=kill", "-anatomy="+dir)},
		{"counts", "counts are of 200 calls, too few for a profile: use Echo", measuring("Count", "-framework=tiny", "-anatomy="+dir)},
		{"another profile", "-anatomy takes CPU profiles of both sides: leave the flags of other profiles out", measuring("Echo", "-framework=tiny", "-server-trace=x", "-anatomy="+dir)},
		{"a benchmark that measures in its own way", "first calls take neither -fault nor profiles: use Conn", measuring("Dial", "-framework=tiny", "-anatomy="+dir)},
		{"a server that runs already", "-fault, -pprof, -anatomy and profiles of the server need a server that this process starts", measuring("Echo", "-framework=tiny", "-server=127.0.0.1:1", "-anatomy="+dir)},
		{"a directory that cannot be made", "-anatomy=/dev/null/x: ", measuring("Echo", "-framework=tiny", "-size=1B", "-conc=10", "-anatomy=/dev/null/x")},
	} {
		out, said, code := self(t, c.args...)
		assert.Equal(t, 2, code, c.about)
		assert.Contains(t, said, c.want, c.about)
		assert.Empty(t, resultLines(out), c.about)
	}
}
