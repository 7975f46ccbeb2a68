package tool

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// h2load has a rate for each client (--rps). Its clients start at once and so call in step,
// unless -r spreads their starts: here over one period of a client. A call that waits for its
// client's last one is made afterwards, and its time leaves that out. A client whose
// connection is closed ends, and all calls that it still had to make count as errored.
func h2load(program string) []Mode {
	const clients = 100
	return []Mode{{
		Tool: "h2load", Name: "100 clients", Protocol: HTTP, Options: "--h1 --rps R/100 -c 100 -r 1 --rate-period=1s/R",
		Command: func(t Target) ([]string, error) {
			starts := max(t.Rate/1000, 1)
			args := []string{
				program, "--h1", "-n", strconv.Itoa(t.Calls), "-c", strconv.Itoa(clients), "--rps", t.share(clients),
				"-r", strconv.Itoa(starts), "--rate-period", strconv.Itoa(1000*starts/max(t.Rate, 1)) + "ms", "--log-file", t.file("log"),
			}
			return append(append(args, t.post("-d", t.file("body"))...), t.url()), t.payload()
		},
		Read: h2loadRead,
	}}
}

// h2loadRead takes percentiles from the log of calls, since h2load reports the least, the
// greatest and the mean time alone. Failed are its "failed", which has "errored" in it.
func h2loadRead(t Target, out []byte) (Said, error) {
	log, err := os.ReadFile(t.file("log"))
	if err != nil {
		return Said{}, fmt.Errorf("h2load has written no log: %w", err)
	}
	var times []time.Duration
	for line := range bytes.Lines(log) {
		fields := bytes.Fields(line)
		if len(fields) == 3 {
			times = append(times, time.Duration(count(string(fields[2])))*time.Microsecond)
		}
	}
	said := Said{
		OK:     int64(number(out, `^requests: .* (\d+) succeeded`)),
		Failed: int64(number(out, `^requests: .* (\d+) failed`)), Dropped: -1,
	}
	if len(times) == 0 {
		return Said{}, errNoReport
	}
	said.ranks(times)
	return said, nil
}
