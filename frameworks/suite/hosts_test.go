package suite

import (
	"fmt"
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

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
)

// newSecret makes the files of a secret.
func newSecret(t *testing.T) (servers, clients string) {
	dir := filepath.Join(t.TempDir(), "secret")
	out, errOut, code := self(t, "-new-secret="+dir)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, dir+"/clients")
	return "-token-file=" + filepath.Join(dir, "servers"), "-token-file=" + filepath.Join(dir, "clients")
}

// twoHosts starts two serving sides with one secret.
func twoHosts(t *testing.T) (a, b, clients string) {
	servers, clients := newSecret(t)
	for i, at := range []*string{&a, &b} {
		*at = serveMachine(t, nil, os.Args[0], "-serve", fmt.Sprintf("-listen=127.0.0.%d:0", i+1), servers)
	}
	return a, b, clients
}

var onHost = regexp.MustCompile(`server (\d) on (\S+): (\d+) calls, [0-9.]+ % of all, (\S+) of CPU for each, ([0-9.]+) MiB, soft interrupts [0-9.]+ %`)

// TestServersOnTwoHosts are on both by turns, and what each has done is told by its name.
func TestServersOnTwoHosts(t *testing.T) {
	t.Parallel()
	a, b, clients := twoHosts(t)
	out, errOut, code := self(t, measuring("Cluster", "-host="+a+","+b, clients, "-framework=tiny", "-conc=8", "-conns=1", "-servers=1,2,3")...)
	require.Zero(t, code, "%s%s", out, errOut)
	require.Len(t, resultLines(out), 3)
	assert.Regexp(t, `\nserver-machine: `+a+`: \w+/\w+, .*; `+b+`: \w+/\w+, `, out)
	assert.Regexp(t, `\nserver-procs: `+a+`: \d+; `+b+`: \d+\n`, out)
	told := map[int][]string{}
	for line := range strings.Lines(errOut) {
		if list := onHost.FindAllStringSubmatch(line, -1); list != nil {
			sum := 0
			for i, one := range list {
				assert.Equal(t, strconv.Itoa(i+1), one[1])
				told[len(list)] = append(told[len(list)], one[2])
				calls, err := strconv.Atoi(one[3])
				require.NoError(t, err)
				assert.Positive(t, calls)
				sum += calls
			}
			assert.Equal(t, 1000, sum, "as many as the client has made")
		}
	}
	assert.Equal(t, map[int][]string{2: {a, b}, 3: {a, b, a}}, told)
}

// TestFiguresOfHosts are what is planted in their servers: each call takes half a millisecond of CPU,
// and a half of the callers has each server.
func TestFiguresOfHosts(t *testing.T) {
	t.Parallel()
	unraced(t)
	a, b, clients := twoHosts(t)
	out, errOut, code := self(t, measuring("Cluster", "-host="+a+","+b, clients, "-framework=spend", "-conc=8", "-conns=1", "-servers=2")...)
	require.Zero(t, code, "%s%s", out, errOut)
	told := onHost.FindAllStringSubmatch(errOut, -1)
	require.Len(t, told, 2, errOut)
	for i, at := range []string{a, b} {
		assert.Equal(t, at, told[i][2])
		calls, err := strconv.Atoi(told[i][3])
		require.NoError(t, err)
		assert.InDelta(t, 500, calls, 200)
		each, err := time.ParseDuration(told[i][4])
		require.NoError(t, err)
		assert.True(t, each >= 500*time.Microsecond && each < 5*time.Millisecond, each)
	}
}

// TestBadHosts: each has a sentence.
func TestBadHosts(t *testing.T) {
	t.Parallel()
	unraced(t)
	servers, clients := newSecret(t)
	_, others := newSecret(t)
	a := serveMachine(t, nil, os.Args[0], "-serve", "-listen=127.0.0.1:0", servers)
	_, port, _ := strings.Cut(a, ":")
	in, err := strconv.Atoi(port)
	require.NoError(t, err)
	for about, c := range map[string]struct {
		args []string
		want string
	}{
		"given twice":              {[]string{"-host=" + a + "," + a, clients}, a + " is given twice"},
		"given by two names":       {[]string{"-host=" + a + ",localhost:" + port, clients}, "are one serving side"},
		"nothing behind a comma":   {[]string{"-host=" + a + ",", clients}, "there is nothing before or behind a comma"},
		"too many servers":         {[]string{"-host=" + a, clients, "-servers=17"}, a + " has room for 16 servers at once, and BenchmarkCluster/framework=tiny/transport=tcp/codec=gob/servers=17/conc=20 needs 17 there"},
		"the secret of another":    {[]string{"-host=" + a, others}, "and the fingerprint beside the token is sha256:"},
		"ports that are in use":    {[]string{"-serve", "-listen=127.0.0.1:0", fmt.Sprintf("-ports=%d-%d", in, in)}, fmt.Sprintf("-ports=%d-%d: port %d is in use: ", in, in, in)},
		"ports that are no range":  {[]string{"-serve", "-ports=7064-7001"}, `-ports: "7064-7001" is no range of ports`},
		"ports without servers":    {[]string{"-ports=7001-7064"}, "-ports=7001-7064 is for -serve, which takes orders: give both"},
		"a secret that is there":   {[]string{"-new-secret=" + filepath.Dir(strings.TrimPrefix(clients, "-token-file="))}, "is there already: a new secret would be of another run"},
		"a host that nobody is at": {[]string{"-host=" + a + ",127.0.0.1:1", clients}, "127.0.0.1:1: "},
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(measuring("Cluster", "-framework=tiny", "-conc=20"), c.args...)...)
			assert.Equal(t, 2, code, out)
			assert.Contains(t, errOut, c.want)
			assert.Empty(t, resultLines(out))
		})
	}
}

// TestAHostThatDiesBetweenCases fails those whose servers it was to have, by its name, and no other.
func TestAHostThatDiesBetweenCases(t *testing.T) {
	t.Parallel()
	unraced(t)
	servers, clients := newSecret(t)
	a := serveMachine(t, nil, os.Args[0], "-serve", "-listen=127.0.0.1:0", servers)
	mortal := exec.Command(os.Args[0], "-serve", "-listen=127.0.0.2:0", servers)
	b := startServing(t, mortal)
	dir := t.TempDir()
	go func() {
		for files := []string(nil); len(files) == 0 && t.Context().Err() == nil; time.Sleep(20 * time.Millisecond) {
			files, _ = filepath.Glob(dir + "/*.json")
		}
		mortal.Process.Kill()
	}()
	out, errOut, code := self(t, measuring("Cluster|Rate|Workload", "-host="+a+","+b, clients, "-framework=tiny", "-conc=8", "-conns=1", "-servers=2,3", "-rate=500", "-size=64B", "-workload=steady", "-results="+dir)...)
	mortal.Process.Kill() // if there was no record
	_ = mortal.Wait()
	assert.Equal(t, 1, code, errOut)
	assert.Regexp(t, `--- FAIL: BenchmarkCluster/\S+/servers=3(?s:.*?)127\.0\.0\.2:\d+: .*connection refused`, out, "its serving side, or its server where a case before had one")
	for _, name := range []string{"Rate", "Workload"} {
		assert.Regexp(t, `(?m)^Benchmark`+name+`/\S+\s+1000\s.* 0 errors`, out)
	}
}

// TestManyRunsOneAfterTheOther on one serving side, which has ports for two servers.
// Slow: there are many runs.
func TestManyRunsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	unraced(t)
	free, err := ports.Free()
	require.NoError(t, err)
	at := onHere(t, fmt.Sprintf("-ports=%d-%d", free, free+1))
	for range manyOr(6, 32) {
		out, errOut, code := self(t, measuring("Cluster|Echo", at, "-framework=tiny", "-size=64B", "-conc=8", "-conns=1", "-servers=2")...)
		require.Zero(t, code, "%s%s", out, errOut)
		require.Len(t, resultLines(out), 2)
	}
}

// TestRanksOfOtherHosts are refused: servers would be elsewhere than they think.
func TestRanksOfOtherHosts(t *testing.T) {
	t.Parallel()
	unraced(t)
	a, b, clients := twoHosts(t)
	all := together(t, 2, map[int][]string{0: {"-host=" + a + "," + b}, 1: {"-host=" + a}}, measuring("Echo", clients, "-framework=tiny", "-size=64B", "-conc=10")...)
	for _, e := range all {
		assert.NotZero(t, e.ExitCode)
		assert.Contains(t, e.Stderr, "has other serving sides in -host than rank 0, or in another order")
	}
}
