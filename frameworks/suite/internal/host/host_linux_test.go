package host

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
)

func init() {
	helpers["parent"] = func() int { return parent("echo", false) }
	helpers["parent of a paused child"] = func() int { return parent("echo", true) }
	helpers["parent by lifeline alone"] = func() int { return parent(lifelineAlone, false) }
	helpers["parent of another program"] = beginner
}

// lifelineAlone is a server that the kernel does not kill when its parent ends.
const lifelineAlone = "lifeline alone"

// The signal is the first thread's, which runs init functions.
func init() {
	if Serving() != lifelineAlone {
		return
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0); err != nil {
		panic(err)
	}
}

// parent starts a child, prints its pid and waits to be killed.
func parent(serve string, pause bool) int {
	h, err := Start(context.Background(), Config{Serve: serve})
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
	wait, err := process.Begin(cmd)
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

func lastCPU(t *testing.T) int {
	t.Helper()
	set, err := cpus.Available()
	require.NoError(t, err)
	require.NotEmpty(t, set)
	return set[len(set)-1]
}

func TestPinnedServer(t *testing.T) {
	before, err := cpus.Available()
	require.NoError(t, err)
	h := launch(t, Config{Serve: "echo", CPUs: cpus.Set{lastCPU(t)}})
	assert.Equal(t, 1, h.Ready().NumCPU)
	assert.Equal(t, 1, h.Ready().Procs)
	requireThreadsOn(t, h.Ready().PID, cpus.Set{lastCPU(t)})

	other := launch(t, Config{Serve: "echo"})
	assert.Equal(t, runtime.NumCPU(), other.Ready().NumCPU, "pinning one child pins no other")
	after, err := cpus.Available()
	require.NoError(t, err)
	assert.Equal(t, before, after, "nor this process")
}

// requireThreadsOn requires that all threads of a process are pinned to want.
func requireThreadsOn(t *testing.T, pid int, want cpus.Set) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	require.NoError(t, err)
	for _, task := range tasks {
		tid, err := strconv.Atoi(task.Name())
		require.NoError(t, err)
		var got, mask unix.CPUSet
		require.NoError(t, unix.SchedGetaffinity(tid, &got))
		for _, cpu := range want {
			mask.Set(cpu)
		}
		require.Equal(t, mask, got)
	}
}

func TestServerOnCPUsThatAreNotThere(t *testing.T) {
	const maxCPU = 1023
	_, err := Start(t.Context(), Config{Serve: "echo", CPUs: cpus.Set{maxCPU}})
	assert.ErrorContains(t, err, fmt.Sprintf("start echo: pin to CPUs %d: ", maxCPU))
}

// spareDescriptors lets the process open n more descriptors, until restore is called.
func spareDescriptors(n int) (restore func(), err error) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		return nil, err
	}
	next, err := syscall.Dup(0)
	if err != nil {
		return nil, err
	}
	syscall.Close(next)
	restore = func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) }
	return restore, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(next + n), Max: before.Max})
}

// A server is not started without descriptors for its pipes, and that is said.
func TestTooFewDescriptors(t *testing.T) {
	for spare := range 4 { // a pipe has two
		t.Run(strconv.Itoa(spare), func(t *testing.T) {
			restore, err := spareDescriptors(spare)
			require.NoError(t, err)
			defer restore()
			_, err = Start(t.Context(), Config{Serve: "echo"})
			assert.ErrorIs(t, err, syscall.EMFILE)
		})
	}
}
