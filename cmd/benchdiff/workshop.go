package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// workshop is where binaries are built: a directory with git worktrees, which
// close removes.
type workshop struct {
	dir        string
	below      string // the repository's root the package is, in a worktree too
	repository string // its .git
	lock       *os.File
}

// prefix is what the names of workshops begin with.
const prefix = "benchdiff-"

// pair are the binaries to compare, one of each package, and what their columns are
// called. Those that both sides have come first, in the same order. again is base
// with another code layout.
type pair struct {
	base, again, head  []string
	baseName, headName string
	args               []string // more arguments of the binaries
	remark             string   // what must be known of them
}

func newWorkshop(ctx context.Context) (*workshop, error) {
	below, err := command(ctx, ".", "git", "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	repository, err := command(ctx, ".", "git", "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	removeLeft(ctx)
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, err
	}
	w := &workshop{dir: dir, below: below, repository: repository}
	if err := w.own(repository); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// close also works after an interrupt.
func (w *workshop) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	remove(ctx, w.repository, w.dir)
	w.lock.Close()
}

// commit builds packages of a commit and of the working tree.
func (w *workshop) commit(ctx context.Context, o options, packages []string) (p pair, err error) {
	ref := o.base
	dir, err := w.worktree(ctx, "base", ref)
	if err != nil {
		return p, err
	}
	s, err := choose(packages, dir, ref)
	if err != nil {
		return p, err
	}
	p = pair{baseName: ref, headName: "head", args: s.args, remark: s.remark}
	if p.base, err = w.buildAll(ctx, dir, ref, s.base); err == nil {
		err = understand(ctx, p.base, s.args, ref)
	}
	if err == nil {
		p.head, err = w.buildAll(ctx, ".", "head", s.head)
	}
	if err == nil {
		p.again, err = w.again(ctx, o, p.base, dir, ref, s.base)
	}
	return p, err
}

// understand wants the binaries of base to know the arguments. One from before
// -references would measure raw TCP, as each of the others does.
func understand(ctx context.Context, binaries, args []string, ref string) error {
	for _, binary := range binaries {
		if _, err := command(ctx, ".", binary, slices.Concat(benchmarksOnly, args)...); err != nil {
			return fmt.Errorf("binaries of %s cannot be run together, so compare one package at a time: %w", ref, err)
		}
	}
	return nil
}

// worktree checks a commit out and returns the package's directory there.
func (w *workshop) worktree(ctx context.Context, name, ref string) (dir string, err error) {
	dir = filepath.Join(w.dir, worktreePrefix+name)
	if _, err = command(ctx, ".", "git", "worktree", "add", "--quiet", "--detach", dir, ref); err != nil {
		return "", fmt.Errorf("%s cannot be checked out: %w", ref, err)
	}
	return w.inWorktree(name), nil
}

const worktreePrefix = "worktree-"

// inWorktree is the package's directory in a worktree.
func (w *workshop) inWorktree(name string) string {
	return filepath.Join(w.dir, worktreePrefix+name, filepath.FromSlash(w.below))
}

// again are the binaries of base again. For counts they are those of base.
func (w *workshop) again(ctx context.Context, o options, base []string, dir, name string, packages []string) ([]string, error) {
	if o.counts > 0 {
		return base, nil
	}
	return w.buildAgain(ctx, dir, name, packages)
}

// buildAgain makes the test binaries of packages with their functions in another
// order. By where its code is, one program can be faster than another of the same
// source, and A/A is to show that as well.
func (w *workshop) buildAgain(ctx context.Context, dir, name string, packages []string) (binaries []string, err error) {
	flags, err := command(ctx, dir, "go", "env", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	return w.buildAll(ctx, dir, name+" again, with another code layout", packages, "-ldflags="+linking(flags)+"-randlayout=1")
}

var linkerFlags = regexp.MustCompile(`(?:^|\s)(?:'--?ldflags=([^']*)'|"--?ldflags=([^"]*)"|--?ldflags=(\S*))`)

// linking are the linker's flags in GOFLAGS, which those of a command replace.
func linking(goflags string) string {
	all := linkerFlags.FindAllStringSubmatch(goflags, -1)
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1] // it counts
	return last[1] + last[2] + last[3] + " "
}

// buildAll makes the test binaries of packages, with flags of go.
func (w *workshop) buildAll(ctx context.Context, dir, name string, packages []string, flags ...string) (binaries []string, err error) {
	for _, pkg := range packages {
		binary, err := w.build(ctx, dir, name, pkg, flags...)
		if err != nil {
			return nil, err
		}
		binaries = append(binaries, binary)
	}
	return binaries, nil
}

// build makes the test binary of a package below dir.
func (w *workshop) build(ctx context.Context, dir, name, pkg string, flags ...string) (binary string, err error) {
	if pkg != here {
		name = pkg + " of " + name
	}
	fmt.Fprintf(os.Stderr, "building %s\n", name)
	into, err := os.MkdirTemp(w.dir, "built-")
	if err != nil {
		return "", err
	}
	binary = filepath.Join(into, strings.TrimLeft(path.Base(pkg), ".")+".test")
	args := slices.Concat([]string{"test", "-c", "-vet=off"}, flags, []string{"-o", binary, "."})
	if _, err := command(ctx, filepath.Join(dir, pkg), "go", args...); err != nil {
		return "", fmt.Errorf("%s does not build: %w", name, err)
	}
	if _, err := os.Stat(binary); err != nil {
		return "", fmt.Errorf("%s has no tests here", name)
	}
	return binary, nil
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
	ends.WithParent(cmd, syscall.SIGTERM) // benchrounds ends its binary, and make what it runs
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
			text += "\n\t" + foreign.Line(strings.TrimRight(line, "\n"))
		}
	}
	return text
}
