package tool

import "time"

// oha gives its rate out to 50 connections and measures from the moment when a connection is
// free; with --latency-correction from the moment when the call was due. At the end of -z it
// breaks calls off and counts them as errors, unless -w has it wait for them.
func oha(program string) []Mode {
	mode := func(name, options string, extra ...string) Mode {
		return Mode{
			Tool: "oha", Name: name, Protocol: HTTP, Options: options,
			Command: func(t Target) ([]string, error) {
				args := append([]string{program, "--no-tui", "--output-format", "json", "-q", t.rate(), "-z", t.Duration.String()}, extra...)
				return append(append(args, t.post("-m", "POST", "-d", body)...), t.url()), nil
			},
			Read: func(_ Target, out []byte) (Said, error) { return ohaRead(out) },
		}
	}
	return []Mode{
		mode("default", "-q R (-c 50)"),
		mode("corrected", "-q R --latency-correction -w (-c 50)", "--latency-correction", "-w"),
	}
}

// ohaRead takes as failed the other statuses than 200 to 299 and the list of errors, with
// calls that were broken off at the end.
func ohaRead(out []byte) (Said, error) {
	report, err := parse[struct {
		Summary     struct{ Slowest float64 }
		Percentiles struct{ P50, P95, P99 float64 } `json:"latencyPercentiles"`
		Codes       map[string]int64                `json:"statusCodeDistribution"`
		Errors      map[string]int64                `json:"errorDistribution"`
	}](out)
	p := report.Percentiles
	ok, failed := codes(report.Codes)
	return Said{
		P50: span(p.P50, time.Second), P95: span(p.P95, time.Second), P99: span(p.P99, time.Second),
		Max: span(report.Summary.Slowest, time.Second),
		OK:  ok, Failed: failed + sum(report.Errors), Dropped: -1,
	}, err
}
