package tool

import (
	"bytes"
	"time"
)

// hey divides no rate: -q is that of each of its workers, 50 by default. All workers call at
// the same moments, so that the rate comes in bursts of 50. A tick that finds its worker
// waiting for an answer is lost without a count.
func hey(program string) []Mode {
	return []Mode{{
		Tool: "hey", Name: "default", Protocol: HTTP, Options: "-q R/50 (-c 50)",
		Command: func(t Target) ([]string, error) {
			args := []string{program, "-z", t.Duration.String(), "-c", "50", "-q", t.share(50)}
			return append(append(args, t.post("-m", "POST", "-d", body)...), t.url()), nil
		},
		Read: func(_ Target, out []byte) (Said, error) { return heyRead(out) },
	}}
}

// heyRead takes the summary that hey prints, in steps of 0.1 ms. Failed are the other
// statuses than 200 to 299 in its list of statuses, and the calls in its list of errors.
func heyRead(out []byte) (Said, error) {
	at := func(pattern string) time.Duration { return span(number(out, pattern), time.Second) }
	said := Said{
		P50: at(`^\s+50%+ in ([\d.]+) secs`), P95: at(`^\s+95%+ in ([\d.]+) secs`),
		P99: at(`^\s+99%+ in ([\d.]+) secs`), Max: at(`^\s+Slowest:\s+([\d.]+) secs`), Dropped: -1,
	}
	answers, failures, _ := bytes.Cut(out, []byte("\nError distribution:"))
	statuses := map[string]int64{}
	for _, row := range rows(answers, `^\s+\[(\d+)\]\s+(\d+) responses`) {
		statuses[row[0]] += count(row[1])
	}
	said.OK, said.Failed = codes(statuses)
	for _, row := range rows(failures, `^\s+\[(\d+)\]`) {
		said.Failed += count(row[0])
	}
	if said.OK+said.Failed == 0 {
		return Said{}, errNoReport
	}
	return said, nil
}
