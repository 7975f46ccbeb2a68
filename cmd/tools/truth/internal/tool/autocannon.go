package tool

import "time"

// autocannon has a number of calls for each second: it makes them as fast as its 10
// connections can, and then waits for the next second. By default it corrects times for
// coordinated omission as if one call were due each millisecond, whatever the rate is: a time
// of 5 ms adds 4, 3, 2 and 1 ms. With -C times are left as they are: the lower percentiles are
// right then, and the others are those of bursts.
func autocannon(program string) []Mode {
	return []Mode{{
		Tool: "autocannon", Name: "default", Protocol: HTTP, Options: "-R R (-c 10)",
		Command: func(t Target) ([]string, error) {
			args := []string{program, "-j", "-n", "-R", t.rate(), "-d", t.seconds(), "-t", patience}
			return append(append(args, t.post("-m", "POST", "-b", body)...), t.url()), nil
		},
		Read: func(_ Target, out []byte) (Said, error) { return autocannonRead(out) },
	}}
}

// autocannonRead has no p95: autocannon reports p90 and p97.5. Times are whole milliseconds.
// A connection that the server closed is opened again, and its call is in no count. Failed are
// errors, with timeouts in them, and statuses other than 200 to 299.
func autocannonRead(out []byte) (Said, error) {
	report, err := parse[struct {
		Answered int64 `json:"2xx"`
		Non2xx   int64
		Errors   int64
		Latency  struct{ P50, P99, Max int64 }
	}](out)
	l := report.Latency
	return Said{
		P50: time.Duration(l.P50) * time.Millisecond, P99: time.Duration(l.P99) * time.Millisecond,
		Max: time.Duration(l.Max) * time.Millisecond,
		OK:  report.Answered, Failed: report.Errors + report.Non2xx, Dropped: -1,
	}, err
}
