// Httpload sends requests to an HTTP service at a given rate. It shows how the author of
// a service builds a load generator from loadgen and agent. It runs alone, or in several
// processes on several machines, see README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/agent"
)

func main() {
	log.SetFlags(0)
	var a agent.Agent
	if err := a.Register(flag.CommandLine); err != nil {
		log.Fatal(err)
	}
	url := flag.String("url", "http://127.0.0.1:8080/", "what to ask for")
	rate := flag.Float64("rate", 1000, "calls per second, of all agents together")
	workers := flag.Int("workers", 1000, "most calls in flight, of all agents together")
	duration := flag.Duration("duration", 10*time.Second, "how long to measure, after 1 s of warm-up")
	flag.Parse()

	name := fmt.Sprintf("BenchmarkHTTP/rate=%v", *rate)
	res, err := a.Run(context.Background(), name, loadgen.Config{
		Workers: *workers, Schedule: loadgen.Constant(*rate),
		Warmup: time.Second, Duration: *duration, Timeout: 5 * time.Second,
	}, get(*url, *workers))
	if err != nil {
		log.Fatal(err)
	}
	text := fmt.Sprintf("agent %d of %d: %d calls, p99 %v\n", a.Rank, a.Ranks, res.Sent, res.Response.Quantile(.99))
	for _, w := range res.Warnings {
		text += fmt.Sprintf("agent %d of %d: %v\n", a.Rank, a.Ranks, w)
	}
	if _, err := fmt.Print(text); err != nil {
		log.Fatal(err)
	}
	if res.Failed > 0 {
		log.Fatal(res.Failures())
	}
}

// get requests the URL over connections that stay open.
func get(url string, conns int) loadgen.Call {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: conns, MaxIdleConnsPerHost: conns}}
	return func(ctx context.Context, _ int) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("the service answered %s", response.Status)
		}
		_, err = io.Copy(io.Discard, response.Body)
		return err
	}
}
