// Package own is the load generator of rpcbench as one of the tools: the command itself, run
// again as a child that calls the server with package loadgen.
package own

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Tool is the name of the tool, Poisson of the mode with random arrivals, and Loose of the one
// that may send calls as late as vegeta does.
const (
	Tool    = "loadgen"
	Poisson = "Poisson"
	Loose   = "slack 0.4 ms"
)

const loose = 400 * time.Microsecond

// Verb is the first argument of the command as a child. The second one is a job in JSON.
const Verb = "call"

// workers is the largest number of calls in flight. A server that stands still for a second
// has 500.
const workers = 1000

// Job is what the child is to do.
type Job struct {
	tool.Target
	Poisson bool
	Slack   time.Duration // as in loadgen.Config
}

// Modes returns the modes of the tool. Binary is the command.
func Modes(binary string) []tool.Mode {
	const even, random = "Workers 1000, Constant", "Workers 1000, Poisson"
	return []tool.Mode{
		mode(binary, "default", tool.HTTP, "net/http, "+even, Job{}),
		mode(binary, "default", tool.GRPC, "grpc-go, "+even, Job{}),
		mode(binary, Loose, tool.HTTP, "net/http, "+even+", Slack 400 µs", Job{Slack: loose}),
		mode(binary, Poisson, tool.HTTP, "net/http, "+random, Job{Poisson: true}),
		mode(binary, Poisson, tool.GRPC, "grpc-go, "+random, Job{Poisson: true}),
	}
}

func mode(binary, name string, p tool.Protocol, options string, job Job) tool.Mode {
	return tool.Mode{
		Tool: Tool, Name: name, Protocol: p, Random: job.Poisson, Options: options,
		Command: func(t tool.Target) ([]string, error) {
			job := job
			job.Target = t
			text, err := json.Marshal(job)
			return []string{binary, Verb, string(text)}, err
		},
		Read: func(_ tool.Target, stdout []byte) (said tool.Said, err error) {
			return said, json.Unmarshal(stdout, &said)
		},
	}
}

// Due returns when the calls of a target are due with random arrivals.
func Due(t tool.Target) (due []time.Duration) {
	arrivals := Job{Target: t, Poisson: true}.schedule().Start()
	for {
		d, ok := arrivals.Next()
		if !ok || d >= t.Duration {
			return due
		}
		due = append(due, d)
	}
}

func (j Job) schedule() loadgen.Schedule {
	if j.Poisson {
		return loadgen.Poisson(float64(j.Rate), uint64(j.Seed))
	}
	return loadgen.Constant(float64(j.Rate))
}

// Call makes the calls and prints a tool.Said in JSON.
func (j Job) Call(ctx context.Context, out io.Writer) error {
	call, stop, err := j.dial(ctx)
	if err != nil {
		return err
	}
	defer stop()
	result, err := j.run(ctx, call)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(said(result))
}

func (j Job) run(ctx context.Context, call loadgen.Call) (*loadgen.Result, error) {
	return loadgen.Run(ctx, loadgen.Config{Workers: workers, Schedule: j.schedule(), Duration: j.Duration, Slack: j.Slack}, call)
}

func (j Job) dial(ctx context.Context) (loadgen.Call, func(), error) {
	switch j.Protocol {
	case tool.HTTP:
		call, stop := overHTTP(j.Target)
		return call, stop, nil
	case tool.GRPC:
		return overGRPC(ctx, j.Target)
	}
	return nil, nil, fmt.Errorf("protocol %q: neither %s nor %s", j.Protocol, tool.HTTP, tool.GRPC)
}

func said(r *loadgen.Result) tool.Said {
	at := r.Response.Quantile
	return tool.Said{
		P50: at(.5), P95: at(.95), P99: at(.99), Max: r.Response.Max(),
		OK: r.OK, Failed: r.Failed, Dropped: r.Dropped,
	}
}

// Floor returns the median response of calls at the target's rate for a time. The call that
// connects comes before them.
func Floor(ctx context.Context, t tool.Target, d time.Duration) (time.Duration, error) {
	t.Duration = d
	job := Job{Target: t}
	call, stop, err := job.dial(ctx)
	if err != nil {
		return 0, err
	}
	defer stop()
	if err := call(ctx, 0); err != nil {
		return 0, err
	}
	result, err := job.run(ctx, call)
	if err != nil {
		return 0, err
	}
	if result.Failed > 0 {
		return 0, fmt.Errorf("%d of %d calls before the run failed: %s", result.Failed, result.Sent, result.ErrorKinds[0].Text)
	}
	return result.Response.Quantile(.5), nil
}
