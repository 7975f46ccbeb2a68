package tool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
)

// Registry is where a tool comes from.
type Registry string

// The registries.
const (
	Go     Registry = "go"     // a module, built by go install
	Cargo  Registry = "cargo"  // a crate, built by cargo install
	NPM    Registry = "npm"    // a package of npm
	Debian Registry = "debian" // a program that has to be on PATH
)

// Recipe says how a tool is installed.
type Recipe struct {
	Tool     string // its name, which is that of its program
	Registry Registry
	Package  string // its name in the registry
	Version  string // "" for a program of Debian

	modes func(program string) []Mode
}

// Install puts a tool at its version into a directory of its own in dir, and writes what the
// registry's program says to log. It does nothing for a tool that is there. It returns the
// path and the version of the tool's program. An error has one line: the program of the
// registry or of Debian is missing, or it failed.
func (r Recipe) Install(ctx context.Context, dir string, log io.Writer) (path, version string, err error) {
	if r.Registry == Debian {
		return r.look(ctx)
	}
	path = r.Program(dir)
	if _, err := os.Stat(path); err == nil {
		return path, r.Version, nil
	}
	part := r.home(dir) + ".part"
	defer os.RemoveAll(part)
	if err := r.build(ctx, part, log); err != nil {
		return "", "", err
	}
	if err := os.Rename(part, r.home(dir)); err != nil {
		return "", "", fmt.Errorf("%s %s cannot be installed: %w", r.Tool, r.Version, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", "", fmt.Errorf("%s %s was built without its program: %w", r.Tool, r.Version, err)
	}
	return path, r.Version, nil
}

// Program is the path of a tool's program in dir, or its name if it comes from Debian.
func (r Recipe) Program(dir string) string {
	switch r.Registry {
	case Go:
		return filepath.Join(r.home(dir), r.Tool)
	case Cargo:
		return filepath.Join(r.home(dir), "bin", r.Tool)
	case NPM:
		return filepath.Join(r.home(dir), "node_modules", ".bin", r.Tool)
	default:
		return r.Tool
	}
}

// home is the directory of a tool at its version.
func (r Recipe) home(dir string) string { return filepath.Join(dir, r.Tool+"-"+r.Version) }

// command returns the program that installs a tool into home, with its arguments.
func (r Recipe) command(home string) []string {
	switch r.Registry {
	case Go:
		return []string{"go", "install", "-trimpath", r.Package + "@" + r.Version}
	case Cargo:
		return []string{"cargo", "install", "--locked", "--root", home, "--version", r.Version, r.Package}
	default:
		return []string{"npm", "install", "--no-fund", "--no-audit", "--prefix", home, r.Package + "@" + r.Version}
	}
}

// build runs the command in home, which is outside of any module of ours. The environment has
// nothing in it that would have Go build by the rules of a module or a workspace.
func (r Recipe) build(ctx context.Context, home string, log io.Writer) error {
	args := r.command(home)
	program, err := exec.LookPath(args[0])
	if err != nil {
		return fmt.Errorf("%s %s needs %s, which is not on PATH", r.Tool, r.Version, args[0])
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("%s %s cannot be installed: %w", r.Tool, r.Version, err)
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Dir, cmd.Env = home, append(os.Environ(), "GOBIN="+home, "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	cmd.Stdout = io.MultiWriter(log, &said)
	cmd.Stderr = cmd.Stdout
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(syscall.SIGTERM) }, 10*time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s does not build: %w: %s", r.Tool, r.Version, err, reason(said.String()))
	}
	return nil
}

// look finds a program of Debian and the version of its package, which is "unknown" where
// packages are not Debian's.
func (r Recipe) look(ctx context.Context) (path, version string, err error) {
	path, err = exec.LookPath(r.Tool)
	if err != nil {
		return "", "", fmt.Errorf("%s is not on PATH: install the Debian package %s", r.Tool, r.Package)
	}
	out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f=${Version}", r.Package).Output()
	if err != nil || len(out) == 0 {
		return path, "unknown", nil
	}
	return path, foreign.Line(string(out)), nil
}

// reason is the line of a program's output that says best why it failed: the first with
// "error" in it, or else the last.
func reason(output string) string {
	last := "it has said nothing"
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.Contains(strings.ToLower(line), "error") {
			return foreign.Line(line)
		}
		if line != "" {
			last = line
		}
	}
	return foreign.Line(last)
}
