package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// slow says what is wrong with one of the servers. The zero slow, with times of 1, is of
// servers that are equal.
type slow struct {
	text   string
	server int     // from 1
	times  float64 // how many times as long its work takes; 1 for as long as elsewhere
	fault  string  // what happens to it in the run; "" for nothing
	down   time.Duration
}

// The faults of a server.
const (
	frozen     = "frozen"     // it stands still until the end
	dead       = "dead"       // it is killed
	restarting = "restarting" // it is killed, and starts again at once
	back       = "back"       // it is killed, and starts again after a while
)

const slowHelp = "10x for handlers that take ten times as long, or what happens to it in the run: frozen, dead, restarting, or back:5s for dead and up again after 5 s"

const (
	mostTimes   = 1000
	longestDown = time.Minute
)

func (s slow) fails() bool { return s.fault != "" }

// returns reports whether the server starts again.
func (s slow) returns() bool { return s.fault == restarting || s.fault == back }

// readSlow reads a server and what is wrong with it.
func readSlow(text string) (slow, error) {
	number, how, _ := strings.Cut(text, ":")
	server, err := strconv.Atoi(number)
	if err != nil || server <= 0 {
		return slow{}, fmt.Errorf("%q must be the number of a server, from 1, and what is wrong with it, as in 1:10x or 1:dead", text)
	}
	s := slow{text: text, server: server, times: 1}
	if factor, found := strings.CutSuffix(how, "x"); found {
		s.times, err = strconv.ParseFloat(factor, 64)
		if err != nil || !(s.times >= 1 && s.times <= mostTimes) {
			return s, fmt.Errorf("%q: a slow server takes from 1x to %dx as long, as in 1:10x", text, mostTimes)
		}
		return s, nil
	}
	return s, s.readFault(how)
}

func (s *slow) readFault(how string) (err error) {
	if s.fault = how; how == frozen || how == dead || how == restarting {
		return nil
	}
	down, found := strings.CutPrefix(how, back+":")
	s.fault = back
	if s.down, err = time.ParseDuration(down); !found || err != nil || s.down <= 0 || s.down > longestDown {
		return fmt.Errorf("%q: %q must be 10x, %s, %s, %s, or %s:5s with a time up to %v", s.text, how, frozen, dead, restarting, back, longestDown)
	}
	return nil
}

// A fault comes when a quarter of the run is over. The run lasts long enough to see what
// follows.
const (
	faultAt     = .25
	leastRun    = 400 * time.Millisecond
	afterReturn = 2 * time.Second
)

// least is the shortest run that shows what follows the fault.
func (s slow) least() time.Duration {
	if !s.returns() {
		return leastRun
	}
	return time.Duration(float64(s.down+afterReturn) / (1 - faultAt))
}
