package ranks

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
)

// Self is what a rank says of itself, which rank 0 compares with its own.
type Self struct {
	Build   builds.Build
	Stays   bool              // for runs of other builds, with other flags
	Flags   map[string]string // those that all ranks have to have alike
	Machine map[string]string // what the system and the Go runtime tell
	System  string            // as in "linux/amd64, 8 CPUs"
	Procs   int               // GOMAXPROCS
	CPUs    int               // of its machine that it may use
	Hosts   []string          // the IDs of the serving sides, in the order of -host
}

// leaveOut leaves out the flags that ranks need not have alike.
func (s *Self) leaveOut() {
	for _, own := range []string{"rank", "run-name", "results", "token-file", "host", "pin", "stay"} {
		delete(s.Flags, own)
	}
}

func readSelves(roster remote.Roster) ([]Self, error) {
	all := make([]Self, len(roster))
	for rank := range all {
		if err := json.Unmarshal(roster[rank].Facts, &all[rank]); err != nil {
			return nil, fmt.Errorf("what %s says of itself: %w", roster[rank].Name(), err)
		}
	}
	return all, nil
}

// refuse says why a rank cannot take part. One that stays is told the flags of each case, and finds
// the build.
func (s Self) refuse(other Self) error {
	if !other.Stays && s.Build.Hash != other.Build.Hash {
		return errors.New("runs another build than rank 0: start the same file everywhere")
	}
	if !slices.Equal(s.Hosts, other.Hosts) {
		return errors.New("has other serving sides in -host than rank 0, or in another order: name the same machines in the same order everywhere")
	}
	if other.Stays {
		return nil
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.Flags)), maps.Keys(other.Flags))
	slices.Sort(names)
	for _, name := range names {
		if s.Flags[name] != other.Flags[name] {
			return fmt.Errorf("has -%s=%s, and rank 0 has -%s=%s: start all with the same flags", name, foreign.Line(other.Flags[name]), name, s.Flags[name])
		}
	}
	return nil
}

// total is what the ranks have together. Its zero value is for a process without ranks.
type total struct {
	Procs    int
	Machines string
}

// totalOf adds up what the ranks have.
func totalOf(roster remote.Roster, all []Self) (t total) {
	ranks, procs := map[string]int{}, map[string]int{}
	for rank, one := range all {
		machine := foreign.Line(fmt.Sprintf("%s (%s)", roster[rank].Machine, one.System))
		ranks[machine]++
		procs[machine] = min(procs[machine]+one.Procs, one.CPUs) // several ranks may share CPUs
	}
	var list []string
	for _, machine := range slices.Sorted(maps.Keys(ranks)) {
		t.Procs += procs[machine]
		list = append(list, fmt.Sprintf("%d on %s", ranks[machine], machine))
	}
	t.Machines = strings.Join(list, "; ")
	return t
}
