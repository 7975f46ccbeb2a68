// Benchrounds runs benchmark binaries in rounds, a fresh process each time,
// and keeps their lines: repeats inside one process share its luck.
//
//	benchrounds [-n rounds] [-turns n] FILE=BINARY... -- ARGUMENTS...
//
// Each turn runs every binary once, with the arguments, and appends what it
// prints to its file; a file that was there before is kept with .old behind its
// name. Several binaries are so interleaved, in another order each turn, which
// makes them comparable. A round is one turn, or several short ones: a machine
// changes from second to second, and the sooner binaries follow one another the
// less of it is between them. Progress goes to standard error: the expected time,
// where the binaries tell it, then which case of how many, the time so far and the
// time left, and after the first round how long all will take.
//
// Of binaries that do not know -cases, which package suite gives them, every
// case is run once beforehand to count them. The exit code is 1 if a binary
// failed or printed another number of results than it has cases, 2 if there is
// no result at all, and 130 after an interrupt, which ends the binary under way
// and keeps the results printed until then.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
)

func main() {
	rounds := flag.Int("n", 6, "`rounds` to run")
	turns := flag.Int("turns", 1, "`times` that a round runs every binary")
	arguments.Read(usage)
	targets, args, err := parseTargets(flag.Args())
	if err == nil && *rounds <= 0 {
		err = fmt.Errorf("-n=%d: must be more than 0", *rounds)
	}
	if err == nil && *turns <= 0 {
		err = fmt.Errorf("-turns=%d: must be more than 0", *turns)
	}
	if err != nil {
		exit(2, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	kept, err := run(ctx, *rounds, *turns, targets, args, os.Stderr)
	if ctx.Err() != nil {
		exit(130, fmt.Errorf("interrupted, %d results kept", kept))
	}
	if err != nil && kept == 0 {
		exit(2, err)
	}
	if err != nil {
		exit(1, err)
	}
}

func exit(code int, why error) {
	fmt.Fprintf(os.Stderr, "benchrounds: %v\n", why)
	os.Exit(code)
}

const usage = `benchrounds [-n rounds] [-turns n] FILE=BINARY... -- ARGUMENTS...

Runs each binary in rounds with the arguments and appends its lines to its file.`

// target is a binary and the file that keeps its lines.
type target struct{ file, binary string }

// parseTargets reads FILE=BINARY... -- ARGUMENTS...
func parseTargets(rest []string) (targets []target, args []string, err error) {
	for i, s := range rest {
		if s == "--" {
			return targets, rest[i+1:], checkTargets(targets)
		}
		file, binary, found := strings.Cut(s, "=")
		if !found || file == "" || binary == "" {
			return nil, nil, fmt.Errorf("%q is not FILE=BINARY", s)
		}
		if strings.HasPrefix(s, "-") {
			return nil, nil, fmt.Errorf("%q is not FILE=BINARY; the binaries' arguments come after FILE=BINARY... and --", s)
		}
		targets = append(targets, target{file, binary})
	}
	return targets, nil, checkTargets(targets)
}

func checkTargets(targets []target) error {
	if len(targets) == 0 {
		return fmt.Errorf("no FILE=BINARY given; see -h")
	}
	seen := map[string]bool{}
	for _, t := range targets {
		if file := filepath.Clean(t.file); seen[file] {
			return fmt.Errorf("file %s is given twice", file)
		}
		seen[filepath.Clean(t.file)] = true
	}
	return nil
}
