package machines

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// calls are made by all ranks of a test together.
const calls = 480

// few are the flags that make a run short.
func few(conc int) []string {
	return []string{"-test.bench=Echo", "-set=recommended", "-framework=grpc", "-size=1KiB", fmt.Sprint("-conc=", conc), fmt.Sprintf("-test.benchtime=%dx", calls)}
}

// assertCounted looks for one line, of all calls.
func assertCounted(t *testing.T, text string) {
	t.Helper()
	assert.Equal(t, 1, strings.Count(text, "\nBenchmarkEcho/"), text)
	assert.Regexp(t, fmt.Sprintf(`\nBenchmarkEcho/framework=grpc\S*\s+%d\s.*\s0 errors\s`, calls), text)
}

// TestKubernetes starts servers and ranks on this machine, with the arguments in the
// manifests and what Kubernetes makes of variables.
// Slow: servers, ranks and rounds start one after the other.
func TestKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the benchmarks")
	}
	c, image, secret := readCluster(t), imageOf(t), t.TempDir()
	binary := filepath.Join(image, "rpcbench.test")
	out, err := exec.CommandContext(t.Context(), binary, "-new-secret="+secret).CombinedOutput()
	require.NoError(t, err, "%s", out)
	addr, _ := serve(t, binary, replaced(strings.NewReplacer("-listen=:7000", "-listen=127.0.0.1:0", "/secret", secret), argsOf(&c.servers.Spec.Template))...)

	results := t.TempDir()
	place := []string{
		flagsOf(argsOf(&c.first.Spec.Template))["host"], addr, "/secret", secret, "/results", results, "/rpcbench", image,
		"$(JOB)", "job", "-n=6", "-n=2",
	}
	start := c.others.Spec.Ordinals.Start
	for rank := start; rank < start+*c.others.Spec.Replicas; rank++ {
		stay(t, binary, replaced(strings.NewReplacer(append(place, "$(RANK)", fmt.Sprint(rank))...), argsOf(&c.others.Spec.Template)))
	}
	first := c.first.Spec.Template.Spec.Containers[0]
	args := replaced(strings.NewReplacer(place...), slices.Concat(first.Command, first.Args))
	args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasSuffix(arg, "/kitex.test") }) // it takes long to link
	args = append(args, "-size=1KiB", "-conc=4", "-conns=4", fmt.Sprintf("-test.benchtime=%dx", calls))
	table := output(t, args)
	assert.Contains(t, table, "grpc")
	assertRounds(t, string(read(t, results+"/job.txt")), 2)
	output(t, args) // by a pod that takes the place of one that has measured all
	assertRounds(t, string(read(t, results+"/job.txt")), 2)
}

// assertRounds looks for the lines of two frameworks, each of all calls.
func assertRounds(t *testing.T, text string, rounds int) {
	t.Helper()
	for _, framework := range []string{"grpc", "tcp"} {
		cases := map[string]int{}
		for _, m := range regexp.MustCompile(fmt.Sprintf(`(?m)^(BenchmarkEcho/framework=%s\S*)\s+%d\s.*\s0 errors\b`, framework, calls)).FindAllStringSubmatch(text, -1) {
			cases[m[1]]++
		}
		assert.NotEmpty(t, cases, "%s in %s", framework, text)
		for name, lines := range cases {
			assert.Equal(t, rounds, lines, name)
		}
	}
}

// imageOf returns a directory with what the image has in /rpcbench, without kitex. In the
// place of the binary of all frameworks, which takes long to link, is that of grpc.
func imageOf(t *testing.T) (dir string) {
	dir = t.TempDir()
	for name, program := range map[string]func() (string, error){
		"rpcbench.test": ofGRPC, "grpc.test": ofGRPC, "benchrounds": ofRounds, "benchreport": ofReport,
	} {
		file, err := program()
		require.NoError(t, err)
		require.NoError(t, os.Link(file, filepath.Join(dir, name)))
	}
	require.NoError(t, compile("test", "-vet=off", "-c", "-o", filepath.Join(dir, "tcp.test"), "./frameworks/tcp"))
	return dir
}

func replaced(by *strings.Replacer, texts []string) (list []string) {
	for _, text := range texts {
		list = append(list, by.Replace(text))
	}
	return list
}

// stay starts a rank until the test ends.
func stay(t *testing.T, binary string, args []string) {
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &said, 10*time.Second
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Wait() // the context has ended
		t.Logf("%s: %s", strings.Join(args, " "), &said)
	})
}

// output is what a command prints that does not fail.
func output(t *testing.T, args []string) string {
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &said)
	return string(out)
}

// serve starts a serving side until the test ends, and returns what its first lines say.
func serve(t *testing.T, binary string, args ...string) (addr, fingerprint string) {
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Wait() }) // the context has ended
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "sha256:") {
		if _, listens, found := strings.Cut(lines.Text(), " on "); found {
			addr = listens
		}
	}
	require.NotEmpty(t, addr)
	return addr, lines.Text()
}
