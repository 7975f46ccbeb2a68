package tool

import "time"

// autocannon has a number of calls for each second: it makes them as fast as its 10
// connections can, and then waits for the next second. By default it corrects times for
// coordinated omission as if one call were due each millisecond, whatever the rate is: a time
// of 5 ms adds 4, 3, 2 and 1 ms. -C has it leave times as they are. -E has it compare bodies.
func autocannon(program string) []Mode {
	mode := func(name, options string, extra ...string) Mode {
		return Mode{
			Tool: "autocannon", Name: name, Protocol: HTTP, Options: options,
			Command: func(t Target) ([]string, error) {
				args := append([]string{program, "-j", "-n", "-R", t.rate(), "-d", t.seconds(), "-t", patience}, extra...)
				return append(append(args, t.post("-m", "POST", "-b", body)...), t.url()), nil
			},
			Read: func(_ Target, out []byte) (Said, error) { return autocannonRead(out) },
		}
	}
	return []Mode{
		mode("default", "-R R (-c 10)"),
		mode("uncorrected", "-R R -C -E 'ok\\n' (-c 10)", "-C", "-E", "ok\n"),
	}
}

// autocannonRead has no p95: autocannon reports p90 and p97.5. Times are whole milliseconds.
// A connection that the server closed is opened again, and its call is in no count. Failed are
// errors, with timeouts in them, and "mismatches" of bodies or statuses other than 200 to 299,
// whichever are more: a status of 500 with a wrong body is in both.
func autocannonRead(out []byte) (Said, error) {
	report, err := parse[struct {
		Answered   int64 `json:"2xx"`
		Non2xx     int64
		Errors     int64
		Mismatches int64
		Latency    struct{ P50, P99, Max int64 }
	}](out)
	l, wrong := report.Latency, max(report.Mismatches, report.Non2xx)
	return Said{
		P50: time.Duration(l.P50) * time.Millisecond, P99: time.Duration(l.P99) * time.Millisecond,
		Max: time.Duration(l.Max) * time.Millisecond,
		OK:  report.Answered + report.Non2xx - wrong, Failed: report.Errors + wrong, Dropped: -1,
	}, err
}
