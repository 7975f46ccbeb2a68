package load

import (
	"flag"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Settings says how the calls of all cases are made.
type Settings struct {
	CallTimeout time.Duration // of each call; 0 for none
	Watchdog    time.Duration // a case ends when no call has returned for so long
	Retry       call.Retry    // read from Retries
	Retries     string        // what a failed call is followed by, see readRetry
	payload     string
	Rank, Ranks int   // of the process among those that make the calls together; 0 of 0 for one
	Calls       int64 // -test.benchtime=1000x: what a line measures; 0 where it is a time
}

// Register registers the flags.
func (s *Settings) Register(fs *flag.FlagSet) {
	fs.StringVar(&s.payload, "payload", call.PayloadRandom, "`bytes` of the payload: random, or compressible")
	fs.DurationVar(&s.CallTimeout, "call-timeout", 0, "`timeout` of each call, which costs CPU; 0 for none")
	fs.StringVar(&s.Retries, "retry", call.NoRetry, "`attempts` of a call that fails, the first included, as in 3, or 3:10ms with the longest wait before the second, "+
		"which doubles for each after that; each has the time of -call-timeout; none for one attempt")
	fs.DurationVar(&s.Watchdog, "watchdog", 10*time.Second, "end a case when no call has returned for this `time`, to within a second; large payloads and networks are given their time beside it")
}

// Check returns an error if a flag has a wrong value.
func (s *Settings) Check() (err error) {
	if _, err := plan.OneOf(call.PayloadRandom, call.PayloadCompressible)(s.payload); err != nil {
		return fmt.Errorf("-payload: %w", err)
	}
	if s.Retry, err = call.ReadRetry(s.Retries); err != nil {
		return fmt.Errorf("-retry: %w", err)
	}
	if s.CallTimeout < 0 || s.Watchdog <= 0 {
		return fmt.Errorf("-call-timeout=%v -watchdog=%v: must not be negative, the watchdog more than 0", s.CallTimeout, s.Watchdog)
	}
	return nil
}

// Smoke reports whether benchmarks only have to run, as a test: -test.benchtime=1x.
func (s *Settings) Smoke() bool { return s.Calls == 1 }

// Compressible reports whether payloads are.
func (s *Settings) Compressible() bool { return s.payload == call.PayloadCompressible }

// Patience is how long no call of a case may end. It follows from the flag -watchdog, the
// size of the payloads and the network.
func (s *Settings) Patience(c plan.Case) time.Duration {
	return s.Watchdog + call.LeafOf(c).Patience + c.Patience()
}

// Requests returns what a number of workers of a case send.
func (s *Settings) Requests(c plan.Case, workers int) call.Requests {
	return call.Requests{
		Workers: workers, Size: c.Size, Sizes: call.NewSequence(c.Sizes, s.Rank, s.Ranks), Action: c.Action,
		Compressible: c.Compressible, Converted: c.Converts, Patience: s.Watchdog + c.Patience(),
	}
}

// WarmUp returns how long all workers call before anything is measured: briefly if benchmarks
// only have to run. They make at most a quarter of the calls that are measured.
func (s *Settings) WarmUp() loadgen.Config {
	if s.Smoke() {
		return loadgen.Config{Duration: 5 * time.Millisecond}
	}
	return loadgen.Config{Duration: 100 * time.Millisecond, Calls: (s.Calls + 3) / 4}
}
