package ranks

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// Self is what a rank says of itself, which rank 0 compares with its own.
type Self struct {
	Build   string            // hash of the executable
	Flags   map[string]string // those that all ranks have to have alike
	Machine map[string]string // what the system and the Go runtime tell
	System  string            // as in "linux/amd64, 8 CPUs"
	Procs   int               // GOMAXPROCS
	CPUs    int               // of its machine that it may use
	Hosts   []string          // the IDs of the serving sides, in the order of -host
}

// Describe completes what a rank says of itself. It leaves out the flags that ranks need not
// have alike.
func (s *Self) Describe() (err error) {
	for _, own := range []string{"rank", "run-name", "results", "token-file", "host", "pin"} {
		delete(s.Flags, own)
	}
	s.Build, err = ownHash()
	return err
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

func readSelves(roster remote.Roster) ([]Self, error) {
	all := make([]Self, len(roster))
	for rank := range all {
		if err := json.Unmarshal(roster[rank].Facts, &all[rank]); err != nil {
			return nil, fmt.Errorf("what %s says of itself: %w", roster[rank].Name(), err)
		}
	}
	return all, nil
}

// refuse says why a rank cannot take part.
func (s Self) refuse(other Self) error {
	if s.Build != other.Build {
		return errors.New("runs another build than rank 0: start the same file everywhere")
	}
	if !slices.Equal(s.Hosts, other.Hosts) {
		return errors.New("has other serving sides in -host than rank 0, or in another order: name the same machines in the same order everywhere")
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
