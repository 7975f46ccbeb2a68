package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// played is set in a process that acts as the command.
const played = "SLURM_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) == "" {
		os.Exit(m.Run())
	}
	os.Unsetenv(played)
	main()
}

// slurm is the command with arguments. Its temporary directory is tmp.
func slurm(t *testing.T, tmp string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), played+"=1", "TMPDIR="+tmp)
	return cmd
}

// have skips where there is no Slurm. It also skips where all addresses are those of loopback,
// since slurmd cannot resolve the machine's name there.
func have(t *testing.T) {
	if _, err := exec.LookPath("slurmctld"); err != nil {
		t.Skip("did not run: a Slurm on this machine: apt-get install slurmctld slurmd slurm-client munge")
	}
	addrs, err := net.InterfaceAddrs()
	require.NoError(t, err)
	if !slices.ContainsFunc(addrs, func(a net.Addr) bool { return !a.(*net.IPNet).IP.IsLoopback() }) {
		t.Skip("did not run: a Slurm on this machine: it starts on no machine without a network")
	}
}

func TestMissingPrograms(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "srun"), []byte("#!/bin/sh\n"), 0o700))
	err := findPrograms() // it finds the daemons where Debian has them
	if err == nil {
		t.Skip("all is in /usr/sbin")
	}
	assert.ErrorContains(t, err, "sbatch: apt-get install slurmctld slurmd slurm-client munge")
	assert.NotContains(t, err.Error(), "srun")
}

func TestNoCommand(t *testing.T) {
	out, err := slurm(t, t.TempDir(), "--").CombinedOutput()
	assert.EqualError(t, err, "exit status 125")
	assert.Equal(t, "slurm: usage: slurm COMMAND [ARGUMENT...]\n", string(out))
}

// TestTasks: sixteen fit, and both nodes have their share. What the command prints and its
// exit code are those of the command that it was given.
func TestTasks(t *testing.T) {
	have(t)
	tmp := shortDir(t)
	out, err := slurm(t, tmp, "--", "sh", "-c", `srun -n16 sh -c 'echo $SLURMD_NODENAME'; exit 3`).Output()
	assert.EqualError(t, err, "exit status 3")
	assert.Equal(t, 8, strings.Count(string(out), "n0\n"))
	assert.Equal(t, 8, strings.Count(string(out), "n1\n"))
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestInterrupt: a job that runs ends with the command.
func TestInterrupt(t *testing.T) {
	have(t)
	tmp, pid := shortDir(t), filepath.Join(t.TempDir(), "pid")
	cmd := slurm(t, tmp, "srun", "-n1", "sh", "-c", `echo $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 600`, pid)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { _, err := os.Stat(pid); return err == nil }, time.Minute, 50*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	assert.EqualError(t, cmd.Wait(), "exit status 130")
	text, err := os.ReadFile(pid)
	require.NoError(t, err)
	assert.NoFileExists(t, "/proc/"+strings.TrimSpace(string(text)))
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// shortDir is a temporary directory whose name leaves room for that of a socket.
func shortDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "s")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}
