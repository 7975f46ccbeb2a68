// Package ranks has processes on any machines find each other, so that they make the calls of
// a run together.
package ranks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	loadagent "github.com/rpcbench/rpcbench/loadgen/agent"
)

// Ranks says which of the processes this one is that make the calls of a run together, and
// holds what it knows of the others. By default it is alone.
type Ranks struct {
	own     loadagent.Agent // this process among them
	given   func() bool     // whether a flag says which, and not an engine
	Gather  time.Duration   // within which all have to come
	Stay    time.Duration   // for which other ranks than 0 wait for further runs; 0: for none
	Meeting *remote.Rank    // with the others; nil if there are none
	Total   total

	self   Self
	ledger *ledger.Ledger
	roster remote.Roster
	others []*remote.Other // those that rank 0 gives orders to
	gone   error           // why there is no run any more
}

// Register registers the flags.
func (r *Ranks) Register(fs *flag.FlagSet) {
	r.own.RegisterRank(fs)
	r.given = func() bool { return loadagent.RankGiven(fs) }
	fs.DurationVar(&r.Gather, "gather", time.Minute, "`time` within which all ranks have to come")
	fs.DurationVar(&r.Stay, "stay", 0, "have ranks go on with further runs of the same name, also of other builds, until none begins for a `time`; 0 for one run. "+
		"Ranks other than 0 need no other flags than those of ranks and -host then")
}

// Check returns an error if this process cannot be the rank that it is told to be. It
// tells the options how many make the calls. Ranks meet at host. Names of cases are listed in
// any case.
func (r *Ranks) Check(o *plan.Options, host string, listing bool) error {
	if o.Pattern == plan.NoCase && r.Stay == 0 { // a rank makes calls of benchmarks
		return nil
	}
	if host == "" && !r.given() { // an engine has started what is no rank
		r.leave()
	}
	err := r.mayBe(o, host)
	if err != nil && listing {
		r.leave()
		o.Ranks, err = 1, nil
	}
	return err
}

// leave makes this process no rank of others.
func (r *Ranks) leave() { r.own.Rank, r.own.Ranks = 0, 1 }

func (r *Ranks) mayBe(o *plan.Options, host string) error {
	o.Ranks = r.own.Ranks
	switch err := r.own.CheckRank(); {
	case err != nil:
		return err
	case o.Ranks == 1:
		return nil
	case host == "":
		return fmt.Errorf("-ranks=%d: ranks meet where -serve runs: give -host", o.Ranks)
	case o.Clients > 1:
		return fmt.Errorf("-clients=%d -ranks=%d: each rank is one client: start more ranks instead", o.Clients, o.Ranks)
	case r.Gather <= 0:
		return fmt.Errorf("-gather=%v: must be more than 0", r.Gather)
	case r.Stay < 0:
		return fmt.Errorf("-stay=%v: must not be negative", r.Stay)
	}
	if err := remote.CheckRun(r.own.RunName); err != nil {
		return fmt.Errorf("-run-name: %w", err)
	}
	o.Clients = o.Ranks
	return nil
}

// Stays reports whether this process waits for runs of rank 0.
func (r *Ranks) Stays() bool { return r.Stay > 0 && !r.alone() && r.own.Rank > 0 }

// alone reports whether this process is no rank of others.
func (r *Ranks) alone() bool { return r.own.Ranks <= 1 }

// Follows reports whether this process is a rank that carries out the orders of rank 0.
func (r *Ranks) Follows() bool { return r.Meeting != nil && r.own.Rank > 0 }

// Patiently dials the machine of -host. The servers of a job may start after its ranks.
func (r *Ranks) Patiently(dial func() (*remote.Machine, error)) (m *remote.Machine, err error) {
	for begin := time.Now(); ; time.Sleep(500 * time.Millisecond) {
		m, err = dial()
		if r.alone() || !notYet(err) || time.Since(begin) > r.Gather {
			return m, err
		}
	}
}

// notYet reports whether an error says that nobody listens, or that a name is not known yet.
func notYet(err error) bool {
	return remote.NobodyListens(err) || errors.As(err, new(*net.DNSError))
}

// Meet brings this rank together with the others of its run, at a machine. self is what it
// says of itself. Rank 0 notes in the ledger which machines differ from its own.
func (r *Ranks) Meet(at *remote.Machine, self Self, l *ledger.Ledger) (err error) {
	self.leaveOut()
	r.self, r.ledger, r.roster = self, l, remote.Roster{}
	text, _ := json.Marshal(self) // of texts and numbers it never fails
	name, _ := os.Hostname()
	p := remote.Place{Rank: r.own.Rank, Ranks: r.own.Ranks, Machine: cmp.Or(name, "?"), PID: os.Getpid(), Facts: text, Stays: r.Stay > 0}
	if r.Meeting, err = at.Come(context.Background(), r.own.RunName, p); err != nil || r.own.Rank > 0 {
		return err
	}
	return r.gather("")
}

// gather waits for the others, and ends the run if they do not come or do not go together. lost names
// those that were there before.
func (r *Ranks) gather(lost string) error {
	r.gone = r.complete()
	if r.gone != nil && lost != "" {
		r.gone = fmt.Errorf("%s has ended, or its machine is cut off: %w", lost, r.gone)
	}
	if r.gone != nil {
		r.Abandon(r.gone.Error())
	}
	return r.gone
}

// complete waits for the ranks that the roster lacks, and refuses what does not go together.
func (r *Ranks) complete() error {
	tell := func(there int) { ledger.Progress("# %d of %d ranks are there", there, r.own.Ranks) }
	if err := r.Meeting.Complete(r.roster, r.own.Ranks, r.Gather, tell); err != nil {
		return err
	}
	all, err := readSelves(r.roster)
	if err != nil {
		return err
	}
	for rank, other := range all {
		name := r.roster[rank].Name()
		if err := r.self.refuse(other); err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if differ := settings.Differences(r.self.Machine, other.Machine); len(differ) > 0 {
			r.ledger.Warn(name, "its machine does not run the same as that of rank 0 (here): "+strings.Join(differ, ", "))
		}
	}
	r.others, r.Total = r.renewed(), totalOf(r.roster, all)
	return r.equip(all)
}

// equip returns an error if a rank that stays has no file of this build.
func (r *Ranks) equip(all []Self) error {
	for _, o := range r.others {
		if all[o.Rank].Build.Hash == r.self.Build.Hash {
			continue
		}
		if err := o.Has(r.self.Build); err != nil {
			return err
		}
	}
	return nil
}

// renewed are the others of the roster. Those that were there already go on with their orders.
func (r *Ranks) renewed() []*remote.Other {
	list := r.Meeting.Others(r.roster)
	for i, one := range list {
		for _, before := range r.others {
			if before.Visit == one.Visit {
				list[i] = before
			}
		}
	}
	return list
}

// Others are the other ranks. Where some were lost, it waits until they have come again: processes
// that were started anew, by hand or by what has started the ranks. What was measured until then
// stays.
func (r *Ranks) Others() ([]*remote.Other, error) {
	var names []string
	for _, o := range r.others {
		if o.Lost() {
			names = append(names, o.Name())
			delete(r.roster, o.Rank)
		}
	}
	if lost := strings.Join(names, ", "); r.gone == nil && lost != "" {
		ledger.Progress("# %s has ended: the run goes on when it has come again, with the same command, within %v", lost, r.Gather)
		_ = r.gather(lost) // is r.gone
	}
	return r.others, r.gone
}

// CheckResults refuses a directory that holds records of another run, unless several runs follow one
// another.
func (r *Ranks) CheckResults(dir string) error {
	if dir == "" || r.own.Rank > 0 || r.Stay > 0 {
		return nil
	}
	for _, one := range []string{dir, filepath.Join(dir, ledger.PartsDir)} {
		if found, _ := filepath.Glob(filepath.Join(one, "*.json")); len(found) > 0 {
			return fmt.Errorf("-results=%s: it holds records of another run: give each run of ranks a directory of its own", dir)
		}
	}
	return nil
}

// Abandon ends the run of all ranks for a reason.
func (r *Ranks) Abandon(why string) {
	if r.Meeting != nil && r.own.Rank == 0 {
		_ = r.Meeting.End(why) // fails only if the serving side is gone, as the run is then
	}
}
