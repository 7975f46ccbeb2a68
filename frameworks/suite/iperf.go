package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// iperf is a case of Bulk that no variant makes: iperf3, where it is installed,
// sends one way what raw TCP does with mode=oneway.
type iperf struct{ size, parallel int }

// maxWrite is the largest that iperf3 writes at once.
const maxWrite = 1 << 20

func (c iperf) name() string {
	return fmt.Sprintf("%s/framework=iperf3/mode=oneway/size=%s/parallel=%d/net=none", bulk.benchmark(), formatSize(c.size), c.parallel)
}

// iperfs are the cases beside those of raw TCP on this machine.
func (e *environment) iperfs() (list []iperf) {
	_, err := exec.LookPath("iperf3")
	tcp := slices.ContainsFunc(e.variants, func(v Variant) bool { return v.Reference && v.Streams && v.given == "" })
	none := slices.ContainsFunc(e.networks, network.direct)
	if err != nil || !tcp || !none || e.host != "" {
		return nil
	}
	for _, size := range e.bulkSizes {
		for _, parallel := range e.parallels {
			if size > 0 {
				list = append(list, iperf{size, parallel})
			}
		}
	}
	return list
}

func (c iperf) measure(b *testing.B) {
	m, err := c.run(b.Context(), int64(b.N)*int64(c.size))
	if err != nil {
		b.Fatal(err)
	}
	transfers := m.Sum.Bytes / float64(c.size)
	cpu := func(percent float64) float64 { return percent / 100 * m.Sum.Seconds * 1e9 / transfers }
	loadbench.Report(b,
		loadbench.Metric{Value: m.Sum.Seconds * 1e9 / transfers, Unit: "ns/op"},
		loadbench.Metric{Value: m.Sum.Bytes / m.Sum.Seconds / 1e6, Unit: "MB/s"},
		loadbench.Metric{Value: transfers / m.Sum.Seconds, Unit: "calls/s"},
		loadbench.Metric{Value: cpu(m.CPU.Host), Unit: "client-cpu-ns/op"},
		loadbench.Metric{Value: cpu(m.CPU.Remote), Unit: "server-cpu-ns/op"},
		loadbench.Metric{Value: float64(c.parallel), Unit: "conns"},
		loadbench.Metric{Value: 0, Unit: "errors"})
}

// iperfEnd is the part of iperf3's answer, in JSON, about the whole run.
type iperfEnd struct {
	Sum struct{ Bytes, Seconds float64 } `json:"sum_received"`
	CPU struct {
		Host   float64 `json:"host_total"` // percent of one CPU
		Remote float64 `json:"remote_total"`
	} `json:"cpu_utilization_percent"`
}

// run moves so many bytes, by a server and a client for this alone.
func (c iperf) run(ctx context.Context, size int64) (iperfEnd, error) {
	ctx, cancel := context.WithTimeout(ctx, env.watchdog+time.Duration(size/patientRate)*time.Second)
	defer cancel()
	port, err := freePort()
	if err != nil {
		return iperfEnd{}, err
	}
	server := exec.CommandContext(ctx, "iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port)
	if err := server.Start(); err != nil {
		return iperfEnd{}, err
	}
	defer server.Wait() //nolint:errcheck // it says no more than the client
	defer cancel()
	args := []string{"-J", "-c", "127.0.0.1", "-p", port, "-P", strconv.Itoa(c.parallel), "-n", strconv.FormatInt(size, 10), "-l", strconv.Itoa(min(c.size, maxWrite))}
	return ask(ctx, append(args, affinity(env.pinning)...))
}

// patientRate is the slowest transfer, in bytes per second, that is waited for.
const patientRate = 2 << 20

// affinity has each end on the first CPU of its side: iperf3 runs on one.
func affinity(p host.Pinning) []string {
	if !p.Pinned() {
		return nil
	}
	return []string{"-A", fmt.Sprintf("%d,%d", p.Client[0], p.Server[0])}
}

// ask runs the client, again for as long as the server is not there yet.
func ask(ctx context.Context, args []string) (iperfEnd, error) {
	for {
		out, err := exec.CommandContext(ctx, "iperf3", args...).Output()
		var answer struct {
			End   iperfEnd
			Error string
		}
		if jsonErr := json.Unmarshal(out, &answer); jsonErr != nil {
			return iperfEnd{}, fmt.Errorf("iperf3: %w", errors.Join(err, jsonErr))
		}
		if err == nil && answer.Error == "" && answer.End.Sum.Seconds > 0 {
			return answer.End, nil
		}
		select {
		case <-ctx.Done():
			return iperfEnd{}, fmt.Errorf("iperf3: %s: %w", answer.Error, errors.Join(err, ctx.Err()))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// freePort is a port of the loopback interface that nobody has now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}
