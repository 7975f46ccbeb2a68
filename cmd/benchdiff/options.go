package main

import (
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/verdict"
	"github.com/rpcbench/rpcbench/cmd/internal/given"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/target"
)

// options are what the command line says.
type options struct {
	base       string
	packages   string
	module     string
	a, b       string // versions of module
	rounds     int
	dedicated  bool
	mixed      bool
	anatomy    bool     // parts of a call are compared as well
	countTurns int      // in which counts are compared; 0: times are
	args       []string // of the binaries
}

// turns is how often each binary runs in a round, for a part of -test.benchtime:
// a shared machine is faster and slower from second to second, and pairs that are
// near in time tell more than as many seconds in one go.
const turns = 10

// firstTurns is how often all benchmarks of counts run. Further turns could not make
// those fail of which no count seems to have changed, so they are left out.
const firstTurns = 2

// check says what is wrong with the command line, or with the files that are to be written.
func (o options) check() error {
	switch {
	case o.countTurns != 0 && o.countTurns < verdict.FewestTurns:
		return fmt.Errorf("-counts=%d: must be %d or more, fewer tell nothing", o.countTurns, verdict.FewestTurns)
	case o.rounds*turns < pairs.Fewest:
		return fmt.Errorf("-rounds=%d: must be 2 or more, fewer tell nothing", o.rounds)
	case o.anatomy && o.countTurns != 0:
		return errors.New("-anatomy says where time goes, and -counts compares no times: leave one of them out")
	case o.module == "" && o.a+o.b != "":
		return errors.New("-a and -b are versions of a module: -mod must name it")
	case o.module != "" && (o.a == "" || o.b == ""):
		return fmt.Errorf("-mod=%s: -a and -b must give the versions to compare", o.module)
	}
	if err := o.checkAnatomy(); err != nil {
		return err
	}
	for _, file := range []string{baseFile, againFile, headFile, allFile} {
		if err := target.Check(file); err != nil {
			return err
		}
	}
	return given.Check(o.args)
}

// rule is what is asked of head.
func (o options) rule() verdict.Rule {
	if o.countTurns > 0 {
		return verdict.Rule{Mixed: o.mixed, Counts: true, Lines: o.countTurns, First: firstTurns}
	}
	return verdict.Rule{Dedicated: o.dedicated, Mixed: o.mixed, Lines: o.rounds * turns}
}
