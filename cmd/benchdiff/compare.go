package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/benchtime"
)

// tools are the commands that measure and compare.
type tools struct{ rounds, gate, stat string }

func findTools() (t tools, err error) {
	for name, path := range map[string]*string{"benchrounds": &t.rounds, "benchgate": &t.gate, "benchstat": &t.stat} {
		if *path = find(name); *path == "" {
			err = fmt.Errorf("%s is neither beside benchdiff nor in PATH: go install it", name)
		}
	}
	return t, err
}

// find returns where a command is, beside this one or in PATH; "" for nowhere.
func find(name string) string {
	self, _ := os.Executable()
	beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err == nil {
		return beside
	}
	inPath, _ := exec.LookPath(name)
	return inPath
}

// The files that keep the lines.
const (
	baseFile  = "bench-base.txt"
	againFile = "bench-base2.txt"
	headFile  = "bench-head.txt"
)

// turns is how often each binary runs in a round, for a part of -test.benchtime:
// a shared machine is faster and slower from second to second, and pairs that are
// near in time tell more than as many seconds in one go.
const turns = 10

// partTime is the argument that gives a turn its part of the time, or of the
// calls, that args give a case.
func partTime(args []string) (string, error) {
	given := benchtime.Of(args)
	if calls, found := strings.CutSuffix(given, "x"); found {
		n, err := strconv.Atoi(calls)
		return fmt.Sprintf("-test.benchtime=%dx", max(n/turns, 1)), err
	}
	d, err := time.ParseDuration(given)
	return fmt.Sprintf("-test.benchtime=%v", d/turns), err
}

// benchmarksOnly keeps a binary from running its tests.
var benchmarksOnly = []string{"-test.run=^$"}

// shown are the units of the table.
const shown = ".unit:(calls/s OR ns/op OR p50-ns OR p99-ns OR cpu-ns/op OR client-cpu-ns/op OR server-cpu-ns/op)"

// compare measures a pair and prints how the two differ. Runs that failed fail
// it, but leave results to be seen.
func (t tools) compare(ctx context.Context, o options, p pair) (pass bool, err error) {
	ran, err := t.measure(ctx, o, p)
	if err != nil {
		return false, err
	}
	verdict, passed, err := t.judge(ctx, o)
	if err != nil { // nor may benchstat read these files
		return false, err
	}
	table, err := command(ctx, ".", t.stat, "-table", "", "-row", ".fullname", "-ignore", ".config", "-filter", shown,
		p.baseName+"="+baseFile, "again="+againFile, p.headName+"="+headFile)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s\n\n%s\n", table, verdict)
	return ran && passed, nil
}

// measure reports whether all runs went well.
func (t tools) measure(ctx context.Context, o options, p pair) (ran bool, err error) {
	part, err := partTime(o.args)
	if err != nil {
		return false, fmt.Errorf("-test.benchtime: %w", err)
	}
	cmd := interruptible(ctx, ".", t.rounds, slices.Concat(
		[]string{fmt.Sprintf("-n=%d", o.rounds), fmt.Sprintf("-turns=%d", turns), baseFile + "=" + p.base, againFile + "=" + p.base, headFile + "=" + p.head, "--"},
		benchmarksOnly, o.args, []string{part})...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if ran, err = exited(cmd.Run(), 1); err != nil {
		err = fmt.Errorf("nothing was measured: %w", err)
	}
	return ran, err
}

// judge returns what benchgate says, and whether it lets head pass.
func (t tools) judge(ctx context.Context, o options) (verdict string, pass bool, err error) {
	cmd := interruptible(ctx, ".", t.gate, fmt.Sprintf("-lines=%d", o.rounds*turns), fmt.Sprintf("-dedicated=%t", o.dedicated), baseFile, againFile, headFile)
	out, err := cmd.Output()
	pass, err = exited(err, 1)
	if err != nil {
		err = errors.New(cmp.Or(strings.TrimSpace(said(err)), err.Error()))
	}
	return strings.TrimRight(string(out), "\n"), pass, err
}

// exited reports whether a command went well; one exit code says that it did
// not, and any other is an error.
func exited(err error, code int) (well bool, other error) {
	var failure *exec.ExitError
	if errors.As(err, &failure) && failure.ExitCode() == code {
		return false, nil
	}
	return err == nil, err
}
