package loadgen

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var stops = flag.Int("stops", 0, "runs of TestBlame for each way to stand still; 20 take a quarter of an hour")

const envGenerator = "LOADGEN_TEST_GENERATOR" // address of the callee and rate: this process is a generator

// TestGenerator is the generator that TestBlame stops.
func TestGenerator(t *testing.T) {
	var addr string
	var rate float64
	if n, _ := fmt.Sscan(os.Getenv(envGenerator), &addr, &rate); n != 2 {
		t.Skip("it is run by TestBlame")
	}
	const workers = 64
	res, err := Run(t.Context(), Config{Workers: workers, Schedule: Constant(rate), Warmup: 200 * time.Millisecond, Duration: 2 * time.Second}, echoCall(t, addr, workers))
	require.NoError(t, err)
	require.Zero(t, res.Failed, res.Failures())
	fmt.Printf("response p50 %v, p99 %v, lag p99 %v\n", res.Response.Quantile(.5), res.Response.Quantile(.99), res.Lag.Quantile(.99))
	for _, w := range res.Warnings {
		switch {
		case errors.Is(w, ErrGenerator):
			fmt.Println("blamed:", w)
		default:
			fmt.Println("warned:", w)
		}
	}
}

// TestBlame repeatedly stops the generator, the callee or neither for some
// milliseconds, as a busy machine does, and checks which of them the warnings blame. By
// default it checks only what a busy machine cannot change: a generator that stands
// still for a fifth of the time.
func TestBlame(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes calls for two seconds")
	}
	t.Parallel()
	if *stops == 0 {
		blamed := generateWhile(t, 1000, "generator", 20*time.Millisecond, 80*time.Millisecond)
		assert.True(t, blamed)
		return
	}
	for _, rate := range []float64{1e3, 1e4, 5e4} {
		for _, s := range []struct {
			who       string
			stop, run time.Duration
		}{
			{"generator", 2 * time.Millisecond, 38 * time.Millisecond},
			{"generator", 5 * time.Millisecond, 95 * time.Millisecond},
			{"generator", 50 * time.Millisecond, 450 * time.Millisecond},
			{"callee", 2 * time.Millisecond, 38 * time.Millisecond},
			{"callee", 5 * time.Millisecond, 95 * time.Millisecond},
			{"callee", 50 * time.Millisecond, 450 * time.Millisecond},
			{"nobody", 0, time.Second},
		} {
			n := 0
			for range *stops {
				if generateWhile(t, rate, s.who, s.stop, s.run) {
					n++
				}
			}
			t.Logf("%.0f calls/s, %s stopped for %v of %v: blamed the generator %d of %d times", rate, s.who, s.stop, s.stop+s.run, n, *stops)
		}
	}
}

// generateWhile runs a generator while it or the callee is stopped by turns, and
// reports whether it blamed itself.
func generateWhile(t *testing.T, rate float64, who string, stop, run time.Duration) (blamed bool) {
	addr, server := startEcho(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestGenerator$", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), envGenerator+"="+fmt.Sprint(addr, " ", rate))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	victim := map[string]*os.Process{"generator": cmd.Process, "callee": server}[who]
	for {
		select {
		case <-ended:
			require.True(t, cmd.ProcessState.Success(), out.String())
			t.Log(rate, who, stop, strings.TrimSpace(out.String()))
			return strings.Contains(out.String(), "blamed:")
		case <-time.After(run):
		}
		if victim != nil {
			victim.Signal(syscall.SIGSTOP)
			time.Sleep(stop)
			victim.Signal(syscall.SIGCONT)
		}
	}
}
