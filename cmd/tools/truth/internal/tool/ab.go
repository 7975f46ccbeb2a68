package tool

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ab has no rate: its one caller calls again when it has its answer.
func ab(program string) []Mode {
	return []Mode{{
		Tool: "ab", Name: "default", Protocol: HTTP, Closed: true, Options: "no rate, -k -r (-c 1)",
		Command: func(t Target) ([]string, error) {
			args := []string{program, "-q", "-k", "-r", "-t", t.seconds(), "-n", "10000000", "-e", t.file("ab.csv")}
			return append(append(args, t.post("-p", t.file("body"), "-T", "text/plain")...), t.url()), t.payload()
		},
		Read: abRead,
	}}
}

// abRead takes percentiles from the file of -e: what ab prints is in whole milliseconds.
// Failed are its "Failed requests", which has calls without an answer and bodies of another
// length than the first had, or its "Non-2xx responses", whichever are more: a status of 500
// with a body of another length is in both. A call that cannot connect is counted more than once.
func abRead(t Target, out []byte) (Said, error) {
	text, err := os.ReadFile(t.file("ab.csv"))
	if err != nil {
		return Said{}, fmt.Errorf("ab has written no report: %w", err)
	}
	at := map[string]time.Duration{}
	for line := range strings.Lines(string(text)) {
		percent, value, _ := strings.Cut(strings.TrimSpace(line), ",")
		ms, _ := strconv.ParseFloat(value, 64)
		at[percent] = span(ms, time.Millisecond)
	}
	all := int64(number(out, `^Complete requests:\s+(\d+)`))
	if all == 0 {
		return Said{}, errNoReport
	}
	failed := int64(max(number(out, `^Failed requests:\s+(\d+)`), number(out, `^Non-2xx responses:\s+(\d+)`)))
	return Said{P50: at["50"], P95: at["95"], P99: at["99"], Max: at["100"], OK: max(all-failed, 0), Failed: failed, Dropped: -1}, nil
}
