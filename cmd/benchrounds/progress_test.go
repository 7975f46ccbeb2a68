package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

func TestAnnouncement(t *testing.T) {
	for _, c := range []struct {
		about   string
		round   time.Duration
		unbuilt int
		want    string
	}{
		{"by what the binaries say of a round", 6 * time.Second, 0, "3 cases in 4 rounds: about 0:24\n"},
		{"nobody knows", 0, 0, "3 cases in 4 rounds\n"},
		{"some have not been asked", 6 * time.Second, 2, "~3 cases in 4 rounds: about 0:24, and what building 2 more takes\n"},
	} {
		var out bytes.Buffer
		p := newReporter(status.ToFile(&out), 4)
		p.cases, p.expected, p.unbuilt = 3, c.round, c.unbuilt
		p.announce()
		equal(t, c.about, out.String(), c.want)
	}
}

func TestTheLineOfACase(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		about   string
		p       reporter
		elapsed time.Duration
		want    string
	}{
		{"by the cases behind us", reporter{round: 2, done: 30}, 60 * s, "round 2/6  case 31/60  1:00 of 2:00  Echo grpc h2 1KiB"},
		{"before the first result the binaries' estimate counts", reporter{round: 1, expected: 20 * s}, 3 * s, "round 1/6  case 1/60  0:03 of 2:00  Echo grpc h2 1KiB"},
		{"nobody knows before the first result", reporter{round: 1}, 3 * s, "round 1/6  case 1/60  0:03  Echo grpc h2 1KiB"},
		{"what is built is built once", reporter{round: 2, done: 30, builds: 1, building: 10 * s}, 70 * s, "round 2/6  case 31/60  1:10 of 2:10  Echo grpc h2 1KiB"},
		{"what is not built yet is expected", reporter{round: 1, done: 30, builds: 1, building: 10 * s, unbuilt: 1}, 70 * s, "round 1/6  case 31/~60  1:10 of ~2:20  Echo grpc h2 1KiB"},
		{"more cases than were counted", reporter{round: 6, done: 60}, 60 * s, "round 6/6  case 61/61  1:00  Echo grpc h2 1KiB"},
	} {
		c.p.rounds, c.p.cases = 6, 10
		equal(t, c.about, c.p.now("BenchmarkEcho/framework=grpc/transport=h2/size=1KiB", c.elapsed), c.want)
	}
}

func TestTheLineOfARound(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		about string
		p     reporter
		want  string
	}{
		{"one of several", reporter{round: 2, done: 20, kept: 20}, "round 2/6 done, 20 of 60 results, 1:00 so far, about 2:00 left"},
		{"results are missing", reporter{round: 2, done: 20, kept: 18}, "round 2/6 done, 18 of 60 results, 1:00 so far, about 2:00 left"},
		{"the last", reporter{round: 6, done: 60, kept: 60}, "round 6/6 done, 60 of 60 results in 1:00"},
	} {
		c.p.rounds, c.p.cases = 6, 10
		equal(t, c.about, c.p.sofar(60*s), c.want)
	}
}
