package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// count runs a pair, and what seems to have changed again. It reports whether all runs
// went well.
func (o options) count(ctx context.Context, rounds workshop.Found, p pair, args []string) (ran bool, err error) {
	ran, err = runTurns(ctx, rounds, p, []string{fmt.Sprintf("-n=%d", firstTurns)}, args)
	if err != nil || !ran || ctx.Err() != nil {
		return ran, err
	}
	open, err := o.open()
	if err != nil || len(open) == 0 {
		return ran, err
	}
	times := []string{"-add", fmt.Sprintf("-n=%d", o.countTurns-firstTurns)}
	return runTurns(ctx, rounds, p, times, append(slices.Clone(args), "-test.bench="+lines.Pattern(open)))
}

// open lists the benchmarks that have to run again.
func (o options) open() ([]string, error) {
	files, err := read()
	if err != nil {
		return nil, err
	}
	report, err := o.rule().Judge(files[0], files[1], files[2])
	if err != nil {
		return nil, err
	}
	return report.Open(), nil
}
