package cpus

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envCPUs has the test binary pin itself to these CPUs instead of running tests.
const envCPUs = "RPCBENCH_TEST_CPUS"

func TestMain(m *testing.M) {
	if os.Getenv(envCPUs) != "" {
		os.Exit(pinned())
	}
	os.Exit(m.Run())
}

// pinned pins this process as the environment says, and prints its CPUs.
func pinned() int {
	set, err := Parse(os.Getenv(envCPUs))
	if err == nil {
		err = PinSelf(set)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	got, _ := threadCPUs(0)
	before, _ := Available()
	fmt.Printf("on %s, %d CPUs, GOMAXPROCS %d, before on %s", got, runtime.NumCPU(), runtime.GOMAXPROCS(0), before)
	return 0
}

func TestPinSelf(t *testing.T) {
	last := lastCPU(t)
	all, err := Available()
	require.NoError(t, err)
	free := maxCPU
	tests := []struct {
		about string
		env   []string
		want  string
	}{
		{"it runs on the set alone", []string{cpusEnv(last)}, fmt.Sprintf("on %d, 1 CPUs, GOMAXPROCS 1, before on %s", last, all)},
		{"an empty GOMAXPROCS is none", []string{cpusEnv(last), "GOMAXPROCS="}, fmt.Sprintf("on %d, 1 CPUs, GOMAXPROCS 1", last)},
		{"the user's GOMAXPROCS stays", []string{cpusEnv(last), "GOMAXPROCS=3"}, fmt.Sprintf("on %d, 1 CPUs, GOMAXPROCS 3", last)},
		{"a CPU that is not there is an error", []string{cpusEnv(free)}, fmt.Sprintf("pin this process: pin to CPUs %d: ", free)},
		{"a mark that is not true is an error, not a loop", []string{cpusEnv(free), fmt.Sprintf("%s=%d", envPinned, free)}, fmt.Sprintf("pin to CPUs %d: got ", free)},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			out, _ := pinnedCommand(t, tt.env...).CombinedOutput()
			assert.True(t, strings.HasPrefix(string(out), tt.want), "%q, want %q", out, tt.want)
		})
	}
	assert.NoError(t, PinSelf(nil), "no CPUs, no pinning")
}

// pinnedCommand returns a command that runs this binary with more in its environment, which
// has GOMAXPROCS only from there.
func pinnedCommand(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe)
	own := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GOMAXPROCS=") })
	cmd.Env = append(own, env...)
	return cmd
}

func cpusEnv(cpu int) string { return envCPUs + "=" + strconv.Itoa(cpu) }

func lastCPU(t *testing.T) int {
	t.Helper()
	set, err := Available()
	require.NoError(t, err)
	require.NotEmpty(t, set)
	return set[len(set)-1]
}

func TestPinnedEnv(t *testing.T) {
	got := pinnedEnv([]string{"A=1", envPinned + "=0-7", "GOMAXPROCS=3"}, Set{2, 3}, Set{0, 1, 2, 3})
	assert.Equal(t, []string{"A=1", "GOMAXPROCS=3", envPinned + "=2-3", envAvailable + "=0-3"}, got)
}
