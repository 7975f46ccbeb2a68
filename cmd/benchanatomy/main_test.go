package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// played says that this binary is to be the command.
const played = "BENCHANATOMY_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command runs the command and returns what it said.
func command(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), played+"=1")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// put writes a round of a line: 1,000 calls with samples of 1 ms, so that a sample is 1 µs of each.
func put(t *testing.T, dir, name string, round int, client, server string) {
	t.Helper()
	file := filepath.Join(dir, fmt.Sprintf("%d%d", len(name), round))
	record := fmt.Sprintf(`{"name":%q,"start":"2026-01-02T03:04:%02dZ","config":{"sample":"1ms"},"metrics":{"client-cpu-ns/op":160000,"server-cpu-ns/op":20000},"result":{"sent":1000}}`, name, round)
	for end, text := range map[string]string{".json": record, ".client.folded": client, ".server.folded": server} {
		require.NoError(t, os.WriteFile(file+end, []byte(text), 0o600))
	}
}

const (
	echoA  = "BenchmarkEcho/framework=grpc/transport=h2/conc=100"
	echoB  = "BenchmarkEcho/framework=netrpc/transport=tcp/conc=100"
	client = "main.main;net.(*conn).Write;syscall.write 150\nencoding/gob.encode 10\n"
	server = "net/rpc.(*Server).ServeCodec;runtime.morestack 20\n"
)

func TestTables(t *testing.T) {
	dir := t.TempDir()
	for round := range 2 {
		put(t, dir, echoA, round, client, server)
		put(t, dir, echoB, round, client, server)
	}
	off, on := filepath.Join(dir, "off.txt"), filepath.Join(dir, "on.txt")
	lines := func(ns int) []byte {
		return []byte(strings.Repeat(fmt.Sprintf("%s 1000 1 ns/op %d client-cpu-ns/op\n", echoA, ns), 6))
	}
	require.NoError(t, os.WriteFile(off, lines(100), 0o600))
	require.NoError(t, os.WriteFile(on, lines(102), 0o600))

	text, stderr, code := command(t, "-functions=1", dir, off, on)
	require.Zero(t, code, stderr)
	assert.Equal(t, `client: CPU time of a call, µs ± 95 %
                       grpc         netrpc
write         150.00 ±4.38   150.00 ±4.38
serializer    (10.00 ±4.38)  (10.00 ±4.38)
`, strings.Join(strings.SplitAfter(text, "\n")[:4], ""))
	for _, want := range []string{
		"\nall           160.00         160.00\nby samples     100 %          100 %\nsamples          320            320\n",
		"\nserver: CPU time of a call, µs ± 95 %\n",
		"\nstacks        (20.00 ±1.23)  (20.00 ±1.23)\n",
		"\ngrpc, client: the largest functions, with what they call\n  150.00 ±4.38   93.8 %  write       main.main\n",
		"\n( ) rests on fewer than 100 samples.",
		"\nThe profiler costs client +2.0 % (+2.0 to +2.0) of the CPU time of a call; rounds without it are shorter.\n",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 4, strings.Count(text, "warning: "), "all have few samples")
	assert.Contains(t, text, "\nwarning: netrpc, server: 40 samples are few, and leave parts below a tenth uncertain: measure for longer\n")
	parts, err := os.ReadFile(filepath.Join(dir, "parts.txt"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(parts), echoB+"/side=server/part=stacks 1000 20000 ns/op 20 samples\n"))
}

// TestDoubts are told of parts that do not add up, and of code that is not known.
func TestDoubts(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, echoA, 0, "acme.com/rpc.(*Client).Call 130\n", server)
	text, _, code := command(t, dir)
	require.Zero(t, code)
	assert.Contains(t, text, "\nwarning: grpc, client: the samples are of 81 % of the CPU time by the clock: they may miss a part, or too few were taken\n")
	assert.Contains(t, text, "\nwarning: grpc, client: 100.0 % is code that the table of parts does not know, most of it acme.com/rpc.(*Client).Call: see -part\n")
	text, _, code = command(t, "-part=acme.com/rpc=framework", dir)
	require.Zero(t, code)
	assert.NotContains(t, text, "does not know")
	assert.Contains(t, text, "\nframework     160.00 ")
}

// TestTwoSettings: a part that differs in each of the rounds is told.
func TestTwoSettings(t *testing.T) {
	base, dir := t.TempDir(), t.TempDir()
	for round := range 12 {
		put(t, base, echoA, round, client, server)
		put(t, dir, echoA, round, strings.ReplaceAll(client, "150", "130"), server)
	}
	text, said, code := command(t, "-base="+base, dir)
	require.Zero(t, code, said)
	assert.Contains(t, text, "\n  write                  150.00   148.57  -1.43 (-1.43 to -1.43)\n")
}

func TestLabels(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"BenchmarkEcho/framework=tcp/transport=conn/conc=1", "BenchmarkEcho/framework=tcp/transport=mux/conc=1", echoA} {
		put(t, dir, name, 0, client, server)
	}
	text, _, code := command(t, dir)
	require.Zero(t, code)
	assert.Contains(t, text, " tcp conn ", "one framework has two")
	assert.Contains(t, text, " tcp mux ")
	assert.NotContains(t, text, "h2")
}

func TestWhatCannotBeHad(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "no directory of -anatomy given; see -h"},
		{[]string{empty, "off.txt"}, 2, "give the directory of -anatomy, and behind it none or two files"},
		{[]string{"-base=" + empty, "-functions=3", empty}, 2, "-base compares two directories: leave -functions and files of lines out"},
		{[]string{"-base=" + empty, empty}, 1, "no profiles there; the suites write them with their flag -anatomy"},
		{[]string{"-functions=-1", empty}, 2, "-functions=-1: must be 0 or more"},
		{[]string{"-part=acme.com=nothing", empty}, 2, `there is no part "nothing": there are read, write,`},
		{[]string{"-part=acme.com", empty}, 2, "must be BEGINNING=PART, as in github.com/me/rpc=framework"},
		{[]string{empty}, 1, "no profiles there; the suites write them with their flag -anatomy"},
		{[]string{filepath.Join(empty, "none")}, 1, "no such file or directory"},
	} {
		_, stderr, code := command(t, c.args...)
		assert.Equal(t, c.code, code, "%q", c.args)
		assert.Contains(t, stderr, c.want)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}
