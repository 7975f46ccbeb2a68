package rig

import (
	"flag"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// loadSettings says how the calls of all cases are made.
type loadSettings struct {
	CallTimeout time.Duration // of each call; 0 for none
	Watchdog    time.Duration // a case ends when no call has returned for so long
	Retry       retry         // read from Retries
	Retries     string        // what a failed call is followed by, see readRetry
	payload     string
	Calls       int64 // -test.benchtime=1000x: what a line measures; 0 where it is a time
	Rank        int   // of this process among those that make calls
}

// Register registers the flags.
func (s *loadSettings) Register(fs *flag.FlagSet) {
	fs.StringVar(&s.payload, "payload", payloadRandom, "`bytes` of the payload: random, or compressible")
	fs.DurationVar(&s.CallTimeout, "call-timeout", 0, "`timeout` of each call, which costs CPU; 0 for none")
	fs.StringVar(&s.Retries, "retry", noRetry, "`attempts` of a call that fails, the first included, as in 3, or 3:10ms with the longest wait before the second, "+
		"which doubles for each after that; each has the time of -call-timeout; none for one attempt")
	fs.DurationVar(&s.Watchdog, "watchdog", 10*time.Second, "end a case when no call has returned for this `time`, to within a second; large payloads and networks are given their time beside it")
}

// Check returns an error if a flag has a wrong value.
func (s *loadSettings) Check() (err error) {
	if _, err := plan.OneOf(payloadRandom, payloadCompressible)(s.payload); err != nil {
		return fmt.Errorf("-payload: %w", err)
	}
	if s.Retry, err = readRetry(s.Retries); err != nil {
		return fmt.Errorf("-retry: %w", err)
	}
	if s.CallTimeout < 0 || s.Watchdog <= 0 {
		return fmt.Errorf("-call-timeout=%v -watchdog=%v: must not be negative, the watchdog more than 0", s.CallTimeout, s.Watchdog)
	}
	return nil
}

// Smoke reports whether benchmarks only have to run, as a test: -test.benchtime=1x.
func (s *loadSettings) Smoke() bool { return s.Calls == 1 }

// Compressible reports whether payloads are.
func (s *loadSettings) Compressible() bool { return s.payload == payloadCompressible }

// patience is how long no call of a case may end. It follows from the flag -watchdog, the
// size of the payloads and the network.
func (s *loadSettings) patience(c plan.Case) time.Duration {
	return s.Watchdog + leafOf(c).patience + c.Patience()
}

// requestSpec returns what a number of workers of a case send.
func (s *loadSettings) requestSpec(c plan.Case, workers int) requestSpec {
	return requestSpec{workers: workers, size: c.Size, action: c.Action, compressible: c.Compressible, rank: s.Rank, patience: s.Watchdog + c.Patience()}
}

// warmUp returns how long all workers call before anything is measured: briefly if benchmarks
// only have to run. They make at most a quarter of the calls that are measured.
func (s *loadSettings) warmUp() loadgen.Config {
	if s.Smoke() {
		return loadgen.Config{Duration: 5 * time.Millisecond}
	}
	return loadgen.Config{Duration: 100 * time.Millisecond, Calls: (s.Calls + 3) / 4}
}
