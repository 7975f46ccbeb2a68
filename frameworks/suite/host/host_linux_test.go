package host

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/storm"
)

func init() {
	helpers["parent"] = func() int { return parent(false) }
	helpers["parent of a paused child"] = func() int { return parent(true) }
	helpers["parent by lifeline alone"] = func() int {
		useDeathSignal = false
		return parent(false)
	}
	helpers["parent of another program"] = beginner
	helpers["pinned"] = pinned
	helpers["small"] = func() int { return grown(1 << 20) }
	helpers["large"] = func() int { return grown(100 << 20) }
}

// parent starts a child, prints its pid and waits to be killed.
func parent(pause bool) int {
	h, err := Start(context.Background(), Config{Serve: "echo"})
	if err == nil && pause {
		err = h.Pause()
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(h.Ready().PID)
	time.Sleep(time.Minute)
	h.Kill()
	return 1
}

// beginner starts another program, prints its pid and waits to be killed.
func beginner() int {
	cmd := exec.Command("sleep", "100")
	wait, err := Begin(cmd)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(cmd.Process.Pid)
	_ = wait()
	return 1
}

func TestNoOrphans(t *testing.T) {
	for _, helper := range []string{"parent", "parent of a paused child", "parent by lifeline alone", "parent of another program"} {
		t.Run(helper, func(t *testing.T) {
			cmd := helperCommand(t, helper)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
			var pid int
			_, err = fmt.Fscan(out, &pid)
			require.NoError(t, cmd.Process.Kill())
			require.NoError(t, err, "the child's pid")
			_ = cmd.Wait()
			if !assert.Eventually(t, func() bool { return !alive(pid) }, patience, 10*time.Millisecond) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
}

// alive reports whether a process runs or is paused. A zombie is not alive.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(state, []byte("Z"))
}

// helperCommand returns a command that runs a helper in this binary.
func helperCommand(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(withoutEnv(os.Environ(), envProcs), envHelper+"="+name)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// pinned pins this process as the environment says, and prints its CPUs.
func pinned() int {
	set, err := ParseCPUs(os.Getenv("RPCBENCH_TEST_CPUS"))
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
			out, _ := helperCommand(t, "pinned", tt.env...).CombinedOutput()
			assert.True(t, strings.HasPrefix(string(out), tt.want), "%q, want %q", out, tt.want)
		})
	}
	assert.NoError(t, PinSelf(nil), "no CPUs, no pinning")
}

func cpusEnv(cpu int) string { return "RPCBENCH_TEST_CPUS=" + strconv.Itoa(cpu) }

func lastCPU(t *testing.T) int {
	t.Helper()
	set, err := Available()
	require.NoError(t, err)
	require.NotEmpty(t, set)
	return set[len(set)-1]
}

func TestPinnedServer(t *testing.T) {
	before, err := Available()
	require.NoError(t, err)
	h := launch(t, Config{Serve: "echo", CPUs: CPUSet{lastCPU(t)}})
	assert.Equal(t, 1, h.Ready().NumCPU)
	assert.Equal(t, 1, h.Ready().Procs)
	requireThreadsOn(t, h.Ready().PID, CPUSet{lastCPU(t)})

	other := launch(t, Config{Serve: "echo"})
	assert.Equal(t, runtime.NumCPU(), other.Ready().NumCPU, "pinning one child pins no other")
	after, err := Available()
	require.NoError(t, err)
	assert.Equal(t, before, after, "nor this process")
}

// requireThreadsOn requires that all threads of a process are pinned to want.
func requireThreadsOn(t *testing.T, pid int, want CPUSet) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	require.NoError(t, err)
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		require.NoError(t, err)
		got, err := threadCPUs(tid)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestServerOnCPUsThatAreNotThere(t *testing.T) {
	_, err := Start(t.Context(), Config{Serve: "echo", CPUs: CPUSet{maxCPU}})
	assert.ErrorContains(t, err, fmt.Sprintf("start echo: pin to CPUs %d: ", maxCPU))
}

func TestPinnedEnv(t *testing.T) {
	got := pinnedEnv([]string{"A=1", envPinned + "=0-7", "GOMAXPROCS=3"}, CPUSet{2, 3}, CPUSet{0, 1, 2, 3})
	assert.Equal(t, []string{"A=1", "GOMAXPROCS=3", envPinned + "=2-3", envAvailable + "=0-3"}, got)
}

// A server is not started without descriptors for its pipes, and that is said.
func TestTooFewDescriptors(t *testing.T) {
	for spare := range 4 { // a pipe has two
		t.Run(strconv.Itoa(spare), func(t *testing.T) {
			restore, err := storm.SpareDescriptors(spare)
			require.NoError(t, err)
			defer restore()
			_, err = Start(t.Context(), Config{Serve: "echo"})
			assert.ErrorIs(t, err, syscall.EMFILE)
		})
	}
}

// grown holds this much memory for a moment. The memory is mapped, since the race
// detector adds several times as much to memory of Go.
func grown(n int) int {
	held, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return 1
	}
	defer syscall.Munmap(held)
	time.Sleep(20 * watching)
	return 0
}

// The peak of a process is its own, even if its parent's is higher.
func TestPeakOfAProcess(t *testing.T) {
	require.Zero(t, grown(200<<20))
	for _, tt := range []struct {
		helper      string
		least, most int64 // MiB
	}{{"small", 1, 90}, {"large", 100, 190}} {
		t.Setenv(envHelper, tt.helper)
		ended, err := Rerun(t.Context())
		require.NoError(t, err)
		assert.GreaterOrEqual(t, ended.Peak>>20, tt.least, tt.helper)
		assert.LessOrEqual(t, ended.Peak>>20, tt.most, tt.helper)
	}
}

func TestProcessesBesideServersHaveAChosenEnvironment(t *testing.T) {
	t.Setenv("GIT_DIR", "hook")
	t.Setenv("MYAPP_CONFIG", "own")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "echo $GIT_DIR $MYAPP_CONFIG")
	var out strings.Builder
	cmd.Stdout = &out
	wait, err := Begin(cmd)
	require.NoError(t, err)
	require.NoError(t, wait())
	assert.Equal(t, "own\n", out.String())
}
