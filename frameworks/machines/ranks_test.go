package machines

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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

// TestKubernetes starts servers and ranks on this machine, with the arguments in
// kubernetes.yaml and what Kubernetes has in the environment.
func TestKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the benchmarks")
	}
	c := readCluster(t)
	binary, err := ofGRPC()
	require.NoError(t, err)
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte("a token of some length"), 0o440))
	place := strings.NewReplacer("-listen=:7000", "-listen=127.0.0.1:0", "/secret/token", token, "$(RUN)", "r")
	addr, fingerprint := serve(t, binary, replaced(place, c.servers.Spec.Containers[0].Args)...)

	secret := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(secret, []byte("a token of some length "+fingerprint), 0o440))
	place = strings.NewReplacer("rpcbench-servers:7000", addr, "/secret/token", secret, "$(RUN)", "r")
	args := append(replaced(place, c.ranks.Spec.Template.Spec.Containers[0].Args), few(4)...)
	printed := make([]bytes.Buffer, *c.ranks.Spec.Completions)
	var ranks sync.WaitGroup
	for index := range printed {
		ranks.Go(func() {
			var said bytes.Buffer
			pod := exec.CommandContext(t.Context(), binary, args...)
			pod.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index))
			pod.Stdout, pod.Stderr = &printed[index], &said
			assert.NoError(t, pod.Run(), "rank %d: %s", index, &said)
		})
	}
	ranks.Wait()
	assertCounted(t, printed[0].String())
	for _, other := range printed[1:] {
		assert.Empty(t, other.String())
	}
}

func replaced(by *strings.Replacer, texts []string) (list []string) {
	for _, text := range texts {
		list = append(list, by.Replace(text))
	}
	return list
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
