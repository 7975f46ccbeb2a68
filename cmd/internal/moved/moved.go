// Package moved measures of two programs where the CPU time of a call goes, in turns side by
// side, and says which parts and functions differ.
package moved

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

const (
	// turns are twice as many as an interval takes: with pairs.Fewest of them a single turn
	// that was disturbed would leave nothing to be told.
	turns = 24
	// benchtime has some 200 samples of each side in a turn. In a shorter one half of the time
	// would go to starting programs.
	benchtime = "1s"
)

// Pair are two programs, of one test binary or of several each.
type Pair struct {
	BaseName, HeadName string
	Base, Head         []string // binaries
	Args               []string // of all
	Dir                string   // for lines and profiles
}

// side is one of the two programs.
type side struct {
	called, name string
	binaries     []string
	dir          string // of its profiles
}

func (p Pair) sides() [2]side {
	return [2]side{
		{"base", p.BaseName, p.Base, filepath.Join(p.Dir, "base")},
		{"head", p.HeadName, p.Head, filepath.Join(p.Dir, "head")},
	}
}

// Check says why nothing can be compared here, or with these arguments of the binaries.
func Check(args []string) error { return check(runtime.GOOS, args) }

func check(system string, args []string) error {
	if system != "linux" {
		return errors.New("-anatomy: only Linux counts the CPU time of each thread; elsewhere a profile tells no parts of a call")
	}
	for _, arg := range args {
		if name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "="); strings.HasPrefix(arg, "-") && name == "anatomy" {
			return fmt.Errorf("%s behind --: the binaries get a directory for each side by -anatomy before it: leave it out", arg)
		}
	}
	return nil
}

// Prepare makes Dir, and moves what was there to a name that ends in .old.
func (p Pair) Prepare() error {
	old := p.Dir + ".old"
	if _, err := os.Stat(p.Dir); err == nil {
		if err := cmp.Or(os.RemoveAll(old), os.Rename(p.Dir, old)); err != nil {
			return err
		}
	}
	return os.MkdirAll(p.Dir, 0o777)
}

// Ready asks the binaries whether they can be profiled, before anything is measured. without is a
// sentence if one does not know how; the error is of arguments that forbid it.
func (p Pair) Ready(ctx context.Context) (without string, err error) {
	for _, s := range p.sides() {
		for _, binary := range s.binaries {
			switch said := refusal(ctx, binary, s.dir, p.Args); {
			case strings.Contains(said, "not defined: -anatomy"):
				return fmt.Sprintf("Parts of a call are not compared, since binaries of %s do not know -anatomy.", s.name), nil
			case said != "":
				return "", errors.New(said)
			}
		}
	}
	return "", nil
}

// refusal is what a binary says against -anatomy; "" for nothing. What else it may fail with is
// left for the measurement to say.
func refusal(ctx context.Context, binary, dir string, args []string) string {
	_, err := workshop.Run(ctx, binary, slices.Concat([]string{"-anatomy=" + dir}, workshop.BenchmarksOnly(), args, []string{"-cases"})...)
	if err == nil {
		return ""
	}
	_, said, _ := strings.Cut(err.Error(), "\n")
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if at := strings.Index(first, "-anatomy"); at < 0 || strings.HasPrefix(first, "#") {
		return ""
	}
	return first
}

// Compare measures both programs and compares them. What failed is left out, and after an
// interrupt what was not measured.
func (p Pair) Compare(ctx context.Context, rounds workshop.Found) (c Changes, err error) {
	cmd, err := workshop.Rounds(ctx, rounds, p.arguments()...)
	if err != nil {
		return c, err
	}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if _, err = workshop.Exited(cmd.Run(), 1); err != nil && ctx.Err() == nil {
		return c, fmt.Errorf("nothing was measured: %w", err)
	}
	return p.read()
}

// arguments returns what benchrounds is given.
func (p Pair) arguments() []string {
	list, files := []string{fmt.Sprintf("-n=%d", turns)}, []string(nil)
	for _, s := range p.sides() {
		file := filepath.Join(p.Dir, s.called+".txt")
		list = append(list, "-only="+file+"=-anatomy="+s.dir)
		for _, binary := range s.binaries {
			files = append(files, file+"="+binary)
		}
	}
	return slices.Concat(list, files, []string{"--"}, workshop.BenchmarksOnly(), p.Args, []string{"-test.benchtime=" + benchtime})
}

func (p Pair) read() (c Changes, err error) {
	var runs [2][]anatomy.Run
	for i, s := range p.sides() {
		var left string
		if runs[i], left, err = anatomy.ReadDir(s.dir); err != nil {
			return c, err
		}
		if left != "" {
			fmt.Fprintf(os.Stderr, "%s: %s\n", s.dir, foreign.Line(left))
		}
	}
	parts, functions := anatomy.NewTable(nil).Changes(runs[0], runs[1])
	if len(parts) == 0 {
		return c, errors.New("the two have no benchmark in common")
	}
	return Changes{parts, functions}, nil
}
