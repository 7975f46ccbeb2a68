package suite

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	out, errOut, code := self(t, bench("Echo|Message|Rate|Conn", "-server=framework=tiny@"+addr, "-peer=tiny-java", "-size=1KiB", "-conc=10", "-rate=2000")...)
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
	out, errOut, code := self(t, bench("Echo", "-server=framework=yours@"+running(t, tiny{}), "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, resultLines(out)[0], "framework=yours")
}

func TestSeveralClientsOfAServerThatIsRunningAlready(t *testing.T) {
	out, errOut, code := self(t, bench("Echo", "-server=framework=tiny@"+running(t, tiny{}), "-peer=p", "-size=1KiB", "-conc=10", "-clients=2")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, resultLines(out)[0], "/conc=10/peer=p")
}

func TestWhatAServerLacksIsSkippedByName(t *testing.T) {
	addr := running(t, echoOnly)
	out, errOut, code := self(t, bench("Echo|Message|Cluster|Workload", "-server=framework=tiny@"+addr, "-server=framework=small@"+running(t, tiny{}), "-size=1KiB", "-conc=10")...)
	require.Zero(t, code, "%s%s", out, errOut)
	assert.Len(t, resultLines(out), 3)
	const tinyID, smallID = "framework=tiny/transport=tcp/codec=gob at ", "framework=small/transport=tcp/codec=gob at "
	for _, line := range []string{
		"# skipped: Message of " + tinyID + addr + ": warm-up: no such method: message\n",
		"# skipped: Cluster of " + tinyID + addr + ": it starts several servers\n",
		"# skipped: Workload of " + smallID,
	} {
		assert.Contains(t, out, line)
	}
	assert.NotContains(t, out, "# skipped: Message of "+smallID)
	assert.NotRegexp(t, `(?m)^Benchmark.*ns/op$`, out, "a benchmark of which nothing is left has no line")
}

func TestServersThatWillNotDo(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts by the kernel alone
	require.NoError(t, err)
	defer silent.Close()
	foreign := running(t, tiny{})
	const gone = "127.0.0.1:1" // nobody listens there
	tinyAt := func(addr string) string { return "-server=framework=tiny@" + addr }
	const id = "framework=tiny/transport=tcp/codec=gob"
	for _, c := range []struct {
		name string
		args []string
		say  string
	}{
		{"no server", bench("Echo", tinyAt(gone)), id + " at " + gone + ": dial: "},
		{"one of two is missing", bench("Echo", "-size=1KiB", "-server=framework=small@"+foreign, tinyAt(gone)), id + " at " + gone + ": dial: "},
		{"a server that never answers", bench("Echo", tinyAt(silent.Addr().String()), "-watchdog=1s"), id + " at " + silent.Addr().String() + ": warm-up: "},
		{"another protocol", bench("Echo", tinyAt(foreignServer(t)), "-watchdog=5s"), id + " at 127.0.0.1:"},
		{"only what it lacks", bench("Message", tinyAt(running(t, echoOnly))), "no such method"},
		{"only what needs servers of our own", bench("Cluster", tinyAt(foreign)), "-bench=Cluster: nothing is left to measure: Cluster of " + id + " at " + foreign + ": it starts several servers"},
		{"no address", bench("Echo", "-server=framework=tiny"), "-server=framework=tiny: must be VARIANT@HOST:PORT"},
		{"no port", bench("Echo", tinyAt("localhost")), "must be VARIANT@HOST:PORT"},
		{"an unknown variant", bench("Echo", "-server=framework=ti@"+foreign), `"framework=ti" is not the first keys of any variant: there are framework=tiny, framework=small, `},
		{"the same variant twice", bench("Echo", tinyAt(foreign), tinyAt(foreign)), id + " has a server already"},
		{"another choice of variants", bench("Echo", tinyAt(foreign), "-framework=tiny"), "leave -framework and -set out"},
		{"a fault", bench("Echo", tinyAt(foreign), "-fault=kill"), "-fault, -pprof and profiles of the server need a server that this process starts"},
		{"a profile", bench("Echo", tinyAt(foreign), "-server-cpuprofile=x"), "-fault, -pprof and profiles of the server need a server that this process starts"},
		{"a peer without a server", bench("Echo", "-peer=java"), "-peer=java names the servers of -server: give both"},
		{"a peer that is no key's value", bench("Echo", tinyAt(foreign), "-peer=a/b"), "-peer=a/b: must be a name"},
		{"a peer that looks like GOMAXPROCS", bench("Echo", tinyAt(foreign), "-peer=java-3"), "-peer=java-3: benchstat takes a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errOut, code := self(t, c.args...)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 2, code)
			assert.Empty(t, out, "nothing half-run")
		})
	}
}

// foreignServer answers everything by a line of text.
func foreignServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Write([]byte("220 mail.example.com\r\n"))
		}
	}()
	return l.Addr().String()
}

func TestTheUsersServerConforms(t *testing.T) {
	conformance := func(addr string) []string {
		return []string{"-test.run=^TestConformanceOf$", "-test.v", "-server=framework=tiny@" + addr, "-watchdog=1s"}
	}
	out, errOut, code := self(t, conformance(running(t, tiny{}))...)
	assert.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "/echo (")
	assert.NotContains(t, out, "/server_stopped")

	out, _, code = self(t, conformance(running(t, tiny{handle: func(f *tinyFrame) error { f.Error = ""; return nil }}))...)
	assert.NotZero(t, code)
	assert.Contains(t, out, "handler_error")

	out, _, code = self(t, conformance("127.0.0.1:1")...)
	assert.NotZero(t, code)
	assert.Contains(t, out, "127.0.0.1:1")
}
