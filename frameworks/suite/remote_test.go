package suite

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

const testToken = "a token of some length"

// serveMachine starts this test binary with -serve, by a command if one is
// given, and returns where it listens.
func serveMachine(t *testing.T, env []string, args ...string) (addr string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	addr = startServing(t, cmd)
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		defer time.AfterFunc(tester.Enough, func() { cmd.Process.Kill() }).Stop()
		assert.NoError(t, cmd.Wait())
	})
	return addr
}

// startServing starts a serving side, and returns where it listens.
func startServing(t *testing.T, cmd *exec.Cmd) (addr string) {
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	assert.Regexp(t, `^rpcbench: serving \d+ variants on \S+\n$`, line)
	return strings.TrimSpace(line[strings.LastIndex(line, " "):])
}

// TestTheFileOfAToken is made, then has the fingerprint that is printed, and keeps its token
// when -serve is started again.
func TestTheFileOfAToken(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	var old remote.Secret
	for _, about := range []string{"there is none", "there is one"} {
		out, errOut := servedOnce(t, nil, os.Args[0], "-serve", "-framework=tiny", "-token-file="+file)
		secret, err := remote.ReadSecret(file)
		require.NoError(t, err, about)
		assert.Regexp(t, `(?m)^`+secret.Fingerprint+`$`, out)
		assert.Equal(t, 1, strings.Count(out, "sha256:"))
		assert.NotContains(t, out+errOut, secret.Token)
		assert.Empty(t, errOut)
		assert.NotEqual(t, old.Fingerprint, secret.Fingerprint, "each start has a key of its own")
		if old.Token != "" {
			assert.Equal(t, old.Token, secret.Token)
		}
		old = secret
	}
}

// TestAFileOfATokenThatCannotBeWritten will do if the token is in it.
func TestAFileOfATokenThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/stdin"); err != nil {
		t.Skip("no /dev/stdin here: ", err)
	}
	out, errOut := servedOnce(t, nil, "sh", "-c", "exec \"$0\" -serve -framework=tiny -token-file=/dev/stdin <<.\n"+testToken+"\n.\n", os.Args[0])
	assert.Regexp(t, `(?m)^sha256:\S{43}$`, out)
	assert.Regexp(t, `^rpcbench: -token-file=/dev/stdin: clients need the fingerprint that is printed here behind their token, since it cannot be written into the file: .*\n$`, errOut)
	assert.NotContains(t, out+errOut, testToken)
}

// servedOnce starts a serving side, and ends it when the line of its fingerprint is there.
func servedOnce(t *testing.T, env []string, args ...string) (stdout, stderr string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = environment(env)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
	var text strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "sha256:") {
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		}
	}
	assert.NoError(t, cmd.Wait())
	return text.String(), errOut.String()
}

// onHere serves on the loopback interface without a token.
func onHere(t *testing.T, args ...string) (flag string) {
	return "-host=" + serveMachine(t, nil, append([]string{os.Args[0], "-serve"}, args...)...)
}

func TestServersOnAnotherMachine(t *testing.T) {
	t.Parallel()
	at := onHere(t)
	profile := filepath.Join(t.TempDir(), "cpu")
	out, errOut, code := self(t, measuring("Echo", at, "-framework=tiny", "-size=1KiB", "-conc=10", "-conns=7", "-server-cpuprofile="+profile)...)
	require.Zero(t, code, "%s%s", out, errOut)
	assertUnits(t, out, "calls/s", "client-cpu-ns/op", "server-cpu-ns/op", "server-B/op", "server-allocs/op", "server-busy-%")
	assert.Regexp(t, `\s7\.000 conns`, resultLines(out)[0])
	assert.Contains(t, out, "\npin: off (client and servers have a machine each)\n")
	assert.Regexp(t, `\nserver-machine: \w+/\w+, \d+ CPUs`, out)
	assert.Contains(t, out, "\ntiny: v2.3.4\n")
	assert.NotContains(t, out, "machines-differ")
	info, err := os.Stat(profile)
	require.NoError(t, err)
	assert.Positive(t, info.Size())

	out, errOut, code = self(t, measuring("Cluster|Workload", at, "-framework=tiny", "-conc=10", "-conns=4", "-servers=2", "-workload=steady")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Len(t, resultLines(out), 2)

	out, errOut, code = self(t, "-test.run=^TestConformanceOf$", "-framework=tiny", at)
	assert.Zero(t, code, "%s%s", out, errOut)
}

func TestFaultsOnAnotherMachine(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, append(measuring("Echo", onHere(t), "-framework=tiny", "-size=1B,2B", "-conc=10", "-watchdog=1s", "-fault=kill"), "-test.benchtime=5000x")...)
	assert.Equal(t, 1, code, errOut)
	require.Len(t, resultLines(out), 2)
	assert.Contains(t, errOut, "died: signal: killed")
}

func TestAnotherMachineHasItsOwnWorkloads(t *testing.T) {
	t.Parallel()
	at := onHere(t, "-mood=bad")
	out, errOut, code := self(t, measuring("Workload", at, "-framework=tiny", "-conc=10", "-workload=moody")...)
	assert.Equal(t, 1, code, out)
	assert.Contains(t, errOut, "× ")
	assert.Contains(t, errOut, "bad")
}

func TestMachinesThatDoNotRunTheSame(t *testing.T) {
	unraced(t)
	t.Parallel()
	other := filepath.Join(shelf(t, "same", "other.test"), "other.test")
	addr := serveMachine(t, []string{envVersion + "=v2.3.5"}, other, "-serve")
	out, errOut, code := self(t, measuring("Echo", "-host="+addr, "-framework=tiny", "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "\nmachines-differ: tiny is v2.3.4 here and v2.3.5 there\n")
	assert.Regexp(t, `# warning: -host=`+addr+`: its servers are of another build: there is no \S+ \(SHA-256 \S+\) beside its own file; the two machines do not run the same: tiny is v2\.3\.4 here and v2\.3\.5 there\n`, errOut)

	_, errOut, code = self(t, measuring("Echo", "-host="+addr, "-framework=tiny", "-size=1KiB", "-conc=10", "-anatomy="+t.TempDir())...)
	if runtime.GOOS == "linux" {
		assert.Equal(t, 2, code)
		assert.Contains(t, errOut, "-anatomy: the server of -host="+addr+" is of another build, so that parts of the two sides cannot be compared: tiny is v2.3.4 here and v2.3.5 there\n")
	}
}

func TestMachinesWhoseRuntimeIsSetOtherwise(t *testing.T) {
	unraced(t)
	t.Parallel()
	addr := serveMachine(t, []string{"GOGC=50"}, os.Args[0], "-serve")
	out, errOut, code := self(t, measuring("Echo", "-host="+addr, "-framework=tiny", "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "\nmachines-differ: gogc is 100 here and 50 there\n")
	assert.Contains(t, errOut, ": the two machines do not run the same: gogc is 100 here and 50 there\n")
}

func TestRemoteBadInput(t *testing.T) {
	t.Parallel()
	unraced(t)
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte(testToken+"\n"), 0o600))
	addr := serveMachine(t, nil, os.Args[0], "-serve", "-token-file="+file)
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	lone := filepath.Join(t.TempDir(), "lone")
	require.NoError(t, os.WriteFile(lone, []byte(testToken), 0o600))
	wide := filepath.Join(t.TempDir(), "wide")
	require.NoError(t, os.WriteFile(wide, []byte(testToken), 0o600))
	require.NoError(t, os.Chmod(wide, 0o644))
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, remote.Secret{Token: testToken, Fingerprint: "sha256:" + strings.Repeat("A", 43)}.Write(other))
	for _, c := range []struct {
		name string
		args []string
		say  string
	}{
		{"a token file that all may read", measuring("Echo", "-host="+addr, "-token-file="+wide), "everybody on this machine can read it: chmod 600 " + wide},
		{"and on the other side", []string{"-serve", "-token-file=" + wide}, "everybody on this machine can read it"},
		{"a token file that nobody could know", []string{"-serve", "-token-file=" + filepath.Join(t.TempDir(), "no", "token")}, "-token-file: nobody would know the token that was made: "},
		{"another key", measuring("Echo", "-host="+addr, "-token-file="+other), "and the fingerprint beside the token is sha256:AAAA"},
		{"no fingerprint for another machine", measuring("Echo", "-host=192.0.2.1:7000", "-token-file="+lone), "the fingerprint of the key there is missing"},
		{"no token", measuring("Echo", "-host="+addr), "-host: " + addr + ": refused: the token is missing or is not the one of the serving side"},
		{"a token file that is empty", measuring("Echo", "-host="+addr, "-token-file="+empty), "there is no token in it"},
		{"a token file that is not there", measuring("Echo", "-host="+addr, "-token-file="+empty+"x"), "-token-file: open "},
		{"a machine that is not there", measuring("Echo", "-host=127.0.0.1:1"), "-host: 127.0.0.1:1: "},
		{"no port", measuring("Echo", "-host=localhost"), "-host: localhost: want HOST:PORT, as in 10.0.0.2:7000"},
		{"a URL", measuring("Echo", "-host=http://"+addr+"/x"), "want HOST:PORT"},
		{"both sides", []string{"-serve", "-host=" + addr}, "-serve and -host are the two sides"},
		{"certificates of the other side", []string{"-serve", "-certs=" + t.TempDir()}, "-certs: the clients of -serve send theirs"},
		{"a server beyond", measuring("Echo", "-host="+addr, "-server=framework=tiny@"+addr, "-framework="), "needs neither -serve nor -host"},
		{"all interfaces without a token", []string{"-serve", "-listen=:0"}, "-listen: :0 is not a loopback address: a token of 16 characters or more is needed, in RPCBENCH_TOKEN or a file"},
		{"a place to listen without -serve", measuring("Echo", "-listen=:0"), "-listen=:0 is for -serve"},
		{"a token without a use", measuring("Echo", "-token-file="+file), "is for -serve or -host"},
		{"CPUs of the other machine", measuring("Echo", "-host="+addr, "-pin=0/1"), "-pin=0/1: "},
		{"pprof of the other machine", measuring("Echo", "-host="+addr, "-pprof"), "-pprof: with -host take -server-cpuprofile"},
		{"an option that would not arrive", measuring("Workload", "-host="+addr, "-mood=bad"), "-mood: with -host it is an option of -serve"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append([]string{"-framework=tiny", "-size=1KiB"}, c.args...)...)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 2, code)
			assert.NotContains(t, out+errOut, testToken)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence: %s", errOut)
			assert.Empty(t, out, "nothing half-run")
		})
	}
	out, errOut, code := self(t, measuring("Echo", "-host="+addr, "-token-file="+file, "-framework=tiny", "-size=1KiB")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.NotContains(t, out+errOut, testToken)
}

func TestTokensMayHaveSpaceAround(t *testing.T) {
	unraced(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("\n  "+testToken+" \n"), 0o600))
	addr := serveMachine(t, []string{host.EnvToken + "=  " + testToken + "\t"}, os.Args[0], "-serve")
	out, errOut, code := self(t, measuring("Echo", "-host="+addr, "-token-file="+file, "-framework=tiny", "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
}

// TestAMachineThatSaysNothingOfItself has one that answers everything with an empty
// object, and one whose description would forge a result.
func TestAMachineThatSaysNothingOfItself(t *testing.T) {
	t.Parallel()
	for about, text := range map[string]string{
		"nothing": `{}`,
		"null":    `null`,
		"forged":  `{"System":"x\nBenchmarkEcho 1 1 ns/op\u001b[2J","Versions":{"x\nBenchmarkEcho 1 1 ns/op":"y\nz"}}`,
	} {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Rpcbench-Serving", "1")
				io.WriteString(w, text)
			}))
			defer s.Close()
			out, errOut, code := self(t, measuring("Echo", "-host="+s.Listener.Addr().String(), "-framework=tiny", "-size=1KiB", "-conc=10")...)
			assert.Equal(t, 1, code)
			assert.Contains(t, out+errOut, `its server listens on ""`)
			assert.NotContains(t, out+errOut, "panic")
			assert.NotContains(t, out+errOut, "\x1b")
			assert.Empty(t, resultLines(out))
		})
	}
}

// namespaces are two machines, as the network goes.
type namespaces struct{ client, server, serverIP string }

// twoNamespaces makes them, and has them removed when the test ends.
func twoNamespaces(t *testing.T) namespaces {
	if os.Getuid() != 0 {
		t.Skip("network namespaces need root")
	}
	ip := func(args ...string) error {
		out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
		}
		return nil
	}
	n := namespaces{fmt.Sprintf("rpcbench%da", os.Getpid()), fmt.Sprintf("rpcbench%db", os.Getpid()), "192.0.2.2"}
	t.Cleanup(func() { // t.Context is done by then
		exec.Command("ip", "netns", "del", n.client).Run()
		exec.Command("ip", "netns", "del", n.server).Run()
	})
	for _, args := range []string{
		"netns add " + n.client, "netns add " + n.server,
		"-n " + n.client + " link add veth0 type veth peer name veth0 netns " + n.server,
		"-n " + n.client + " addr add 192.0.2.1/24 dev veth0", "-n " + n.server + " addr add " + n.serverIP + "/24 dev veth0",
		"-n " + n.client + " link set veth0 up", "-n " + n.server + " link set veth0 up",
		"-n " + n.client + " link set lo up", "-n " + n.server + " link set lo up",
	} {
		if err := ip(strings.Fields(args)...); err != nil {
			t.Skip("no network namespaces here: ", err)
		}
	}
	return n
}

// in is a command of this test binary inside a namespace.
func (n namespaces) in(namespace string, args ...string) []string {
	return append([]string{"ip", "netns", "exec", namespace, os.Args[0]}, args...)
}

// measure runs the client's side.
func (n namespaces) measure(t *testing.T, token string, args ...string) (stdout, stderr string) {
	args = n.in(n.client, args...)
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = append(os.Environ(), host.EnvToken+"="+token)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.Run() // what it printed tells more
	return out.String(), errOut.String()
}

func TestTwoMachines(t *testing.T) {
	t.Parallel()
	n := twoNamespaces(t)
	file := filepath.Join(t.TempDir(), "token")
	addr := serveMachine(t, nil, n.in(n.server, "-serve", "-listen="+net.JoinHostPort(n.serverIP, "0"), "-token-file="+file)...)
	require.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, tester.Enough, 10*time.Millisecond, "it is made")
	secret, err := remote.ReadSecret(file)
	require.NoError(t, err)
	at := "-host=" + addr
	profile := filepath.Join(t.TempDir(), "cpu")
	out, errOut := n.measure(t, "", measuring("Echo", at, "-token-file="+file, "-framework=tiny", "-size=1KiB", "-conc=10", "-server-cpuprofile="+profile)...)
	require.Len(t, resultLines(out), 1, errOut)
	assertUnits(t, out, "calls/s", "server-cpu-ns/op", "server-allocs/op")
	assert.Regexp(t, `\s0 errors`, out)
	info, err := os.Stat(profile)
	require.NoError(t, err)
	assert.Positive(t, info.Size())

	for words, want := range map[string]string{
		"": "the token has 0 characters: one of 16 or more is needed",
		"another token of some length " + secret.Fingerprint: "refused: the token is missing or is not the one of the serving side",
		secret.Token: "the fingerprint of the key there is missing: copy the file that -token-file names on that side, or put the line that begins with sha256: behind the token",
	} {
		out, errOut = n.measure(t, words, measuring("Echo", at, "-framework=tiny", "-size=1KiB")...)
		assert.Empty(t, resultLines(out))
		assert.Equal(t, "rpcbench: -host: "+addr+": "+want+"\n", errOut)
	}
	conn, err := net.DialTimeout("tcp", addr, 100*time.Millisecond)
	if err == nil {
		conn.Close()
	}
	assert.Error(t, err, "the address is in a network of its own")
}
