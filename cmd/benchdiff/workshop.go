package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// workshop is where binaries are built: a directory with git worktrees, which
// close removes.
type workshop struct {
	dir       string
	below     string // the repository's root the package is, in a worktree too
	worktrees []string
}

// pair are the binaries to compare and what their columns are called.
type pair struct {
	base, head         string
	baseName, headName string
}

func newWorkshop(ctx context.Context) (*workshop, error) {
	below, err := command(ctx, ".", "git", "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "benchdiff-")
	return &workshop{dir: dir, below: below}, err
}

// close also works after an interrupt.
func (w *workshop) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, dir := range w.worktrees {
		_, _ = command(ctx, ".", "git", "worktree", "remove", "--force", dir)
	}
	os.RemoveAll(w.dir)
}

// commit builds a commit and the working tree.
func (w *workshop) commit(ctx context.Context, ref string) (p pair, err error) {
	p = pair{baseName: ref, headName: "head"}
	dir, err := w.worktree(ctx, "base", ref)
	if err != nil {
		return p, err
	}
	if p.base, err = w.build(ctx, dir, ref); err == nil {
		p.head, err = w.build(ctx, ".", "head")
	}
	return p, err
}

// worktree checks a commit out and returns the package's directory there.
func (w *workshop) worktree(ctx context.Context, name, ref string) (dir string, err error) {
	dir = filepath.Join(w.dir, name)
	w.worktrees = append(w.worktrees, dir)
	if _, err = command(ctx, ".", "git", "worktree", "add", "--quiet", "--detach", dir, ref); err != nil {
		return "", fmt.Errorf("%s cannot be checked out: %w", ref, err)
	}
	return filepath.Join(dir, filepath.FromSlash(w.below)), nil
}

// build makes the test binary of the package in dir.
func (w *workshop) build(ctx context.Context, dir, name string) (binary string, err error) {
	fmt.Fprintf(os.Stderr, "building %s\n", name)
	file, err := os.CreateTemp(w.dir, "*.test")
	if err != nil {
		return "", err
	}
	file.Close()
	if _, err := command(ctx, dir, "go", "test", "-c", "-vet=off", "-o", file.Name(), "."); err != nil {
		return "", fmt.Errorf("%s does not build: %w", name, err)
	}
	if info, err := os.Stat(file.Name()); err != nil || info.Size() == 0 {
		return "", fmt.Errorf("%s has no tests here", name)
	}
	return file.Name(), nil
}

// patience is how long a command may go on after an interrupt: benchrounds
// gives its binary 5 seconds.
const patience = 10 * time.Second

// interruptible is a command that ends by an interrupt when ctx does.
func interruptible(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	return cmd
}

// command runs one and returns its output without the last newline; an error
// has what it said.
func command(ctx context.Context, dir, name string, args ...string) (out string, err error) {
	b, err := interruptible(ctx, dir, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w%s", filepath.Base(name), strings.Join(args, " "), err, said(err))
	}
	return strings.TrimRight(string(b), "\n"), nil
}

// said is what a failed command printed as its errors, in lines of their own.
func said(err error) (text string) {
	var failure *exec.ExitError
	if !errors.As(err, &failure) {
		return ""
	}
	for line := range strings.Lines(string(failure.Stderr)) {
		if !strings.HasPrefix(line, "go: downloading ") {
			text += "\n\t" + strings.TrimRight(line, "\n")
		}
	}
	return text
}
