package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envHold has this test binary make a directory, print its path, and wait.
const envHold = "SCRATCH_HOLD"

func TestMain(m *testing.M) {
	if os.Getenv(envHold) == "" {
		os.Exit(m.Run())
	}
	d, err := New()
	if err != nil {
		os.Exit(2)
	}
	os.WriteFile(filepath.Join(d.Path, "file"), nil, 0o600)
	os.Stdout.WriteString(d.Path + "\n")
	time.Sleep(time.Minute)
}

func TestADirectoryIsForThisUserAlone(t *testing.T) {
	d, err := New()
	require.NoError(t, err)
	info, err := os.Stat(d.Path)
	require.NoError(t, err)
	assert.Equal(t, os.ModeDir|0o700, info.Mode())
	assert.True(t, filepath.IsAbs(d.Path))
	require.NoError(t, os.WriteFile(filepath.Join(d.Path, "file"), nil, 0o600))
	require.NoError(t, d.Close())
	assert.NoDirExists(t, d.Path)
	assert.NoError(t, d.Close(), "a second time")
	assert.NoError(t, (*Dir)(nil).Close(), "of none")
}

// The directory is gone whatever ends the process, and so is the keeper.
func TestADirectoryIsGoneAfterEachEnd(t *testing.T) {
	for _, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(end.String(), func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(end) {
				t.Skip("nohup or the like has it ignored here, and so in what this process starts")
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), envHold+"=1")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			line, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			dir := strings.TrimSpace(line)
			require.DirExists(t, dir)
			require.NoError(t, syscall.Kill(-cmd.Process.Pid, end), "all that is in its process group")
			cmd.Wait()
			gone := func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) && !kept(dir) }
			assert.Eventually(t, gone, 20*time.Second, 5*time.Millisecond)
		})
	}
}

// kept reports whether a process has the directory as an argument.
func kept(dir string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), dir) {
			return true
		}
	}
	return false
}

func TestADirectoryThatCannotBeMade(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	_, err := New()
	assert.ErrorContains(t, err, "no such file or directory")
}
