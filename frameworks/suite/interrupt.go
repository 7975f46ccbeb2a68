package suite

import (
	"os"
	"os/signal"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

// measure measures a round of a case. After an interrupt it does not return, so that
// failures that the interrupt caused are not counted for the case.
func (s *session) measure(b *testing.B, bed *rig.Testbed, c plan.Case) error {
	if b.N == 1 {
		s.rig.Ledger.Begin()
		s.progress.Begin(b.Name())
	}
	err := bed.Measure(b, b.N, c)
	if err != nil {
		s.rig.Ledger.NoLine(b.Name())
	}
	//lint:ignore SA3001 package testing prints it and divides by it: a run that was ended made fewer calls
	b.N = bed.Made(b.N)
	s.ending.Lock()
	defer s.ending.Unlock()
	return err
}

// listen has an interrupt end the run with what there is to say of the cases that
// were measured until then. A second one ends it at once.
func (s *session) listen() {
	signals := make(chan os.Signal, 1)
	ends := host.EndSignals()
	signal.Notify(signals, ends...)
	go func() {
		<-signals
		signal.Reset(ends...)
		s.ending.Lock()
		os.Exit(s.interrupted())
	}()
}

// exitInterrupted is the exit code that shells report for a program that Ctrl-C ends.
const exitInterrupted = 130

// interrupted prints what is known of the finished cases, and closes what would
// outlive this process. Servers end with it.
func (s *session) interrupted() int {
	if name := s.progress.Interrupt(os.Stderr, terminal.Shared()); name != "" {
		s.rig.Ledger.Drop(name)
	}
	s.rig.Ledger.Close(os.Stderr, false)
	s.rig.Ranks.Abandon("rank 0 was interrupted")
	s.rig.Close()
	return exitInterrupted
}
