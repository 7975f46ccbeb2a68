// Package machines has manifests that run the benchmarks on many machines. Its tests hold
// them to the API of Kubernetes and to the flags of the benchmarks.
package machines

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// manifests are those with commands of the benchmarks.
func manifests() []string {
	return []string{"kubernetes.yaml", "kubernetes-run.yaml", "job.sbatch", "array.sbatch"}
}

func read(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// flagsOf are the values of flags by their names.
func flagsOf(args []string) map[string]string {
	flags := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		flags[name] = value
	}
	return flags
}

// TestContainerfile needs nothing that the documented commands do not make, and no network.
// It has all programs of the manifests.
func TestContainerfile(t *testing.T) {
	text := string(read(t, "Containerfile"))
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{
		"FROM scratch", "COPY *.test benchrounds benchreport /rpcbench/", "USER 65532:65532", `ENTRYPOINT ["/rpcbench/rpcbench.test"]`,
	}, lines)
	assert.Contains(t, text, "CGO_ENABLED=0 make ", "static binaries")
	for _, m := range regexp.MustCompile(`/rpcbench/([\w.]+)`).FindAllSubmatch(read(t, "kubernetes-run.yaml"), -1) {
		assert.Contains(t, strings.Fields(text), "bin/"+string(m[1]))
	}
}

// TestFlags: the programs have every flag that a manifest gives them.
func TestFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the benchmarks")
	}
	known := map[string]bool{}
	for _, program := range []func() (string, error){ofGRPC, ofRounds, ofReport} {
		binary, err := program()
		require.NoError(t, err)
		help, _ := exec.CommandContext(t.Context(), binary, "-h").CombinedOutput()
		for _, m := range regexp.MustCompile(`(?m)^  -(\S+)`).FindAllSubmatch(help, -1) {
			known[string(m[1])] = true
		}
	}
	for _, file := range manifests() {
		given := flagsIn(string(read(t, file)))
		assert.Greater(t, len(given), 4, file)
		for _, name := range given {
			assert.True(t, known[name] || flag.Lookup(name) != nil, "%s: there is no flag -%s", file, name)
		}
	}
}

// flagsIn are the names of flags of the benchmarks in a manifest. Those of other programs
// begin with two dashes, have one letter, or are in a line of openssl or grep.
func flagsIn(text string) (names []string) {
	text = regexp.MustCompile(`(?m)^.*\b(openssl|grep) .*$`).ReplaceAllString(text, "")
	for _, m := range regexp.MustCompile(`(?m)(?:^|\s)-([a-z][a-z.-]*[a-z])(?:[=.\s]|$)`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestFlagsIn(t *testing.T) {
	assert.Equal(t, []string{"test.bench", "serve", "rank", "gather"},
		flagsIn("# x --wait -l a -test.bench=Echo\n- -serve\n\t-rank=\"$((A - B))\"\nrand $(openssl rand -hex 16)\nthe time of -gather.\nuntil grep -qs x"))
}

// room is a directory that all tests share, made by TestMain.
const room = "RPCBENCH_TEST_ROOM"

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "machines-test-")
	if err == nil {
		err = os.Setenv(room, dir)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// ofGRPC is the binary of grpc alone, linked once and in a third of the time. It has the
// flags of that of all frameworks: both are package suite's.
var ofGRPC = sync.OnceValues(func() (string, error) { return build(os.Getenv(room), "./frameworks/grpc") })

// ofRounds and ofReport are the programs of an image that are no benchmarks.
var (
	ofRounds = sync.OnceValues(func() (string, error) { return program("benchrounds") })
	ofReport = sync.OnceValues(func() (string, error) { return program("benchreport") })
)

// build makes rpcbench.test of a package in dir, and returns where it is.
func build(dir, pkg string) (file string, err error) {
	file = filepath.Join(dir, "rpcbench.test")
	return file, compile("test", "-vet=off", "-c", "-o", file, pkg)
}

// program makes a program of module cmd.
func program(name string) (file string, err error) {
	file = filepath.Join(os.Getenv(room), name)
	return file, compile("build", "-C", "cmd", "-o", file, "./"+name)
}

func compile(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return err
}
