package machines

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSlurm runs the scripts, and sixteen ranks on two nodes by one command.
func TestSlurm(t *testing.T) {
	if os.Getenv("RPCBENCH_SLURM") == "" {
		t.Skip("it takes a Slurm: make slurm-test")
	}
	binary := build(t)
	t.Setenv("PATH", filepath.Dir(binary)+":"+os.Getenv("PATH"))
	t.Setenv("RANKS", "8")
	token := filepath.Join(t.TempDir(), "token")
	addr, _ := serve(t, binary, "-serve", "-listen=127.0.0.1:0", "-token-file="+token)
	served := []string{"-host=" + addr, "-token-file=" + token}
	for _, way := range []struct {
		name string
		args []string
	}{
		{"srun", append([]string{"srun", "-n16", "rpcbench.test", "-test.run=^$"}, served...)},
		{"job", []string{"sbatch", "--wait", "job.sbatch"}},
		{"array", append([]string{"sbatch", "--wait", "--array=0-3", "array.sbatch"}, served...)},
	} {
		t.Run(way.name, func(t *testing.T) {
			assertCounted(t, submit(t, append(way.args, few(16)...)))
		})
	}
}

// submit runs a job in a directory of its own, and returns what it printed.
func submit(t *testing.T, args []string) string {
	dir := t.TempDir()
	for _, script := range []string{"job.sbatch", "array.sbatch"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, script), read(t, script), 0o644))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	text, err := cmd.CombinedOutput()
	outputs, _ := filepath.Glob(dir + "/slurm-*.out") // the pattern is right
	for _, file := range outputs {
		text = append(text, read(t, file)...)
	}
	t.Logf("%s\n%s", strings.Join(args, " "), text)
	require.NoError(t, err)
	return string(text)
}
