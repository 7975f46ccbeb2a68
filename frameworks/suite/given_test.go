package suite

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// running starts a server in this process, as a user would elsewhere, and
// returns its address.
func running(t *testing.T, f tiny) string {
	s, err := f.serve("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s.Addr()
}

// echoOnly has no handler for the bench message.
var echoOnly = tiny{handle: func(f *tinyFrame) error {
	if f.Method != "echo" {
		f.Error = "no such method:\n" + f.Method
	}
	return nil
}}

func TestAServerThatIsRunningAlready(t *testing.T) {
	t.Parallel()
	addr := running(t, tiny{})
	out, errOut, code := self(t, measuring("Echo|Message|Rate|Conn", "-server=framework=tiny@"+addr, "-peer=tiny-java", "-size=1KiB", "-conc=10", "-rate=2000")...)
	require.Zero(t, code, "%s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 5)
	for _, line := range lines {
		assert.Regexp(t, `framework=tiny/.*/peer=tiny-java(-\d+)?\s`, line)
		assert.Regexp(t, `\s0 errors`, line)
		assert.Contains(t, line, " client-cpu-ns/op")
		assert.NotContains(t, line, "server-")
	}
	assert.Contains(t, out, "\npin: off (the server is not ours to pin)\n")
	assert.NotContains(t, out, "\nserver-procs: ")
	assert.NotContains(t, out, "# skipped")
	assert.NotContains(t, errOut, "figures could not be read")
}

func TestAServerOfTheUsersAlone(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-server=framework=yours@"+running(t, tiny{}), "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, resultLines(out)[0], "framework=yours")
}

func TestSeveralClientsOfAServerThatIsRunningAlready(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-server=framework=tiny@"+running(t, tiny{}), "-peer=p", "-size=1KiB", "-conc=10", "-clients=2")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, resultLines(out)[0], "/conc=10/peer=p")
}

func TestWhatAServerLacksIsSkippedByName(t *testing.T) {
	t.Parallel()
	addr := running(t, echoOnly)
	out, errOut, code := self(t, measuring("Echo|Message|Cluster|Workload", "-server=framework=tiny@"+addr, "-server=framework=small@"+running(t, tiny{}), "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Len(t, resultLines(out), 3)
	const tinyID, smallID = "framework=tiny/transport=tcp/codec=gob at ", "framework=small/transport=tcp/codec=gob at "
	for _, line := range []string{
		"# skipped: Message of " + tinyID + addr + ": warm-up: no such method: message\n",
		"# skipped: Cluster of " + tinyID + addr + ": it starts several servers\n",
		"# skipped: Workload/workload=steady of " + smallID,
	} {
		assert.Contains(t, out, line)
	}
	assert.NotContains(t, out, "# skipped: Message of "+smallID)
	assert.NotRegexp(t, `(?m)^Benchmark.*ns/op$`, out, "a benchmark of which nothing is left has no line")
}

func tinyAt(addr string) string { return "-server=framework=tiny@" + addr }

// when has a server answer the calls of a method and an action in its own way.
func when(method, action string, answer func(*tinyFrame)) tiny {
	return tiny{handle: func(f *tinyFrame) error {
		if f.Method == method && f.Action == action {
			answer(f)
		}
		return nil
	}}
}

// TestAServerThatAnswersWrongly ends with 1, even where another benchmark of the run would
// have its results.
func TestAServerThatAnswersWrongly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about  string
		server tiny
		say    string
	}{
		{"a flipped byte", when("echo", "echo", func(f *tinyFrame) { f.Msg[0] ^= 1 }), "reply: not what was sent"},
		{"half of the payload", when("echo", "echo", func(f *tinyFrame) { f.Msg = f.Msg[:len(f.Msg)/2] }), "reply: 0 bytes, want 1"},
		{"a method that it may not call", when("message", "", func(f *tinyFrame) { f.Error = "permission denied" }), "Message of framework=tiny/transport=tcp/codec=gob at 127.0.0.1:"},
		{"field1 is not set", when("message", "", func(f *tinyFrame) { f.Bench.Field1 = "" }), `field1 is ""`},
		{"another field is lost", when("message", "", func(f *tinyFrame) { f.Bench.Field4 = nil }), "not what was sent: Field4 of the bench message"},
		{"an answer that comes too late", when("message", "", func(*tinyFrame) { time.Sleep(4 * time.Second) }), " of framework=tiny/transport=tcp/codec=gob at 127.0.0.1:"},
		{"no Echo at all", when("echo", "echo", func(f *tinyFrame) { f.Error = "no such method" }), ": it has no Echo: warm-up: no such method\n"},
		{"no error where one is asked for", when("echo", "fail", func(f *tinyFrame) { f.Error = "" }), "it answers a request that has to fail, Echo with the action fail, as any other"},
		{"another error than the one asked for", when("echo", "fail", func(f *tinyFrame) { f.Error = "out of tea" }), `asked for the error "rpcbench: the request asked for this error", it answers out of tea`},
		{"a workload that fails", when("echo", "work/steady", func(f *tinyFrame) { f.Error = "no table" }), "Workload/workload=steady of framework=tiny/transport=tcp/codec=gob at 127.0.0.1:"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, measuring("Echo|Message|Workload", tinyAt(running(t, c.server)), "-size=1B", "-conc=10", "-watchdog=2s", "-workload=steady")...)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 1, code)
			assert.Empty(t, out, "nothing half-run")
		})
	}
}

// TestAServerWithAWorkload is measured with it, and not with one that it lacks.
func TestAServerWithAWorkload(t *testing.T) {
	t.Parallel()
	addr := running(t, when("echo", "work/steady", func(f *tinyFrame) { f.Error = "" }))
	out, errOut, code := self(t, measuring("Workload", tinyAt(addr), "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, strings.Join(resultLines(out), "\n"), "/workload=steady/conc=10")
	assert.Regexp(t, `(?m)^# skipped: Workload/workload=\w+ of framework=tiny/.* at `+addr+`: .*rpcbench: not implemented`, out)
	assert.NotContains(t, out, "\nworkload-", "the set-up of a workload here is not that of the server")
}

// TestAnEchoServer sends back whatever it is sent, which is a reply in some protocols.
func TestAnEchoServer(t *testing.T) {
	t.Parallel()
	addr, stop := tester.Serve(sanitized{t}, func(c net.Conn) { io.Copy(c, c) })
	defer stop()
	out, errOut, code := self(t, measuring("Echo", tinyAt(addr), "-size=1B", "-conc=10")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errOut, "framework=tiny/transport=tcp/codec=gob at "+addr+": it answers a request that has to fail")
	assert.Empty(t, out)
}

func TestServersThatWillNotDo(t *testing.T) {
	unraced(t)
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts by the kernel alone
	require.NoError(t, err)
	t.Cleanup(func() { silent.Close() })
	foreign := running(t, tiny{})
	const gone = "127.0.0.1:1" // nobody listens there
	const id = "framework=tiny/transport=tcp/codec=gob"
	for _, c := range []struct {
		name string
		args []string
		say  string
		code int
	}{
		{"no server", measuring("Echo", tinyAt(gone)), id + " at " + gone + ": nobody listens there: ", 1},
		{"one of two is missing", measuring("Echo", "-size=1KiB", "-server=framework=small@"+foreign, tinyAt(gone)), id + " at " + gone + ": nobody listens there: ", 1},
		{"a server that never answers", measuring("Echo", tinyAt(silent.Addr().String()), "-watchdog=1s"), id + " at " + silent.Addr().String() + ": warm-up: ", 1},
		{"another protocol", measuring("Echo", tinyAt(foreignServer(t)), "-watchdog=3s"), `; it answers "220 mail.example.com"`, 1},
		{"only what it lacks", measuring("Message", tinyAt(running(t, echoOnly))), "no such method", 2},
		{"only what needs servers of our own", measuring("Cluster", tinyAt(foreign)), "-bench=Cluster: nothing is left to measure: Cluster of " + id + " at " + foreign + ": it starts several servers", 2},
		{"no address", measuring("Echo", "-server=framework=tiny"), "-server=framework=tiny: must be VARIANT@HOST:PORT", 2},
		{"no port", measuring("Echo", tinyAt("localhost")), "must be VARIANT@HOST:PORT", 2},
		{"an unknown variant", measuring("Echo", "-server=framework=ti@"+foreign), `"framework=ti" is not the first keys of any variant: there are framework=tiny, framework=small, `, 2},
		{"the same variant twice", measuring("Echo", tinyAt(foreign), tinyAt(foreign)), id + " has a server already", 2},
		{"another choice of variants", measuring("Echo", tinyAt(foreign), "-framework=tiny"), "leave -framework and -set out", 2},
		{"a fault", measuring("Echo", tinyAt(foreign), "-fault=kill"), "-fault, -pprof, -anatomy and profiles of the server need a server that this process starts", 2},
		{"a profile", measuring("Echo", tinyAt(foreign), "-server-cpuprofile=x"), "-fault, -pprof, -anatomy and profiles of the server need a server that this process starts", 2},
		{"a peer without a server", measuring("Echo", "-peer=java"), "-peer=java names the servers of -server: give both", 2},
		{"a peer that is no key's value", measuring("Echo", tinyAt(foreign), "-peer=a/b"), "-peer=a/b: must be a name", 2},
		{"a peer that looks like GOMAXPROCS", measuring("Echo", tinyAt(foreign), "-peer=java-3"), "-peer=java-3: benchstat takes a number", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, c.args...)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, c.code, code)
			assert.Empty(t, out, "nothing half-run")
		})
	}
}

// foreignServer answers everything by a line of text.
func foreignServer(t *testing.T) string {
	addr, _ := tester.Serve(t, func(c net.Conn) {
		io.WriteString(c, "220 mail.example.com\r\n")
		io.Copy(io.Discard, c)
	})
	return addr
}

func TestTheUsersServerConforms(t *testing.T) {
	t.Parallel()
	conformance := func(addr string) []string {
		return []string{"-test.run=^TestConformanceOf$", "-test.v", "-server=framework=tiny@" + addr, "-watchdog=1s"}
	}
	out, errOut, code := self(t, conformance(running(t, tiny{}))...)
	assert.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "/echo (")
	assert.NotContains(t, out, "/server_stopped")

	out, _, code = self(t, conformance(running(t, tiny{handle: func(f *tinyFrame) error { f.Error = ""; return nil }}))...)
	assert.NotZero(t, code)
	assert.Contains(t, out, "it answers a request that has to fail")

	out, _, code = self(t, conformance("127.0.0.1:1")...)
	assert.NotZero(t, code)
	assert.Contains(t, out, "127.0.0.1:1")
}
