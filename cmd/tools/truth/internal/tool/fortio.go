package tool

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// fortio divides the rate among its connections, 4 by default, and each waits for its last
// call: one that is late starts at once afterwards, and its time leaves out how late it is.
// Many connections that start one after another (-uniform) come near to an open loop, as long
// as no call takes longer than the time between two of the same connection; with -nocatchup,
// which its README recommends to go with -uniform, calls that are late are left out instead,
// without a count.
func fortio(program string) []Mode {
	spread := []string{"-c", "100", "-uniform", "-nocatchup", "-r", "0.0001"}
	mode := func(p Protocol, name, options string, extra ...string) Mode {
		return Mode{
			Tool: "fortio", Name: name, Protocol: p, Options: options,
			Command: func(t Target) ([]string, error) { return fortioCommand(program, t, extra), nil },
			Read:    func(t Target, _ []byte) (Said, error) { return fortioRead(t) },
		}
	}
	return []Mode{
		mode(HTTP, "default", "-qps R (-c 4)"),
		mode(HTTP, "100 connections", "-qps R -c 100 -uniform -nocatchup -r 0.0001", spread...),
		mode(GRPC, "default", "-grpc -qps R (-c 4)"),
		mode(GRPC, "100 connections", "-grpc -qps R -c 100 -uniform -nocatchup -r 0.0001", spread...),
	}
}

// fortioCommand lets errors of the first calls, with which fortio warms up, not end the run.
// What it warns of goes into a file, for its reader: how many calls it has not made is nowhere
// else.
func fortioCommand(program string, t Target, extra []string) []string {
	args := []string{
		"sh", "-c", `exec "$0" "$@" 2>warnings`, program, "load", "-loglevel", "Warning", "-log-errors=false",
		"-allow-initial-errors", "-json", t.file("fortio.json"), "-p", "50,95,99",
		"-qps", t.rate(), "-t", t.Duration.String(), "-timeout", patience + "s",
	}
	args = append(args, extra...)
	if t.Protocol == GRPC {
		return append(args, "-grpc", t.Address)
	}
	return append(append(args, t.post("-payload", body)...), t.url())
}

// fortioRead takes as failed what fortio counts in its "Error cases": for gRPC a status other
// than SERVING too. Its HTTP client makes a call once again when the connection was closed, even
// a POST, and counts the two as one.
func fortioRead(t Target) (Said, error) {
	warnings, _ := os.ReadFile(t.file("warnings")) // none if it did not start
	text, err := os.ReadFile(t.file("fortio.json"))
	if err != nil {
		return Said{}, fmt.Errorf("fortio has written no report: %s", reason(string(warnings)))
	}
	report, err := parse[struct {
		DurationHistogram struct {
			Count       int64
			Max         float64
			Percentiles []struct{ Percentile, Value float64 }
		}
		ErrorsDurationHistogram struct{ Count int64 }
	}](text)
	all, failed := report.DurationHistogram, report.ErrorsDurationHistogram.Count
	at := map[string]time.Duration{}
	for _, p := range all.Percentiles {
		at[strconv.Itoa(int(p.Percentile))] = span(p.Value, time.Second)
	}
	return Said{
		P50: at["50"], P95: at["95"], P99: at["99"], Max: span(all.Max, time.Second),
		OK: all.Count - failed, Failed: failed, Dropped: fortioDropped(warnings),
	}, err
}

// fortioDropped adds up what the connections were late for when the time was over: each warns
// how many of its calls it made. Nothing warns of calls that -nocatchup leaves out.
func fortioDropped(warnings []byte) int64 {
	late := rows(warnings, `only did (\d+) out of (\d+) calls`)
	if len(late) == 0 {
		return -1
	}
	var dropped int64
	for _, row := range late {
		dropped += count(row[1]) - count(row[0])
	}
	return dropped
}
