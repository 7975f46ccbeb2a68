package tool

import "time"

// bombardier gives its rate out to 125 connections from a bucket of tokens that holds hardly
// any. While all connections wait for answers no token is taken, and those that the bucket
// cannot hold are lost: their calls are not made, without a count. With more connections than
// there can be calls in flight, none is.
func bombardier(program string) []Mode {
	mode := func(name, options string, extra ...string) Mode {
		return Mode{
			Tool: "bombardier", Name: name, Protocol: HTTP, Options: options,
			Command: func(t Target) ([]string, error) {
				args := append([]string{program, "-l", "-p", "r", "-o", "json", "-r", t.rate(), "-d", t.Duration.String(), "-t", patience + "s"}, extra...)
				return append(append(args, t.post("-m", "POST", "-b", body)...), t.url()), nil
			},
			Read: func(_ Target, out []byte) (Said, error) { return bombardierRead(out) },
		}
	}
	return []Mode{
		mode("default", "-r R -l (-c 125)"),
		mode("1000 conns", "-r R -l -c 1000", "-c", "1000"),
	}
}

// bombardierRead takes as failed the other statuses than 200 to 299, and "others", which are
// calls without an answer. Its client makes a call again when the connection was closed, even a
// POST, and counts the two as one.
func bombardierRead(out []byte) (Said, error) {
	report, err := parse[struct {
		Result struct {
			Req1xx, Req2xx, Req3xx, Req4xx, Req5xx, Others int64
			Latency                                        struct {
				Max         float64
				Percentiles map[string]float64
			}
		}
	}](out)
	r := report.Result
	at := func(percent string) time.Duration {
		return span(r.Latency.Percentiles[percent], time.Microsecond)
	}
	return Said{
		P50: at("50"), P95: at("95"), P99: at("99"), Max: span(r.Latency.Max, time.Microsecond),
		OK: r.Req2xx, Failed: r.Req1xx + r.Req3xx + r.Req4xx + r.Req5xx + r.Others, Dropped: -1,
	}, err
}
