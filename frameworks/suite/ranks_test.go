package suite

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// ended is what is left of a rank.
type ended = process.Ended

// rankFlags makes a process one of several ranks.
func rankFlags(run string, rank, ranks int) []string {
	return []string{"-run-name=" + run, fmt.Sprintf("-rank=%d", rank), fmt.Sprintf("-ranks=%d", ranks)}
}

// together runs all ranks of a run, with more flags for some of them.
func together(t *testing.T, ranks int, more map[int][]string, args ...string) []ended {
	t.Helper()
	all := make([]ended, ranks)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for rank := range ranks {
		wg.Go(func() {
			var err error
			all[rank], err = process.Rerun(ctx, slices.Concat(args, rankFlags(t.Name(), rank, ranks), more[rank])...)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	return all
}

// requireQuiet checks that all ranks but the first have ended well and have printed nothing.
func requireQuiet(t *testing.T, all []ended) {
	t.Helper()
	require.Zero(t, all[0].ExitCode, "%s%s", all[0].Stdout, all[0].Stderr)
	for rank, e := range all[1:] {
		assert.Zero(t, e.ExitCode, "rank %d: %s", rank+1, e.Stderr)
		assert.Empty(t, e.Stdout+e.Stderr, "rank %d", rank+1)
	}
}

func TestRanksMakeTheCallsTogether(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	all := together(t, 4, nil, measuring("Echo|Message|Rate|Workload|Cluster", onHere(t), "-framework=tiny", "-size=64B", "-conc=10", "-conns=8",
		"-rate=2000", "-servers=2", "-workload=steady", "-results="+dir)...)
	requireQuiet(t, all)
	lines := resultLines(all[0].Stdout)
	assert.Len(t, lines, 5)
	for _, line := range lines {
		assert.Contains(t, line, " 0 errors")
	}
	assert.Regexp(t, `\nclients: 4\n`, all[0].Stdout)
	assert.Regexp(t, `\nclient-machines: 4 on \S+ \(\w+/\w+, \d+ CPUs`, all[0].Stdout)
	assert.Regexp(t, `\s8\.000 conns`, lines[0])
	for name, sum := range recordtest.RequireSums(t, dir, 4) {
		assert.EqualValues(t, 1000, sum.Result.OK, name)
	}
}

var crowds = flag.Bool("crowds", false, "have tests start 64 ranks and make 10,000 bad connections")

// manyOr returns how many a test takes: the usual number, or with -crowds many.
func manyOr(usual, many int) int {
	if *crowds {
		return many
	}
	return usual
}

// Ranks start together, which their records tell.
func TestManyRanksStartTogether(t *testing.T) {
	t.Parallel()
	ranks := manyOr(24, 64)
	if testing.Short() || race.Enabled { // more processes are no other code
		ranks = 8
	}
	assertSoon(t, 2*time.Second, func() time.Duration { return betweenStarts(t, ranks) })
}

// betweenStarts returns how long after the first rank the last one began to call.
func betweenStarts(t *testing.T, ranks int) (longest time.Duration) {
	dir := t.TempDir()
	all := together(t, ranks, nil, append(measuring("Echo", onHere(t), "-framework=tiny", "-size=64B", "-conc=64", "-conns=64", "-results="+dir), "-test.benchtime=6400x")...)
	over := time.Now()
	requireQuiet(t, all)
	recordtest.RequireSums(t, dir, ranks)
	for _, list := range recordtest.OfRanks(t, dir) {
		first := slices.MinFunc(list, byStart).Start
		last := slices.MaxFunc(list, byStart)
		t.Logf("%d ranks: the last began %v after the first, and %v after its end all was merged and over", ranks, last.Start.Sub(first), over.Sub(last.Start)-last.Result.Elapsed)
		longest = max(longest, last.Start.Sub(first))
	}
	return longest
}

func byStart(a, b *record.Record) int { return a.Start.Compare(b.Start) }

// mortals are three ranks, of which rank 2 dies when something has been measured.
type mortals struct {
	args []string
	dir  string // of the records
	all  [2]ended
	end  sync.WaitGroup
}

func startMortals(t *testing.T, args ...string) *mortals {
	m := &mortals{dir: t.TempDir()}
	m.args = slices.Concat(args, []string{onHere(t), "-results=" + m.dir})
	for rank := range m.all {
		m.end.Go(func() { m.all[rank], _ = process.Rerun(t.Context(), m.of(t, rank)...) })
	}
	return m
}

func (m *mortals) of(t *testing.T, rank int) []string {
	return slices.Concat(m.args, rankFlags(t.Name(), rank, 3))
}

// begin starts rank 2.
func (m *mortals) begin(t *testing.T) *exec.Cmd {
	cmd := exec.Command(os.Args[0], m.of(t, 2)...)
	require.NoError(t, cmd.Start())
	return cmd
}

// awaitEcho waits for the record of Echo, which is written when the next benchmark begins.
func (m *mortals) awaitEcho(t *testing.T) {
	require.Eventually(t, func() bool {
		files, _ := filepath.Glob(filepath.Join(m.dir, "Echo*.json"))
		return len(files) > 0
	}, time.Minute, 50*time.Millisecond)
}

// TestARankThatDies in the midst of a benchmark fails that one, by its name. When it has come again
// the others are measured, and nothing is counted twice.
func TestARankThatDies(t *testing.T) {
	t.Parallel()
	m := startMortals(t, measuring("Echo|Rate|Workload", "-framework=tiny", "-size=64B", "-conc=10", "-conns=4", "-rate=50", "-workload=steady")...)
	dying := m.begin(t)
	name := fmt.Sprintf("rank 2 (%s, process %d) has ended, or its machine is cut off", hostname(t), dying.Process.Pid)
	m.awaitEcho(t)
	time.Sleep(3 * time.Second) // in the midst of Rate, which takes twenty
	dying.Process.Kill()
	dying.Wait()
	again := m.begin(t)
	m.end.Wait()
	assert.NoError(t, again.Wait())
	assert.Equal(t, 1, m.all[0].ExitCode, m.all[0].Stderr)
	assert.Zero(t, m.all[1].ExitCode, m.all[1].Stderr)
	assert.Regexp(t, `(?m)^    \S+: \S+: .*`+regexp.QuoteMeta(name), m.all[0].Stdout, "the benchmark failed for this reason")
	assert.Contains(t, m.all[0].Stderr, "has ended: the run goes on when it has come again, with the same command, within 1m0s")
	sums := recordtest.RequireSums(t, m.dir, 3)
	assert.Len(t, sums, 2)
	for name, sum := range sums {
		assert.EqualValues(t, 1000, sum.Result.OK, name)
	}
}

// TestARankThatDiesBetweenCases fails none, if it has come again, and one that has begun by its name.
func TestARankThatDiesBetweenCases(t *testing.T) {
	t.Parallel()
	unraced(t)
	m := startMortals(t, measuring("Echo|Rate|Workload", "-framework=tiny", "-size=64B", "-conc=10", "-conns=4", "-rate=1000", "-workload=steady")...)
	dying := m.begin(t)
	m.awaitEcho(t) // Rate begins to look for its ranks
	dying.Process.Kill()
	dying.Wait()
	again := m.begin(t)
	m.end.Wait()
	assert.NoError(t, again.Wait())
	measured := 3
	if m.all[0].ExitCode != 0 { // Rate had begun
		assert.Contains(t, m.all[0].Stdout, "rank 2 (")
		measured = 2
	}
	assert.Len(t, recordtest.RequireSums(t, m.dir, 3), measured)
}

// TestARankThatDoesNotComeAgain ends the run. What was measured before stays.
func TestARankThatDoesNotComeAgain(t *testing.T) {
	t.Parallel()
	unraced(t)
	m := startMortals(t, measuring("Echo|Rate|Workload", "-framework=tiny", "-size=64B", "-conc=10", "-conns=4", "-rate=300", "-workload=steady", "-gather=3s")...)
	dying := m.begin(t)
	m.awaitEcho(t)
	dying.Process.Kill()
	dying.Wait()
	m.end.Wait()
	for rank, e := range m.all {
		assert.Equal(t, 1, e.ExitCode, "rank %d", rank)
		assert.Regexp(t, `rank 2 \(\S+, process \d+\) has ended, or its machine is cut off: .*rank 2 of 3 has not come within 3s`, e.Stdout+e.Stderr, "rank %d", rank)
	}
	assert.Len(t, recordtest.RequireSums(t, m.dir, 3), 1)
}

// TestARankThatDiesAtAnyMoment leaves every line right that is printed, and names each case that has
// none.
// Slow: a rank dies twice, and each time others wait for it.
func TestARankThatDiesAtAnyMoment(t *testing.T) {
	t.Parallel()
	unraced(t)
	m := startMortals(t, measuring("Echo|Rate|Workload", "-framework=tiny", "-size=64B", "-conc=10", "-conns=4", "-rate=1000", "-workload=steady", fmt.Sprintf("-test.count=%d", manyOr(3, 20)))...)
	ended := make(chan struct{})
	go func() { m.end.Wait(); close(ended) }()
	for range manyOr(2, 20) {
		mortal := m.begin(t)
		select {
		case <-ended:
		case <-time.After(time.Second + rand.N(3*time.Second)):
		}
		mortal.Process.Kill()
		mortal.Wait()
	}
	last := m.begin(t)
	<-ended
	assert.NoError(t, last.Wait())
	lines := resultLines(m.all[0].Stdout)
	failed := strings.Count(m.all[0].Stdout, "--- FAIL: Benchmark")
	t.Logf("%d lines, %d failed", len(lines), failed)
	parts := 0
	for _, list := range recordtest.OfRanks(t, m.dir) {
		parts += len(list)
	}
	assert.Equal(t, 3*len(lines), parts, "each rank has a record of each line: %s", m.all[0].Stdout)
	for _, line := range lines {
		assert.Contains(t, line, " 0 errors")
		assert.Regexp(t, `\s1000\s`, line)
	}
}

// A rank of another build is refused, though its flags are the same.
func TestARankOfAnotherBuild(t *testing.T) {
	t.Parallel()
	binary, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	another := filepath.Join(t.TempDir(), filepath.Base(os.Args[0]))
	require.NoError(t, os.WriteFile(another, append(binary, 0), 0o755)) // what is behind its end is not read
	args := slices.Clip(measuring("Echo", onHere(t), "-framework=tiny", "-size=64B", "-conc=10"))
	other := exec.Command(another, append(args, rankFlags(t.Name(), 1, 2)...)...)
	require.NoError(t, other.Start())
	out, errOut, code := self(t, append(args, rankFlags(t.Name(), 0, 2)...)...)
	assert.Error(t, other.Wait())
	assert.Contains(t, errOut, " runs another build than rank 0: start the same file everywhere")
	assert.Equal(t, 2, code)
	assert.Empty(t, resultLines(out))
}

// Bad connections, many times as many as are kept open, leave runs of ranks as they are.
func TestBadConnectionsDisturbNoRun(t *testing.T) { // nor other tests, which wait for it
	many := manyOr(2000, 10_000)
	at := onHere(t)
	flood := make(chan struct{})
	go func() {
		defer close(flood)
		assert.Equal(t, many, storm.Intruders(strings.TrimPrefix(at, "-host="), "Rpcbench-Token", many))
	}()
	for flooded := false; !flooded; {
		t.Run("run", func(t *testing.T) {
			dir := t.TempDir()
			all := together(t, 4, nil, measuring("Echo|Rate", at, "-framework=tiny", "-size=64B", "-conc=10", "-conns=8", "-rate=2000", "-results="+dir)...)
			requireQuiet(t, all)
			for name, sum := range recordtest.RequireSums(t, dir, 4) {
				assert.EqualValues(t, 1000, sum.Result.OK, name)
			}
		})
		select {
		case <-flood:
			flooded = true
		default:
		}
	}
}

func hostname(t *testing.T) string {
	name, err := os.Hostname()
	require.NoError(t, err)
	return name
}

func TestWhatRanksRefuse(t *testing.T) {
	t.Parallel()
	unraced(t)
	at := onHere(t)
	two := slices.Clip(append(measuring("Echo", at, "-framework=tiny", "-size=64B", "-conc=10"), "-ranks=2", "-run-name=x"))
	used := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(used, "old.json"), nil, 0o600))
	for _, c := range []struct {
		about string
		args  []string
		want  string
	}{
		{"one that is alone", append(two, "-gather=1s"), "rank 1 of 2 has not come within 1s"},
		{"without a place to meet", append(measuring("Echo", "-framework=tiny"), "-ranks=2", "-run-name=x"), "-ranks=2: ranks meet where -serve runs: give -host"},
		{"clients as well", append(two, "-clients=2"), "-clients=2 -ranks=2: each rank is one client: start more ranks instead"},
		{"a rank too many", append(two, "-rank=2"), "the rank must be from 0 to one less than the ranks"},
		{"no rank at all", append(two, "-ranks=0"), "neither Kubernetes nor Nomad says"},
		{"without a name", append(two, "-run-name="), "no -run-name"},
		{"a name that leads elsewhere", append(two, "-run-name=."), `-run-name: "." is no name of a run: apart from . and .. it is any text of 1 to 200 bytes`},
		{"no time to come", append(two, "-gather=0s"), "-gather=0s: must be more than 0"},
		{"the results of another run", append(two, "-results="+used), "it holds records of another run: give each run of ranks a directory of its own"},
		{"counts", append(two, "-test.bench=Count"), "-ranks=2: counts are of one caller"},
		{"idle connections", append(two, "-test.bench=Idle"), "-ranks=2: idle connections are those of one client process"},
		{"first calls", append(two, "-test.bench=Dial"), "-ranks=2: first calls are those of one caller"},
		{"a fault", append(two, "-fault=kill"), "-fault=kill -ranks=2: a fault needs the calls of one client"},
		{"a proxy", append(two, "-net=proxy-haproxy"), "the proxy of net=proxy-haproxy is on the machine of rank 0"},
		{"few callers", append(two, "-conc=1"), "1 callers cannot be divided among -ranks=2"},
	} {
		out, errOut, code := self(t, c.args...)
		assert.Contains(t, errOut, c.want, c.about)
		assert.Equal(t, 2, code, c.about)
		assert.Empty(t, resultLines(out), c.about)
	}
}

func TestRanksThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	at := onHere(t)
	args := slices.Clip(measuring("Echo", at, "-framework=tiny", "-size=64B", "-conc=10"))
	for about, c := range map[string]struct {
		more map[int][]string
		want string
	}{
		"one has other flags":       {map[int][]string{1: {"-conc=20"}}, "has -conc=20, and rank 0 has -conc=10: start all with the same flags"},
		"one has another benchtime": {map[int][]string{1: {"-test.benchtime=1x"}}, "has -test.benchtime=1x, and rank 0 has -test.benchtime=1000x"},
		"there are others":          {map[int][]string{1: {"-ranks=3", "-gather=3s"}, 0: {"-gather=3s"}}, "and those who came before are of "},
		"one comes twice":           {map[int][]string{1: {"-rank=0", "-gather=3s"}, 0: {"-gather=3s"}}, "there is a rank 0 already: rank 0 ("},
	} {
		t.Run(strings.ReplaceAll(about, " ", "-"), func(t *testing.T) {
			t.Parallel()
			all := together(t, 2, c.more, args...)
			texts := all[0].Stderr + all[1].Stderr
			assert.Contains(t, texts, c.want)
			for _, e := range all {
				assert.NotZero(t, e.ExitCode)
				assert.Empty(t, resultLines(e.Stdout))
			}
			out, errOut, code := self(t, append(args, rankFlags(t.Name(), 1, 2)...)...)
			assert.Contains(t, errOut, "rank 1 comes too late: ", "%s", out)
			assert.Equal(t, 2, code)
		})
	}
}
