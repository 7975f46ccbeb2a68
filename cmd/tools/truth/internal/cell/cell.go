//go:build unix

// Package cell measures the cells of the truth table: one mode of a tool against one server.
package cell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// Cell is a mode of a tool against a server.
type Cell struct {
	Kind planted.Kind
	Rate int // calls a second
	Mode tool.Mode

	Version string // of the tool; may be empty
	Missing error  // why the tool cannot be run; nil if it can
}

// Name is the kind, the protocol, the tool and the mode, as in "frozen/http/vegeta/default".
// A kind with several rates has the rate behind it.
func (c Cell) Name() string {
	return strings.Join([]string{c.kind(), string(c.Mode.Protocol), c.Mode.Tool, c.Mode.Name}, "/")
}

func (c Cell) kind() string {
	if len(c.Kind.Rates()) > 1 {
		return fmt.Sprint(c.Kind, c.Rate)
	}
	return string(c.Kind)
}

// Rig is what cells are measured with.
type Rig struct {
	Self     string        // the command, which is run again as the server
	Duration time.Duration // of a run
	Seed     int64         // of servers and random arrivals
	Machine  string        // described in a line
}

// floorTime is for how long the floor is measured, before the run: at the same rate, since CPUs
// that sleep more answer later.
const floorTime = time.Second / 2

// Measure runs a cell. What goes wrong is a line in the record. The context ends the run.
func (r Rig) Measure(ctx context.Context, c Cell, run int) record.Record {
	rec := record.Record{
		Cell: c.Name(), Kind: c.Kind, Protocol: c.Mode.Protocol, Tool: c.Mode.Tool, Mode: c.Mode.Name,
		Closed: c.Mode.Closed, Random: c.Mode.Random, Options: c.Mode.Options, Version: c.Version, Rate: c.Rate, Run: run, Seed: r.Seed,
		Length: r.Duration, Machine: r.Machine, Date: time.Now().UTC().Truncate(time.Second),
	}
	err := c.Missing
	if err == nil {
		err = r.measure(ctx, c, &rec)
	}
	if err != nil {
		rec.Error = foreign.Line(strings.TrimSpace(err.Error()))
	}
	return rec
}

func (r Rig) measure(ctx context.Context, c Cell, rec *record.Record) error {
	if err := cmp.Or(enoughCores(runtime.NumCPU()), enoughFiles()); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "truth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	plan := r.plan(c)
	s, err := startServer(ctx, r.Self, c.Mode.Protocol, plan)
	if err != nil {
		return err
	}
	defer s.stop()
	target := r.target(c, s.address, dir)
	if err := r.run(ctx, s, c.Mode, target, plan, rec); err != nil {
		return errors.Join(err, s.died())
	}
	return nil
}

// plan is the plan of the server. With random arrivals a queue has equal service times.
func (r Rig) plan(c Cell) planted.Plan {
	plan := planted.Of(c.Kind, r.Duration, r.Seed)
	plan.Random = plan.Random && !c.Mode.Random
	return plan
}

func (r Rig) target(c Cell, address, dir string) tool.Target {
	return tool.Target{
		Protocol: c.Mode.Protocol, Address: address, Dir: dir, Seed: r.Seed,
		Post: c.Kind == planted.Dropping && c.Mode.Protocol == tool.HTTP,
		Rate: c.Rate, Duration: r.Duration, Calls: int(float64(c.Rate) * r.Duration.Seconds()),
	}
}

// run measures the floor, has the tool call the server, and writes into the record what
// both say.
func (r Rig) run(ctx context.Context, s *process, m tool.Mode, t tool.Target, plan planted.Plan, rec *record.Record) error {
	if plan.Kind.Timed() {
		floor, err := own.Floor(ctx, t, min(floorTime, t.Duration/2))
		if err != nil {
			return err
		}
		rec.Floor = max(floor-plan.Base, 0)
	}
	if err := s.begin(); err != nil {
		return err
	}
	end := s.standStill(ctx, plan)
	ended, err := runTool(ctx, m, t)
	stood := end()
	if err != nil {
		return err
	}
	seen, err := s.report()
	if err != nil {
		return err
	}
	rec.Said, rec.CPU, rec.Took, rec.Note = ended.said, ended.cpu, ended.took, ended.note
	fill(rec, m, t, plan, stood.of(seen.First), seen)
	return nil
}

// fill writes the truth into the record.
func fill(rec *record.Record, m tool.Mode, t tool.Target, plan planted.Plan, stood planted.Window, seen seen) {
	due := planted.Constant(float64(t.Rate), t.Calls)
	if m.Random {
		due = own.Due(t)
	}
	rec.Asked, rec.Made = int64(len(due)), int64(len(seen.Arrivals))
	rec.Failed, rec.Failures, rec.Stood = seen.Failed(), seen.Failures, stood
	rec.Server = planted.Summary(seen.LateBut(stood), 0)
	if m.Closed {
		return
	}
	if plan.Kind.Timed() {
		rec.Truth = planted.Summary(plan.Responses(due, stood), rec.Floor)
	}
	if plan.Kind == planted.Dropping {
		return // some calls fail on their way, and then the k-th arrival is not the k-th call
	}
	rec.Lateness = planted.Summary(planted.Lateness(seen.Arrivals, due, stood), 0)
}
