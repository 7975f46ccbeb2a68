package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// builder builds subjects, each commit in one worktree.
type builder struct {
	*workshop.Workshop
	options
	worktrees map[string]bool // by commit
	known     builds.Known    // what it has built
}

// all builds what is planned. A release or commit that cannot be measured is refused. The
// others are the versions of the record.
func (b *builder) all(ctx context.Context, p *plan) error {
	b.worktrees = map[string]bool{}
	var built []*subject
	for _, s := range p.subjects {
		err := b.build(ctx, s)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			built = append(built, s)
		case !s.beside:
			fmt.Fprintf(os.Stderr, "benchhistory: refused %s: %v\n", s.version, err)
			p.Refused = append(p.Refused, history.Refusal{Version: s.version, Why: reason(err)})
		default:
			return fmt.Errorf("%s: %w", s.version, err)
		}
	}
	p.subjects = built
	for _, s := range built {
		if !s.beside {
			p.Versions = append(p.Versions, s.version)
		}
	}
	if len(p.Versions) == 0 {
		return errors.New("there is nothing to measure: all versions were refused")
	}
	return agree(built)
}

// agree says what stands against a record of these subjects, by what each said when it
// was proved: after the rounds it would be too late.
func agree(built []*subject) error {
	var said []history.Process
	for _, s := range built {
		for _, p := range s.programs {
			said = append(said, history.Process{Version: s.version, Output: []byte(p.said + "\n")})
		}
	}
	if err := history.Agree(said); err != nil {
		return fmt.Errorf("nothing was measured: one record cannot have these versions: %w", err)
	}
	return nil
}

// build builds a subject and proves that it runs.
func (b *builder) build(ctx context.Context, s *subject) (err error) {
	dir, err := b.worktree(ctx, s.ref)
	if err != nil {
		return err
	}
	if s.module != "" {
		return b.release(ctx, s, dir)
	}
	for _, pkg := range s.packages {
		p, err := b.program(ctx, s, dir, pkg)
		if err == nil {
			p.said, _, err = workshop.Prove(ctx, p.binary, b.args, s.version, "")
		}
		if err != nil {
			return err
		}
		s.programs = append(s.programs, p)
	}
	return nil
}

// worktree returns where a commit is checked out. Files that a release has changed are as
// they were.
func (b *builder) worktree(ctx context.Context, commit string) (dir string, err error) {
	if !b.worktrees[commit] {
		b.worktrees[commit] = true
		return b.Worktree(ctx, commit, commit)
	}
	dir = b.In(commit)
	_, err = workshop.Git(ctx, dir, "checkout", "--quiet", "--", ".")
	return dir, err
}

// release builds one by today's adapters, or else by the frozen ones beside them.
func (b *builder) release(ctx context.Context, s *subject, dir string) error {
	if err := download(ctx, s.module, s.release); err != nil {
		return fmt.Errorf("it cannot be had: %w", err)
	}
	for _, pkg := range s.packages {
		p, err := b.adapted(ctx, s, dir, pkg)
		if frozen := path.Join(pkg, "frozen"); err != nil && ctx.Err() == nil && measures(dir, frozen) {
			fmt.Fprintf(os.Stderr, "%s does not take it: %s\n", pkg, reason(err))
			var older error
			if p, older = b.adapted(ctx, s, dir, frozen); older == nil {
				err = nil
			} else {
				err = fmt.Errorf("neither adapter takes it; today's: %s; the frozen one: %w", reason(err), older)
			}
		}
		if err != nil {
			return err
		}
		s.programs = append(s.programs, p)
	}
	return nil
}

// adapted builds one adapter with a release in place of the version that go.mod requires.
func (b *builder) adapted(ctx context.Context, s *subject, dir, pkg string) (p program, err error) {
	in := filepath.Join(dir, pkg)
	if _, err = workshop.Go(ctx, in, "mod", "edit", "-replace="+s.module+"="+s.module+"@"+s.release); err != nil {
		return p, err
	}
	if p, err = b.program(ctx, s, dir, pkg); err != nil {
		return p, err
	}
	out, prints, err := workshop.Prove(ctx, p.binary, b.args, s.module, s.release)
	if err == nil && !prints {
		err = errors.New("its binary does not print which version it has")
	}
	p.said = out
	return p, err
}

// program builds the tests of a package, and what is weighed.
func (b *builder) program(ctx context.Context, s *subject, dir, pkg string) (p program, err error) {
	p.adapter = pkg
	if p.binary, err = b.Build(ctx, dir, s.version, pkg, "-mod=mod"); err == nil && b.sizeRounds > 0 {
		p.footprint, err = b.footprint(ctx, dir, pkg)
	}
	for _, binary := range []string{p.binary, p.footprint} {
		err = cmp.Or(err, b.known.Check(binary, ""))
	}
	return p, err
}

// footprint builds a program that has the adapter and little else.
func (b *builder) footprint(ctx context.Context, dir, pkg string) (binary string, err error) {
	room, err := b.Room("footprint")
	if err != nil {
		return "", err
	}
	in := filepath.Join(dir, pkg)
	adapter, err := workshop.Go(ctx, in, "list", "-mod=mod", ".")
	if err != nil {
		return "", err
	}
	source := filepath.Join(room, "main.go")
	if err = os.WriteFile(source, fmt.Appendf(nil, footprintSource, adapter), 0o600); err != nil {
		return "", err
	}
	binary = filepath.Join(room, "footprint")
	_, err = workshop.GoWith(ctx, []string{"CGO_ENABLED=0"}, in, "build", "-mod=mod", "-trimpath", "-ldflags=-s -w", "-o", binary, source)
	return binary, err
}

const footprintSource = `package main

import (
	adapter %q

	"github.com/rpcbench/rpcbench/frameworks/suite/footprint"
)

func main() { footprint.Main(adapter.Variants()) }
`
