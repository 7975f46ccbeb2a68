package tool

import (
	"errors"
	"fmt"
	"time"
)

// wrk has no rate: each of its 10 connections calls again when it has its answer. What it
// prints is corrected for coordinated omission all the same, as if each connection were to
// call at the mean distance of its calls. A server of which each tenth answer is slow looks
// slower by that than it is.
func wrk(program string) []Mode {
	return []Mode{{
		Tool: "wrk", Name: "default", Protocol: HTTP, Closed: true, Options: "no rate (-c 10 -t 2)",
		Command: func(t Target) ([]string, error) {
			script := "wrk.lua"
			err := t.script(script)
			if t.Post {
				script = "post.lua"
				text := fmt.Sprintf("dofile(%q)\nwrk.method = \"POST\"\nwrk.body = %q\n", t.file("wrk.lua"), body)
				err = errors.Join(err, t.write(script, []byte(text)))
			}
			return []string{program, "-d", t.seconds() + "s", "--latency", "--timeout", patience + "s", "-s", t.file(script), t.url()}, err
		},
		Read: func(_ Target, out []byte) (Said, error) { return wrkRead(out) },
	}}
}

// wrkRead takes as failed statuses from 400 on, and connections that failed.
func wrkRead(out []byte) (Said, error) {
	report, err := parse[struct{ P50, P95, P99, Max, Requests, Status, Lost int64 }](out)
	at := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	return Said{
		P50: at(report.P50), P95: at(report.P95), P99: at(report.P99), Max: at(report.Max),
		OK: report.Requests - report.Status, Failed: report.Status + report.Lost, Dropped: -1,
	}, err
}
