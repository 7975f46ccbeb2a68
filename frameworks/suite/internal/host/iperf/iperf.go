// Package iperf runs iperf3, which sends bytes one way as fast as TCP takes
// them, between two processes of this machine.
package iperf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
)

// Config says what is sent.
type Config struct {
	Bytes int64 // to send in all, > 0
	Write int   // bytes of each write, 1 to MaxWrite
	Conns int   // connections, > 0
	// Omit is how long they carry bytes before any counts, in whole seconds up to 60. A new
	// connection sends little, and over a delay it takes dozens of round trips until it sends
	// as much as the line takes.
	Omit time.Duration
	// Pinned has the two ends run on the CPUs Client and Server.
	Pinned         bool
	Client, Server int
	// IP is the server's address, and Inside starts its process where that address is.
	// Without them the server is on the loopback interface.
	IP     string
	Inside func(start func() error) error
}

// MaxWrite is the largest that iperf3 writes at once.
const MaxWrite = 1 << 20

// Result is what iperf3 reports of a run.
type Result struct {
	Bytes   float64 // received by the time the client ended
	Elapsed time.Duration
	// ClientCPU and ServerCPU are the CPU time that each end used.
	ClientCPU, ServerCPU time.Duration
}

// Installed reports whether iperf3 is in the PATH.
func Installed() bool {
	_, err := exec.LookPath("iperf3")
	return err == nil
}

// Run starts a server and a client for one run. Both end with ctx.
func Run(ctx context.Context, c Config) (Result, error) {
	free, err := ports.Free()
	if err != nil {
		return Result{}, err
	}
	port := strconv.Itoa(free)
	ctx, cancel := context.WithCancel(ctx)
	c.IP = cmp.Or(c.IP, "127.0.0.1")
	server := exec.CommandContext(ctx, "iperf3", "-s", "-1", "-B", c.IP, "-p", port)
	wait, err := process.Place{Inside: c.Inside}.Begin(server)
	if err != nil {
		cancel()
		return Result{}, err
	}
	defer wait() //nolint:errcheck // the client reports the same error
	defer cancel()
	return ask(ctx, append(c.args(), "-p", port))
}

func (c Config) args() []string {
	args := []string{
		"-J", "-c", c.IP, "-P", strconv.Itoa(c.Conns),
		"-n", strconv.FormatInt(c.Bytes, 10), "-l", strconv.Itoa(c.Write),
		"-O", strconv.Itoa(int(c.Omit.Seconds())),
	}
	if c.Pinned {
		args = append(args, "-A", fmt.Sprintf("%d,%d", c.Client, c.Server))
	}
	return args
}

// answer holds the fields of iperf3's JSON that are needed.
type answer struct {
	End struct {
		Sum struct{ Bytes, Seconds float64 } `json:"sum_received"`
		CPU struct {
			Host   float64 `json:"host_total"` // percent of one CPU
			Remote float64 `json:"remote_total"`
		} `json:"cpu_utilization_percent"`
	}
	Error string
}

func (a answer) result() Result {
	share := func(percent float64) time.Duration {
		return time.Duration(percent / 100 * a.End.Sum.Seconds * float64(time.Second))
	}
	return Result{
		Bytes: a.End.Sum.Bytes, Elapsed: share(100),
		ClientCPU: share(a.End.CPU.Host), ServerCPU: share(a.End.CPU.Remote),
	}
}

// ask runs the client, and repeats that until the server listens.
func ask(ctx context.Context, args []string) (Result, error) {
	for {
		client := exec.CommandContext(ctx, "iperf3", args...)
		client.Env = environ.Child(os.Environ())
		out, err := output(client)
		var a answer
		if jsonErr := json.Unmarshal(out, &a); jsonErr != nil {
			return Result{}, fmt.Errorf("iperf3: %w", errors.Join(err, jsonErr))
		}
		if err == nil && a.Error == "" && a.End.Sum.Seconds > 0 {
			return a.result(), nil
		}
		select {
		case <-ctx.Done():
			return Result{}, fmt.Errorf("iperf3: %s: %w", a.Error, errors.Join(err, ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// output is exec.Cmd.Output of a process that ends with this one.
func output(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	wait, err := process.Begin(cmd)
	if err == nil {
		err = wait()
	}
	return out.Bytes(), err
}
