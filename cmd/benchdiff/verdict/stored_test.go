package verdict

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// storedRuns keeps what many runs of each framework's Count have counted, a line for each
// unit: how often it was which figure, as in
//
//	BenchmarkCount/framework=grpc/size=1KiB segs/op 2×199 2.01
const storedRuns = "testdata/counts.txt"

// The file is made of result lines, which is all that this takes:
//
//	bin/benchrounds -n=200 counts.txt=bin/grpc.test counts.txt=bin/tcp.test -- -test.run='^$' \
//		-test.bench='^BenchmarkCount$' -test.benchtime=1x -set=recommended -size=1KiB -references=false
//	go test -C cmd/benchdiff/verdict -run=StoredRuns . -record=../../../counts.txt
var recordRuns = flag.String("record", "", "keep the counts in this `file` of result lines for the tests, instead of what they have")

// stored are the figures of each unit of each benchmark, by runs.
type stored map[string]map[string][]float64

// record writes what the runs in a file have counted.
func record(t *testing.T, file string) {
	t.Helper()
	runs, err := Read(file)
	require.NoError(t, err)
	var text strings.Builder
	for _, c := range runs.cases {
		for _, u := range units {
			if values := runs.values(c.Full, u.name); u.judged() && len(values) > 0 {
				fmt.Fprintf(&text, "%s %s%s\n", c.Full, u.name, compact(values))
			}
		}
	}
	require.NoError(t, os.WriteFile(storedRuns, []byte(text.String()), 0o666))
}

// compact has each value once, and how often it is there.
func compact(values []float64) (text string) {
	times := map[float64]int{}
	for _, v := range values {
		times[v]++
	}
	for _, v := range slices.Sorted(maps.Keys(times)) {
		text += " " + strconv.FormatFloat(v, 'g', -1, 64)
		if times[v] > 1 {
			text += fmt.Sprintf("×%d", times[v])
		}
	}
	return text
}

func readStored(t *testing.T) stored {
	t.Helper()
	if *recordRuns != "" {
		record(t, *recordRuns)
	}
	text, err := os.ReadFile(storedRuns)
	require.NoError(t, err)
	s := stored{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		require.Greater(t, len(fields), 2, line)
		if s[fields[0]] == nil {
			s[fields[0]] = map[string][]float64{}
		}
		s[fields[0]][fields[1]] = expanded(t, fields[2:])
	}
	return s
}

// expanded is the reverse of compact.
func expanded(t *testing.T, fields []string) (values []float64) {
	t.Helper()
	for _, f := range fields {
		figure, times, _ := strings.Cut(f, "×")
		v, err := strconv.ParseFloat(figure, 64)
		require.NoError(t, err)
		n := 1
		if times != "" {
			n, err = strconv.Atoi(times)
			require.NoError(t, err)
		}
		values = append(values, slices.Repeat([]float64{v}, n)...)
	}
	return values
}

// drawn are turns of a program that were drawn from the runs of each benchmark. To one
// unit of all is added what was planted.
func (s stored) drawn(r *rand.Rand, unit string, planted float64) *Results {
	d := &Results{of: map[string][]lines.Line{}}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		d.cases = append(d.cases, lines.ParseName(name))
		for range FewestTurns {
			l := lines.Line{Name: lines.ParseName(name), Printed: name, Values: map[string]float64{}}
			for _, u := range slices.Sorted(maps.Keys(s[name])) { // in one order, for r
				if l.Values[u] = s[name][u][r.IntN(len(s[name][u]))]; u == unit {
					l.Values[u] += planted
				}
			}
			d.of[name] = append(d.of[name], l)
		}
	}
	return d
}

// compared is a comparison of turns that were drawn.
func (s stored) compared(t *testing.T, seed int, unit string, planted float64) *Report {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(seed), 20))
	report, err := Rule{Lines: FewestTurns}.Judge(s.drawn(r, "", 0), s.drawn(r, "", 0), s.drawn(r, unit, planted))
	require.NoError(t, err)
	return report
}

// Of 500 comparisons of each program with itself, none has a change.
func TestStoredRunsWithoutAChange(t *testing.T) {
	s := readStored(t)
	for seed := range 500 {
		report := s.compared(t, seed, "", 0)
		require.Zero(t, report.Count(Fail, Less), report.Sentence())
	}
}

// One allocation more, one system call more and 16 bytes more are found in 20 of 20
// comparisons, of every unit of eight frameworks at least. A row in which one is not
// found says that it cannot be.
func TestStoredRunsWithAChange(t *testing.T) {
	s, missed := readStored(t), map[string]string{}
	for unit, planted := range map[string]float64{
		"client-allocs/op": 1, "server-allocs/op": 1, "client-syscalls/op": 1, "server-syscalls/op": 1,
		"request-wire-B/op": 16, "reply-wire-B/op": 16,
	} {
		for seed := range 20 {
			for _, b := range s.compared(t, seed, unit, planted).Benchmarks {
				i := slices.IndexFunc(b.Rows, func(row Row) bool { return row.Unit == unit })
				require.GreaterOrEqual(t, i, 0, "%s was not recorded of %s", unit, b.Name.Full)
				if status := b.Rows[i].Status; status != Fail {
					assert.Equal(t, CannotFind, status, "%s of %s", unit, b.Name.Full)
					missed[b.Name.Full] = unit
				}
			}
		}
	}
	found := map[string]bool{}
	for name := range s {
		if missed[name] == "" {
			found[lines.ParseName(name).Get("framework")] = true
		}
	}
	assert.GreaterOrEqual(t, len(found), 8, "all that is planted is found of %v, but not %v", slices.Sorted(maps.Keys(found)), missed)
	t.Logf("found of %d frameworks; not always: %v", len(found), missed)
}

// What is recorded is as it was.
func TestCompact(t *testing.T) {
	values := []float64{2, 2.01, 2, 87, 2}
	assert.Equal(t, " 2×3 2.01 87", compact(values))
	assert.Equal(t, []float64{2, 2, 2, 2.01, 87}, expanded(t, strings.Fields(compact(values))))
}
