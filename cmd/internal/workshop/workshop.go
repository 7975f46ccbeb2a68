// Package workshop is where commands build test binaries of other commits and of other
// versions of modules: git worktrees in a directory for temporary files, of which
// nothing is left.
package workshop

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/portable"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

// Workshop is a directory with git worktrees, which Close removes.
type Workshop struct {
	dir        string
	below      string // the repository's root the current directory is, in a worktree too
	repository string // its .git
	lock       *os.File
	without    []string // the go.work files that are left out
}

// unfound says why git finds no repository here, if it was told of one that is left out.
func unfound(err error) error {
	if os.Getenv("GIT_DIR") != "" {
		err = fmt.Errorf("%w; GIT_DIR of the environment is left out, since the repository is that of the current directory", err)
	}
	return err
}

// New makes a workshop of the command of this name, for the repository of the current
// directory. It removes those that killed processes of the command have left behind,
// except on Windows.
func New(ctx context.Context, command string) (*Workshop, error) {
	below, err := Git(ctx, Here, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, unfound(err)
	}
	repository, err := Git(ctx, Here, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	removeLeft(ctx, command+"-")
	dir, err := os.MkdirTemp("", command+"-")
	if err != nil {
		return nil, err
	}
	w := &Workshop{dir: dir, below: below, repository: repository}
	if w.lock, err = own(filepath.Join(dir, owned), repository); err == nil {
		err = runnable(dir)
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close also works after an interrupt.
func (w *Workshop) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	remove(ctx, w.repository, w.dir)
	w.lock.Close()
}

// Workspaces lists the go.work files that go would take for packages below the current
// directory, each once. Nothing is built with them: of two commits, one may be where a
// go.work is and the other not. Errors of Build name them.
func (w *Workshop) Workspaces(ctx context.Context, packages []string) []string {
	w.without = workspaces(ctx, packages)
	return w.without
}

// Worktree checks a commit out and returns the current directory's place there.
func (w *Workshop) Worktree(ctx context.Context, name, ref string) (dir string, err error) {
	dir = filepath.Join(w.dir, worktreePrefix+name)
	if _, err = Git(ctx, Here, "worktree", "add", "--quiet", "--detach", dir, ref); err != nil {
		return "", fmt.Errorf("%s cannot be checked out: %w", ref, err)
	}
	return w.In(name), nil
}

// In is the current directory's place in a worktree.
func (w *Workshop) In(name string) string {
	return filepath.Join(w.dir, worktreePrefix+name, filepath.FromSlash(w.below))
}

// Room is a new empty directory in the workshop.
func (w *Workshop) Room(name string) (dir string, err error) {
	return os.MkdirTemp(w.dir, name+"-")
}

// Build makes the test binary of a package below dir, with flags of go.
func (w *Workshop) Build(ctx context.Context, dir, name, pkg string, flags ...string) (binary string, err error) {
	if pkg != Here {
		name = pkg + " of " + name
	}
	line := status.Stderr()
	defer line.Clear()
	step := "building " + foreign.Line(name)
	line.Begin(step)
	into, err := w.Room("built")
	if err != nil {
		return "", err
	}
	binary = filepath.Join(into, portable.Name(strings.TrimLeft(path.Base(pkg), ".")+".test", portable.Most))
	if err := link(ctx, filepath.Join(dir, pkg), binary, &status.Downloads{Line: line, Step: step}, flags...); err != nil {
		return "", fmt.Errorf("%s does not build%s: %w", name, lacking(w.without), err)
	}
	if _, err := os.Stat(binary); err != nil {
		return "", fmt.Errorf("%s has no tests here", name)
	}
	return binary, nil
}

// BuildAll makes the test binaries of packages.
func (w *Workshop) BuildAll(ctx context.Context, dir, name string, packages []string, flags ...string) (binaries []string, err error) {
	for _, pkg := range packages {
		binary, err := w.Build(ctx, dir, name, pkg, flags...)
		if err != nil {
			return nil, err
		}
		binaries = append(binaries, binary)
	}
	return binaries, nil
}

// link makes the test binary of the package in dir. What is compiled already is only
// linked.
func link(ctx context.Context, dir, binary string, follow io.Writer, flags ...string) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off"}, flags, []string{"-o", binary, "."})
	_, err := output(goCommand(ctx, nil, dir, args), args, follow)
	return err
}

// Layout returns the flag with which go links the functions of what is in dir in another
// order. By where its code is, one program can be faster than another of the same source.
// A seed of 0 is the linker's own order.
func Layout(ctx context.Context, dir string, seed int) (flag string, err error) {
	flags, err := Go(ctx, dir, "env", "GOFLAGS")
	return fmt.Sprintf("-ldflags=%s-randlayout=%d", linking(flags), seed), err
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
