package suite

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/cpu"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/race"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// knownRun is a benchmark of the codec known, and what its line must say.
type knownRun struct {
	about string
	name  string // of the line, behind codec=known
	flags string
	ops   int // that the last round does
	set   int // of the messages that are taken in turn
	procs int
	calls []string // the functions that an operation calls, one after the other
	news  int      // how many natives an operation allocates
	sizes bool     // MB/s and the sizes are printed
}

var knownRuns = []knownRun{
	{"encoding into memory that is there", "op=marshal", "", 512, 256, 1, []string{"append"}, 0, true},
	{"encoding into new memory", "op=marshal_fresh", "", 512, 256, 1, []string{"marshal"}, 0, true},
	{"decoding into a new native", "op=unmarshal", "", 512, 256, 1, []string{"unmarshal"}, 1, true},
	{"decoding into a used one, which is reset first", "op=unmarshal_reuse", "", 512, 256, 1, []string{"reset", "unmarshal"}, 0, true},
	{"reading what was decoded", "op=touch", "", 512, 256, 1, []string{"unmarshal", "touch"}, 1, true},
	{"messages that do not fit into the caches", "op=marshal", "-data=cold", 8192, 4096, 1, []string{"append"}, 0, true},
	{"encoding on one core", "op=marshal_fresh", "-test.cpu=1", 1024, 32, 1, []string{"marshal"}, 0, false},
	{"encoding on two", "op=marshal_fresh", "-test.cpu=2", 1024, 32, 2, []string{"marshal"}, 0, false},
	{"decoding on two", "op=unmarshal", "-test.cpu=2", 1024, 32, 2, []string{"unmarshal"}, 1, false},
}

// TestColumns asserts the value of every column of every operation with a codec whose
// calls cost what is known: calls, allocations, bytes and sizes exactly, and times so
// that half and double are found. Where the machine had other work, times are taken
// again.
func TestColumns(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates too")
	}
	for _, r := range knownRuns {
		t.Run(r.about, func(t *testing.T) {
			columns, calls := r.run(t)
			for range 3 {
				if r.wrongTimes(columns, calls) == nil {
					break
				}
				columns, calls = r.run(t)
			}
			r.checkCalls(t, calls)
			assert.NoError(t, r.wrongTimes(columns, calls))
			r.checkFixed(t, columns)
			assert.Empty(t, columns, "columns that nothing is known of")
		})
	}
}

// TestOneOperationWithoutItsSetUp asserts that the clock starts behind the set-up, which
// encodes 256 messages for 10 µs each. Of later rounds it is no part anyway.
func TestOneOperationWithoutItsSetUp(t *testing.T) {
	r := knownRun{name: "op=unmarshal", ops: 1, set: 256, procs: 1, calls: []string{"unmarshal"}, sizes: true}
	var columns map[string]float64
	var calls []call
	for range 4 { // again where the machine had other work
		columns, calls = r.run(t)
		if columns["ns/op"] < float64(calls[0].Took)+1e6 {
			break
		}
	}
	assert.Less(t, columns["ns/op"], float64(calls[0].Took)+1e6)
	assert.Less(t, columns["cpu-ns/op"], 1e6)
	assert.Greater(t, columns["ns/op"], 0.9*float64(calls[0].Took))
}

// run returns the columns of the only line, by unit, and the calls of its last round.
func (r knownRun) run(t *testing.T) (map[string]float64, []call) {
	file := filepath.Join(t.TempDir(), "calls.json")
	top := map[bool]string{true: "Codec", false: "Parallel"}[r.sizes]
	args := append([]string{
		"-test.run=^$", "-test.benchtime=" + strconv.Itoa(r.ops) + "x", "-test.cpu=1",
		"-test.bench=^Benchmark" + top + "$/codec=known/msg=small/" + r.name + "$",
	}, strings.Fields(r.flags)...)
	out, errOut, code := selfIn(t, "", []string{callsFile + "=" + file}, args...)
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var calls []call
	require.NoError(t, json.Unmarshal(text, &calls))
	require.GreaterOrEqual(t, len(calls), r.ops*len(r.calls))
	return r.line(t, top, out), calls[len(calls)-r.ops*len(r.calls):]
}

// line reads the one line of a run. Its name has all keys in their order.
func (r knownRun) line(t *testing.T, top, out string) map[string]float64 {
	var lines [][]string
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "Benchmark") {
			lines = append(lines, fields)
		}
	}
	require.Len(t, lines, 1, out)
	name := "Benchmark" + top + "/codec=known/msg=small/" + r.name + "/mode=planted"
	if r.set == bed.Cold {
		name += "/data=cold"
	}
	if r.procs > 1 {
		name += fmt.Sprint("-", r.procs)
	}
	assert.Equal(t, []string{name, strconv.Itoa(r.ops)}, lines[0][:2])
	columns := map[string]float64{}
	for i := 2; i < len(lines[0]); i += 2 {
		v, err := strconv.ParseFloat(lines[0][i], 64)
		require.NoError(t, err)
		require.NotContains(t, columns, lines[0][i+1])
		columns[lines[0][i+1]] = v
	}
	return columns
}

// checkCalls asserts that the last round called what it should, as often as it should,
// on one message of the set after the other.
func (r knownRun) checkCalls(t *testing.T, calls []call) {
	met := map[call]int{}
	for i, c := range calls {
		c.Took = 0
		met[c]++
		if r.procs == 1 && r.sizes {
			at := i / len(r.calls)
			want := call{r.calls[i%len(r.calls)], at % r.set, 0}
			if c.Function == "reset" { // of the native as the last operation left it
				want.Number = (at + r.set - 1) % r.set
			}
			if at > 0 && !assert.Equal(t, want, c, "call %d", i) {
				break
			}
		}
	}
	for _, function := range r.calls {
		for number := range r.set {
			assert.InDelta(t, r.ops/r.set, met[call{function, number, 0}], float64(2*r.procs), "%s of message %d", function, number)
		}
	}
	assert.Len(t, met, r.set*len(r.calls), "no other function, no other message")
}

// wrongTimes is the error of a time that is not what the calls took. What the machine
// does beside makes ns/op longer, and the calls, by the same clock.
func (r knownRun) wrongTimes(columns map[string]float64, calls []call) error {
	var clock, used time.Duration
	for _, c := range calls {
		clock += c.Took
	}
	for _, function := range r.calls {
		used += costOf[function].cpu
	}
	took := float64(clock) / float64(r.ops) / float64(r.procs)
	if v := columns["ns/op"]; v < 0.75*took || v > 1.4*took {
		return fmt.Errorf("%v ns/op; the calls took %v by the clock", v, took)
	}
	if v := columns["cpu-ns/op"]; cpu.Time() > 0 && (v < 0.95*float64(used) || v > 1.9*float64(used)) { // twice is found
		return fmt.Errorf("%v cpu-ns/op; the calls took %v", v, used)
	}
	return nil
}

// checkFixed asserts the columns that the machine has no part in, and deletes all that
// were asserted.
func (r knownRun) checkFixed(t *testing.T, columns map[string]float64) {
	allocs, size := float64(r.news), float64(r.news*64)
	for _, function := range r.calls {
		allocs += float64(costOf[function].allocs)
		size += float64(costOf[function].allocs * allocBytes)
	}
	if r.sizes {
		assert.Equal(t, allocs, columns["allocs/op"])
		assert.InDelta(t, size, columns["B/op"], 2, "the process itself allocates a little")
		encoded, gz, zs := knownSizes()
		assert.Equal(t, encoded, columns["encoded-B"])
		assert.InDelta(t, gz, columns["gz-B"], 0.06, "as it is printed")
		assert.InDelta(t, zs, columns["zstd-B"], 0.06, "as it is printed")
		rate := encoded * 1000 / columns["ns/op"]
		assert.InDelta(t, rate, columns["MB/s"], 0.006+rate/100, "it is printed with two decimals")
	} else { // a goroutine's last batch may end before its messages do
		assert.InDelta(t, allocs, columns["allocs/op"], 1)
		assert.InDelta(t, size, columns["B/op"], 100)
	}
	units := []string{"ns/op", "cpu-ns/op", "allocs/op", "B/op"}
	if r.sizes {
		units = append(units, "encoded-B", "gz-B", "zstd-B", "MB/s")
	}
	for _, unit := range units {
		delete(columns, unit)
	}
}

// knownSizes are the mean sizes of the first 64 encodings of small, compressed each by
// a compressor of its own.
func knownSizes() (encoded, gz, zs float64) {
	const n = 64
	for _, src := range newKnownTable(messages.KindSmall, 300).encodings[:n] {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(src)
		w.Close()
		z, err := zstd.NewWriter(nil)
		if err != nil {
			panic(err)
		}
		encoded += float64(len(src)) / n
		gz += float64(packed.Len()) / n
		zs += float64(len(z.EncodeAll(src, nil))) / n
	}
	return encoded, gz, zs
}
