package machines

import (
	"fmt"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/machines/guest"
	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// TestKernels has the servers and the ranks on two machines with a kernel each, which are
// virtual. It measures nothing: an emulated CPU is slow.
// Slow: two kernels boot, and a serving side stops a server after a minute.
func TestKernels(t *testing.T) {
	if os.Getenv("RPCBENCH_KERNELS") == "" {
		t.Skip("it takes two virtual machines: make check/kernels")
	}
	_, err := exec.LookPath("qemu-system-x86_64")
	require.NoError(t, err, "apt-get install qemu-system-x86")
	both := boot(t, [2]guest.Host{{Name: "a", Addr: "10.0.0.1"}, {Name: "b", Addr: "10.0.0.2"}})
	p := &pair{a: both[0], b: both[1]}
	p.trust(t)
	p.side = p.serve(t, p.a, servingSide)
	var gone *rpc.Call
	t.Run("cut off from the servers", func(t *testing.T) { gone = p.cutOff(t) }) // first, since its server lasts
	require.NotNil(t, gone)
	t.Run("counted", func(t *testing.T) { p.count(t, p.b, p.b) })
	t.Run("servers on both", p.servers)
	t.Run("clocks differ", p.clocks)
	t.Run("cut off from a rank", p.cutApart)
	t.Run("the server that was left", func(t *testing.T) { p.stops(t, gone) })
}

// pair are two machines, of which a has the serving side.
type pair struct {
	a, b *machine
	side *running
	runs int
}

const servingSide, otherSide, tokenFile = "10.0.0.1:7000", "10.0.0.2:7000", "/secret/clients"

// serve starts a serving side.
func (p *pair) serve(t *testing.T, on *machine, at string) *running {
	side := on.run(t, "/rpcbench.test", "-serve", "-listen="+at, "-ports=7001-7004", "-token-file=/secret/servers")
	side.says(t, "\nsha256:")
	return side
}

// trust makes a secret on one machine, and copies it to the other.
func (p *pair) trust(t *testing.T) {
	made := p.a.run(t, "/rpcbench.test", "-new-secret=/secret")
	made.end(t)
	require.Zero(t, made.Code, made.Text)
	for _, f := range ask[[]guest.File](t, p.a, "Read", "/secret/*") {
		p.b.do(t, "Write", f)
	}
}

// servers has a server on each machine. Both together handle the calls that the client has made.
func (p *pair) servers(t *testing.T) {
	p.serve(t, p.b, otherSide)
	client := p.a.run(t, append([]string{"/rpcbench.test", "-test.run=^$", "-host=" + servingSide + "," + otherSide, "-token-file=" + tokenFile},
		append(few(4), "-test.bench=^BenchmarkCluster$", "-servers=2")...)...)
	client.end(t)
	require.Zero(t, client.Code, client.Text)
	handled := 0
	for i, at := range []string{servingSide, otherSide} {
		m := regexp.MustCompile(fmt.Sprintf(`server %d on %s: (\d+) calls, \S+ %% of all, \S+ of CPU for each, \S+ MiB`, i+1, at)).FindStringSubmatch(client.Text)
		require.NotNil(t, m, client.Text)
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		assert.Positive(t, n)
		handled += n
	}
	assert.Equal(t, calls, handled)
}

// ranks starts a rank on each of some machines.
func (p *pair) ranks(t *testing.T, on []*machine, flags ...string) (list []*running) {
	p.runs++
	for rank, m := range on {
		args := append([]string{
			"/rpcbench.test", "-test.run=^$", "-results=" + p.results(), "-host=" + servingSide, "-token-file=" + tokenFile,
			fmt.Sprint("-rank=", rank), fmt.Sprint("-ranks=", len(on)), fmt.Sprint("-run-name=", p.runs),
		}, few(4)...)
		list = append(list, m.run(t, append(args, flags...)...))
	}
	return list
}

// results is the directory of the newest run, on the machine of rank 0.
func (p *pair) results() string { return fmt.Sprint("/results-", p.runs) }

// count has ranks count their calls, in a closed loop and in an open one. Rank 0 compares the due
// times of all with the schedule, and fails where they differ. The first calls of 1,000 callers would
// take an emulated CPU longer than a call may.
func (p *pair) count(t *testing.T, on ...*machine) {
	t.Helper()
	ranks := p.ranks(t, on, "-test.bench=^Benchmark(Echo|Rate)$", "-rate=200", "-workers=100")
	for _, r := range ranks {
		r.end(t)
		require.Zero(t, r.Code, r.Text)
	}
	sums := recordtest.RequireSums(t, copied(t, on[0], p.results()), len(on))
	assert.Len(t, sums, 2)
	for name, sum := range sums {
		assert.EqualValues(t, calls, sum.Result.OK, name)
		assert.Contains(t, ranks[0].Text, name)
	}
	assertCounted(t, ranks[0].Text)
	assert.Contains(t, ranks[0].Text, "\nclients: 2\n")
}

// copied copies the records of a machine out of it.
func copied(t *testing.T, m *machine, from string) string {
	to := t.TempDir()
	for _, pattern := range []string{"/*.json", "/ranks/*.json"} {
		for _, f := range ask[[]guest.File](t, m, "Read", from+pattern) {
			file := filepath.Join(to, strings.TrimPrefix(f.Path, from))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, f.Content, 0o600))
		}
	}
	return to
}

// clocks differ by what does not matter, and by what is refused.
func (p *pair) clocks(t *testing.T) {
	p.b.clock(t, 300*time.Millisecond)
	p.count(t, p.a, p.b)
	p.b.clock(t, 2*time.Second)
	for rank, r := range p.ranks(t, []*machine{p.b, p.b}) {
		r.end(t)
		assert.NotZero(t, r.Code)
		assert.Regexp(t, fmt.Sprintf(`the clock of rank %d \(b\) is (2|1\.[5-9])\S*s from that of the serving side: set one of them`, rank), r.Text)
	}
	p.b.clock(t, 0)
}

// cutOff has all ranks on b, whose cable is pulled. It returns what waits for the end of their
// server.
func (p *pair) cutOff(t *testing.T) *rpc.Call {
	ranks := p.amid(t, p.b, p.b)
	servers := p.side.children(t)
	require.Len(t, servers, 1)
	gone, pulled := p.a.Go("Agent.Gone", servers[0], new(time.Duration), nil), time.Now()
	p.b.plug(t, false)
	for _, r := range ranks {
		r.end(t)
		assert.NotZero(t, r.Code)
		assert.Regexp(t, servingSide+`: no answer within \d+s\n`, r.Text)
	}
	t.Logf("the ranks ended %v after the cable was pulled", time.Since(pulled))
	p.b.plug(t, true)
	return gone
}

// stops asserts that the serving side has stopped a server a minute after it last heard of its
// client, which asks every ten seconds.
func (p *pair) stops(t *testing.T, gone *rpc.Call) {
	took := answer[time.Duration](t, p.a, gone)
	t.Logf("the server ended %v after the cable was pulled", took)
	assert.Greater(t, took, 45*time.Second)
}

// cutApart has rank 0 beside the servers. It ends when it hears nothing of the other.
func (p *pair) cutApart(t *testing.T) {
	ranks := p.amid(t, p.a, p.b)
	pulled := time.Now()
	p.b.plug(t, false)
	ranks[0].end(t)
	t.Logf("rank 0 ended %v after the cable was pulled", time.Since(pulled))
	assert.NotZero(t, ranks[0].Code)
	assert.Regexp(t, `rank 1 \(b, process \d+\) has ended, or its machine is cut off`, ranks[0].Text)
}

// amid starts ranks, and returns in the midst of a case of 24 seconds.
func (p *pair) amid(t *testing.T, on ...*machine) []*running {
	ranks := p.ranks(t, on, "-test.bench=^BenchmarkRate$", "-rate=20", "-workers=100")
	ranks[0].says(t, "\nBenchmarkRate/")
	time.Sleep(2 * time.Second)
	return ranks
}
