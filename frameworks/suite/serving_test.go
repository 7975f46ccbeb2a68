package suite

import (
	"bufio"
	"bytes"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

const tinyVariant = "framework=tiny/transport=tcp/codec=gob"

// served is a process of -serve=VARIANT.
type served struct {
	cmd    *exec.Cmd
	errOut bytes.Buffer
	addr   string
	lines  []string // before the one that says where it is
}

// serveOne starts this test binary with -serve=VARIANT, and returns when it says where the
// server is.
func serveOne(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{cmd: exec.Command(os.Args[0], args...)}
	s.cmd.Stderr = &s.errOut
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { s.cmd.Process.Kill() })
	says := regexp.MustCompile(`^serving (\S+) at (\S+); end it with Ctrl-C$`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := says.FindStringSubmatch(lines.Text()); found != nil {
			s.addr = found[2]
			return s
		}
		s.lines = append(s.lines, lines.Text())
	}
	s.end()
	require.Fail(t, "it does not serve", "%q %s", s.lines, &s.errOut)
	return nil
}

// end waits for its end, and returns the exit code.
func (s *served) end() int {
	defer time.AfterFunc(tester.Enough, func() { s.cmd.Process.Kill() }).Stop()
	_ = s.cmd.Wait() // the code tells
	return s.cmd.ProcessState.ExitCode()
}

// TestServeOneVariant: a server of one variant answers a client of another process, with the
// work that it was given, until a signal.
func TestServeOneVariant(t *testing.T) {
	t.Parallel()
	var own [2]string // that differ
	for own[0] == own[1] {
		for i := range own {
			var err error
			own[i], err = ports.FreeAddr()
			require.NoError(t, err)
		}
	}
	for _, c := range []struct {
		about, keys string
		args        []string
		signal      syscall.Signal
	}{
		{"by its first keys, at any port, until Ctrl-C", "framework=tiny", nil, syscall.SIGINT},
		{"by all of its keys, with an address, until it is told to end", tinyVariant + "@" + own[0], nil, syscall.SIGTERM},
		{"with the work of a workload, until Ctrl-C", tinyVariant + "@" + own[1], []string{"-workload=steady"}, syscall.SIGINT},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			s := serveOne(t, append(c.args, "-serve="+c.keys)...)
			assert.Regexp(t, `^127\.0\.0\.1:\d+$`, s.addr)
			out, errOut, code := self(t, measuring("Echo|Workload", tinyAt(s.addr), "-size=1KiB", "-conc=10", "-workload=steady")...)
			require.Zero(t, code, "%s%s", out, errOut)
			assert.Regexp(t, `(?m)^BenchmarkEcho/.*\s0 errors`, out)
			assert.Equal(t, c.args != nil, strings.Contains(out, "/workload=steady/"), out)
			require.NoError(t, s.cmd.Process.Signal(c.signal))
			assert.Zero(t, s.end(), &s.errOut)
			if slices.Contains(own[:], s.addr) { // another port may be another server's by now
				_, err := net.Dial("tcp", s.addr)
				assert.Error(t, err, "nobody listens any more")
			}
		})
	}
}

// TestTheEndOfAServedServer: a server that dies is told of, with its last words.
func TestTheEndOfAServedServer(t *testing.T) {
	t.Parallel()
	s := serveOne(t, "-serve=framework=mortal")
	_, _, code := self(t, measuring("Echo", "-server=framework=mortal@"+s.addr, "-size=1KiB", "-conc=10", "-watchdog=2s")...)
	assert.NotZero(t, code)
	assert.Equal(t, 1, s.end())
	assert.Contains(t, s.errOut.String(), "died: exit status 3")
	assert.Contains(t, s.errOut.String(), "the last words")
}

// TestServingUnderGoTest tells when go test ends it.
func TestServingUnderGoTest(t *testing.T) {
	t.Parallel()
	s := serveOne(t, "-serve=framework=tiny", "-test.paniconexit0", "-test.v", "-test.timeout=10m")
	assert.Equal(t, []string{"# go test ends it after 10m0s: -timeout=0 has it serve for longer"}, s.lines)
	require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
	assert.Zero(t, s.end())
}

func TestWhatCannotBeServed(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { taken.Close() }) // after the parallel rows
	const one = "-serve=framework=tiny"
	for _, c := range []struct {
		about string
		args  []string
		say   string
	}{
		{"nothing is named", []string{"-serve="}, "-serve=: must be VARIANT or VARIANT@HOST:PORT; -serve alone takes orders"},
		{"a variant that is mistyped", []string{"-serve=framework=tinny"}, `-serve=framework=tinny: "framework=tinny" is not the first keys of any variant; did you mean framework=tiny`},
		{"keys of several variants", []string{"-serve=framework=twin/transport=tcp"}, "is the first keys of several variants, add some: framework=twin/transport=tcp/codec=gob/profile=tuned, framework=twin/transport=tcp/codec=gob"},
		{"two servers", []string{one, "-serve=framework=small"}, "-serve=framework=small: it starts one server, and framework=tiny was given before"},
		{"an address without a port", []string{one + "@localhost"}, one + "@localhost: must be VARIANT or VARIANT@HOST:PORT, as in "},
		{"an empty port", []string{one + "@127.0.0.1:"}, one + "@127.0.0.1:: must be VARIANT or VARIANT@HOST:PORT, as in "},
		{"all networks, but not in so many words", []string{one + "@:7000"}, ":7000 has no address: write 127.0.0.1:7000, or 0.0.0.0:7000 for every network of this machine"},
		{"a port that is taken", []string{one + "@" + taken.Addr().String()}, "address already in use: give another address, or none for any free port"},
		{"a framework without a server in Go", []string{"-serve=framework=yours"}, "-serve=framework=yours: yours has no server in this repository"},
		{"benchmarks", []string{one, "-test.bench=Echo"}, one + " serves and measures nothing: leave -bench out"},
		{"an option of the client", []string{one, "-conc=10"}, "-conc is no option of the server that " + one + " starts: leave it out"},
		{"where orders are taken", []string{one, "-listen=127.0.0.1:0"}, "-listen is no option of the server that " + one + " starts: write -serve=VARIANT@HOST:PORT"},
		{"a token, where nobody gives orders", []string{one, "-token-file=token"}, "-token-file is no option of the server"},
		{"layers, which are keys", []string{one, "-with=tls13"}, "-with is no option of the server that " + one + " starts: name it by its keys"},
		{"TLS whose authority nobody knows", []string{"-serve=" + tinyVariant + "/with=tls13"}, "its clients have to know the certificates: give -certs, a directory with ca.pem, "},
		{"workers for a server without a pool", []string{one, "-pool-workers=3"}, "-pool-workers=3: " + tinyVariant + " has no pool=workers"},
		{"two workloads", []string{one, "-workload=steady,moody"}, "-workload=steady,moody: a server does the work of one: give one"},
		{"an option of another workload", []string{one, "-workload=steady", "-diary=x"}, "-diary is for -workload=noted: give both"},
		{"go test hides what is printed", []string{one, "-test.paniconexit0"}, "go test shows what -serve prints only with -v: add it"},
		{"and also of orders", []string{"-serve", "-test.paniconexit0"}, "go test shows what -serve prints only with -v: add it"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, c.args...)
			assert.Contains(t, errOut, "rpcbench: ")
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence")
			assert.Equal(t, 2, code)
			assert.Empty(t, out)
		})
	}
}
