//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/self"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/cell"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/table"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// do lists, measures or prints what the flags say.
func (o *options) do(ctx context.Context, out, said io.Writer) error {
	if o.table {
		return o.print(out)
	}
	build, err := self.File() // of all cells, also if the command is built anew meanwhile
	if err != nil {
		return err
	}
	all, err := cells(o.modes(build), o.pattern)
	if err != nil {
		return err
	}
	if o.list {
		return list(all, out)
	}
	if err := o.measure(ctx, build, all, said); err != nil {
		return err
	}
	return o.print(out)
}

// modes returns the modes of all tools, ours first.
func (o *options) modes(build string) []tool.Mode {
	return append(own.Modes(build), tool.Modes(o.toolsDir)...)
}

func list(all []cell.Cell, out io.Writer) error {
	for _, c := range all {
		if _, err := fmt.Fprintln(out, c.Name()); err != nil {
			return err
		}
	}
	return nil
}

// print prints the tables of the records.
func (o *options) print(out io.Writer) error {
	all, err := record.ReadAll(o.dir, o.seed)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s has no records with the seed %d", o.dir, o.seed)
	}
	_, err = io.WriteString(out, table.Text(all))
	return err
}

// task is a run of a cell.
type task struct {
	cell cell.Cell
	run  int
}

// tasks are the runs without a record, and those that failed. Each cell is run once before
// any is run again, so that a machine that becomes slower does so for all. A closed loop is
// run once: its times are not compared with a truth.
func (o *options) tasks(all []cell.Cell) (list []task) {
	for run := 1; run <= o.runs; run++ {
		for _, c := range all {
			once := c.Mode.Closed && run > 1
			if !once && !record.Done(o.dir, c.Name(), o.seed, run) {
				list = append(list, task{c, run})
			}
		}
	}
	return list
}

// measure runs what has no record yet, and writes a record of each.
func (o *options) measure(ctx context.Context, build string, all []cell.Cell, said io.Writer) error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	rig := cell.Rig{Self: build, Duration: o.time, Seed: o.seed, Machine: cell.Machine()}
	list := o.tasks(o.install(ctx, all, said))
	fmt.Fprintf(said, "%d cells, %d runs to do\n", len(all), len(list))
	start := time.Now()
	for i, t := range list {
		r := rig.Measure(ctx, t.cell, t.run)
		if ctx.Err() != nil {
			return errors.New("interrupted: the same command goes on where it was")
		}
		if err := r.Write(o.dir); err != nil {
			return err
		}
		fmt.Fprintf(said, "%d/%d %s\n", i+1, len(list), progress(r, left(time.Since(start), i+1, len(list))))
	}
	return nil
}

// left is how long the rest takes if it goes on as before.
func left(took time.Duration, done, all int) time.Duration {
	return took / time.Duration(done) * time.Duration(all-done)
}

// progress is the line of a run, with the time that is left.
func progress(r record.Record, left time.Duration) string {
	text := fmt.Sprintf("%s, run %d: ", r.Cell, r.Run)
	switch {
	case r.Error != "":
		text += r.Error
	case r.Truth.P99 == 0:
		text += fmt.Sprintf("p99 %v", r.Said.P99.Round(10*time.Microsecond))
	default:
		text += fmt.Sprintf("p99 %v of %v", r.Said.P99.Round(10*time.Microsecond), r.Truth.P99.Round(10*time.Microsecond))
	}
	return fmt.Sprintf("%s; %v left", text, left.Round(time.Second))
}
