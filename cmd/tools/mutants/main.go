// Mutants plants faults into the code of the repository whose root is its argument,
// one at a time in a copy, and lists those that no test sees:
//
//	mutants [flags] ROOT
//
// Of all statements outside of tests and generated code it draws some by a seed.
// Each becomes one mutant: it is deleted, its condition is turned around, or an
// operator or a number in it is another. A mutant that does not compile is none. A
// statement keeps its place in the draw while others change, so that two commits
// have most mutants in common.
//
// The short tests of the mutant's package run first, then those of its module, then all
// of its module and of those that use it. A mutant is killed by the first test that fails
// twice, or that panics or hangs. One that no test can kill, since it does the same, is
// listed in equivalent.txt with the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// config says which mutants are drawn.
type config struct {
	areas  []string // the directories of which each has a least number
	seed   uint64
	n      int    // in all
	least  int    // in each area
	most   int    // survivors with which the run succeeds
	stages int    // of tests: 1 are the short ones of the package, 2 those of its module, 3 all of it and of modules that use it
	only   string // the IDs of mutants, separated by commas; "" for those drawn
	list   bool   // only list those drawn
	jobs   int
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutants: ")
	c := config{areas: []string{"loadgen", "frameworks/suite", "codecs/suite", "cmd"}}
	flag.Uint64Var(&c.seed, "seed", 1, "draw by this `number`")
	flag.IntVar(&c.n, "n", 80, "draw a `number` of mutants")
	flag.IntVar(&c.least, "least", 15, "draw this `number` at least in each of "+strings.Join(c.areas, ", "))
	flag.IntVar(&c.most, "most", 4, "fail if more than this `number` survive")
	flag.IntVar(&c.stages, "stages", 3, "run these tests: 1 the short ones of the package, 2 also those of its module, 3 also all of it and of the modules that use it")
	flag.StringVar(&c.only, "only", "", "plant these mutants alone, by their `IDs`")
	flag.BoolVar(&c.list, "list", false, "list the mutants, and run no test")
	flag.IntVar(&c.jobs, "jobs", 2, "run the tests of a `number` of mutants at once")
	flag.Parse()
	if flag.NArg() != 1 || c.n < len(c.areas)*c.least || c.jobs < 1 || c.stages < 1 || c.stages > 3 {
		log.Fatalf("usage: mutants [flags] ROOT, with -jobs of 1 or more, -stages of 1 to 3, and -n of %d times -least or more", len(c.areas))
	}
	forgetRepository()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	survivors, err := run(ctx, c, flag.Arg(0))
	stop()
	if err != nil {
		log.Fatal(err)
	}
	if survivors > c.most {
		log.Fatalf("%d survived, more than %d", survivors, c.most)
	}
}

// run prints a line for each mutant, and what they come to. It returns the number of
// survivors that are not known to be equivalent.
func run(ctx context.Context, c config, root string) (int, error) {
	known, err := equivalents(equivalentText)
	if err != nil {
		return 0, err
	}
	lab, err := newLab(ctx, root, c.jobs)
	if err != nil {
		return 0, err
	}
	defer lab.close()
	sites, err := statements(lab.copy(0)) // the root may have changes that are not committed
	if err != nil {
		return 0, err
	}
	began := time.Now()
	tally, err := lab.try(c, sites, known)
	if err == nil && !c.list {
		fmt.Printf("%d mutants, %v: %v\n", tally.total(), tally, time.Since(began).Round(time.Second))
	}
	return tally[survived], err
}

// verdict is what became of a mutant.
type verdict int

const (
	killed verdict = iota
	survived
	equivalent
	verdicts
)

func (v verdict) String() string {
	return [verdicts]string{"killed", "survived", "equivalent"}[v]
}

// tally counts verdicts.
type tally [verdicts]int

func (t tally) total() (n int) {
	for _, k := range t {
		n += k
	}
	return n
}

func (t tally) String() string {
	var parts []string
	for v, n := range t {
		parts = append(parts, fmt.Sprintf("%d %v", n, verdict(v)))
	}
	return strings.Join(parts, ", ")
}

// equivalents reads equivalent.txt: the reasons of mutants, by their IDs.
func equivalents(text string) (map[string]string, error) {
	reasons := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		id, reason, _ := strings.Cut(line, " ")
		if len(reason) < 20 {
			return nil, fmt.Errorf("equivalent.txt: %s has no reason", id)
		}
		reasons[id] = reason
	}
	return reasons, nil
}
