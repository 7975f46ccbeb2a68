package tool

import (
	"strconv"
	"time"
)

// ghz gives calls out at the rate to 50 workers: without --async a call waits until one of
// them is free, and its time leaves that out; with --async, as in all examples of its page
// about load, no call waits for another. Both send all calls over one connection.
func ghz(program string) []Mode {
	mode := func(name, options string, extra ...string) Mode {
		return Mode{
			Tool: "ghz", Name: name, Protocol: GRPC, Options: options,
			Command: func(t Target) ([]string, error) { return ghzCommand(program, t, extra) },
			Read:    func(_ Target, out []byte) (Said, error) { return ghzRead(out) },
		}
	}
	return []Mode{
		mode("default", "--rps R (-c 50)"),
		mode("async", "--rps R --async", "--async"),
	}
}

func ghzCommand(program string, t Target, extra []string) ([]string, error) {
	args := append([]string{
		program, "--insecure", "--proto", t.file("health.proto"), "--call", "grpc.health.v1.Health/Check", "-d", "{}",
		"--rps", t.rate(), "-n", strconv.Itoa(t.Calls), "-O", "json",
	}, extra...)
	return append(args, t.Address), t.script("health.proto")
}

// ghzRead takes as failed what has another code than OK. The percentiles are of the others
// alone, the maximum is of all.
func ghzRead(out []byte) (Said, error) {
	report, err := parse[struct {
		Slowest time.Duration `json:"slowest"`
		Latency []struct {
			Percentage int           `json:"percentage"`
			Latency    time.Duration `json:"latency"`
		} `json:"latencyDistribution"`
		Codes map[string]int64 `json:"statusCodeDistribution"`
	}](out)
	at := map[int]time.Duration{}
	for _, l := range report.Latency {
		at[l.Percentage] = l.Latency
	}
	ok := report.Codes["OK"]
	return Said{
		P50: at[50], P95: at[95], P99: at[99], Max: report.Slowest,
		OK: ok, Failed: sum(report.Codes) - ok, Dropped: -1,
	}, err
}
