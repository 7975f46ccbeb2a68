package rig

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	loadagent "github.com/rpcbench/rpcbench/loadgen/agent"
)

// card is what a rank says of itself, which rank 0 compares with its own.
type card struct {
	Build   string            // hash of the executable
	Flags   map[string]string // those that all ranks have to have alike
	Machine map[string]string // what the system and the Go runtime tell
	System  string            // as in "linux/amd64, 8 CPUs"
	Procs   int               // GOMAXPROCS
	CPUs    int               // of its machine that it may use
}

// crew is what the ranks have together. Its zero value is for a process without ranks.
type crew struct {
	procs    int
	machines string
}

func (s *Settings) registerRanks(fs *flag.FlagSet) {
	_ = s.agent.RegisterRank(fs) // is nil: CheckRank says what is wrong
	s.rankGiven = func() bool { return loadagent.RankGiven(fs) }
	fs.DurationVar(&s.gather, "gather", time.Minute, "`time` within which all ranks have to come")
}

// checkRanks returns an error if this process cannot be the rank that it is told to be. It
// tells the options how many make the calls. Names of cases are listed in any case.
func (s *Settings) checkRanks(o *plan.Options) error {
	if o.Pattern == plan.NoCase { // a rank makes calls of benchmarks
		return nil
	}
	if s.host == "" && !s.rankGiven() { // ranks meet at -host alone, so an engine has started what is no rank
		s.alone()
	}
	err := s.mayBeRank(o)
	if err != nil && s.Listing {
		s.alone()
		o.Ranks, err = 1, nil
	}
	return err
}

// alone makes this process no rank of others.
func (s *Settings) alone() { s.agent.Rank, s.agent.Ranks = 0, 1 }

func (s *Settings) mayBeRank(o *plan.Options) error {
	o.Ranks = s.agent.Ranks
	switch err := s.agent.CheckRank(); {
	case err != nil:
		return err
	case o.Ranks == 1:
		return nil
	case s.host == "":
		return fmt.Errorf("-ranks=%d: ranks meet where -serve runs: give -host", o.Ranks)
	case o.Clients > 1:
		return fmt.Errorf("-clients=%d -ranks=%d: each rank is one client: start more ranks instead", o.Clients, o.Ranks)
	case s.gather <= 0:
		return fmt.Errorf("-gather=%v: must be more than 0", s.gather)
	}
	o.Clients = o.Ranks
	return nil
}

// Follows reports whether this process is a rank that carries out the orders of rank 0.
func (r *Rig) Follows() bool { return r.meeting != nil && r.agent.Rank > 0 }

// patiently dials the machine of -host. The servers of a job may start after its ranks.
func (s *Settings) patiently(dial func() (*remote.Machine, error)) (m *remote.Machine, err error) {
	for begin := time.Now(); ; time.Sleep(500 * time.Millisecond) {
		m, err = dial()
		if s.agent.Ranks <= 1 || !notYet(err) || time.Since(begin) > s.gather {
			return m, err
		}
	}
}

// notYet reports whether an error says that nobody listens, or that a name is not known yet.
func notYet(err error) bool {
	return remote.NobodyListens(err) || errors.As(err, new(*net.DNSError))
}

// Meet brings this rank together with the others of its run. testing are the flags of
// package testing. A process that is no rank meets nobody.
func (r *Rig) Meet(testing map[string]string) error {
	if r.options.Ranks <= 1 {
		return nil
	}
	if err := r.checkResults(); err != nil {
		return err
	}
	mine, err := r.card(testing)
	if err != nil {
		return err
	}
	text, _ := json.Marshal(mine) // of texts and numbers it never fails
	machine, _ := os.Hostname()
	p := remote.Place{Rank: r.agent.Rank, Ranks: r.agent.Ranks, Machine: cmp.Or(machine, "?"), PID: os.Getpid(), Facts: text}
	if r.meeting, err = r.machine.Come(context.Background(), r.agent.RunName, p); err != nil || r.agent.Rank > 0 {
		return err
	}
	if err = r.gatherAll(mine); err != nil {
		r.Abandon(err.Error())
	}
	return err
}

// gatherAll waits for the others, and refuses what does not go together.
func (r *Rig) gatherAll(mine card) error {
	tell := func(there int) { progress("# %d of %d ranks are there", there, r.agent.Ranks) }
	roster, err := r.meeting.Gather(r.agent.Ranks, r.gather, tell)
	if err != nil {
		return err
	}
	cards, err := readCards(roster)
	if err != nil {
		return err
	}
	for rank, c := range cards {
		if err := mine.refuse(c); err != nil {
			return fmt.Errorf("%s %w", roster[rank].Name(), err)
		}
		if differ := settings.Differences(mine.Machine, c.Machine); len(differ) > 0 {
			r.Ledger.warn(roster[rank].Name(), "its machine does not run the same as that of rank 0 (here): "+strings.Join(differ, ", "))
		}
	}
	r.others, r.crew = r.meeting.Others(roster), crewOf(roster, cards)
	return nil
}

func readCards(roster remote.Roster) ([]card, error) {
	cards := make([]card, len(roster))
	for rank := range cards {
		if err := json.Unmarshal(roster[rank].Facts, &cards[rank]); err != nil {
			return nil, fmt.Errorf("what %s says of itself: %w", roster[rank].Name(), err)
		}
	}
	return cards, nil
}

// refuse says why a rank cannot take part.
func (c card) refuse(other card) error {
	if c.Build != other.Build {
		return errors.New("runs another build than rank 0: start the same file everywhere")
	}
	for _, name := range slices.Sorted(maps.Keys(together(c.Flags, other.Flags))) {
		if c.Flags[name] != other.Flags[name] {
			return fmt.Errorf("has -%s=%s, and rank 0 has -%s=%s: start all with the same flags", name, foreign.Line(other.Flags[name]), name, c.Flags[name])
		}
	}
	return nil
}

// crewOf sums up what the ranks have.
func crewOf(roster remote.Roster, cards []card) (c crew) {
	ranks, procs := map[string]int{}, map[string]int{}
	for rank, one := range cards {
		machine := foreign.Line(fmt.Sprintf("%s (%s)", roster[rank].Machine, one.System))
		ranks[machine]++
		procs[machine] = min(procs[machine]+one.Procs, one.CPUs) // several ranks may share CPUs
	}
	var list []string
	for _, machine := range slices.Sorted(maps.Keys(ranks)) {
		c.procs += procs[machine]
		list = append(list, fmt.Sprintf("%d on %s", ranks[machine], machine))
	}
	c.machines = strings.Join(list, "; ")
	return c
}

// card describes this process.
func (r *Rig) card(testing map[string]string) (card, error) {
	build, err := ownHash()
	flags := together(r.flags, testing)
	for _, own := range []string{"rank", "run-name", "results", "token-file", "host", "pin"} {
		delete(flags, own)
	}
	return card{build, flags, together(r.runtime, r.here), r.system(), runtime.GOMAXPROCS(0), len(r.Available)}, err
}

// ownHash is the hash of the executable of this process.
func ownHash() (string, error) {
	path, err := self.File()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// checkResults refuses a directory that holds records of another run: nobody could tell
// them from the records of these ranks.
func (s *Settings) checkResults() error {
	if s.results == "" || s.agent.Rank > 0 {
		return nil
	}
	for _, dir := range []string{s.results, filepath.Join(s.results, partsDir)} {
		if found, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(found) > 0 {
			return fmt.Errorf("-results=%s: it holds records of another run: give each run of ranks a directory of its own", s.results)
		}
	}
	return nil
}

// Abandon ends the run of all ranks for a reason.
func (r *Rig) Abandon(why string) {
	if r.meeting != nil && r.agent.Rank == 0 {
		_ = r.meeting.End(why) // fails only if the serving side is gone, as the run is then
	}
}
