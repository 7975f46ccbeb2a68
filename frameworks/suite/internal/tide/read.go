package tide

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Rate is a value of -rate.
type Rate struct {
	Steady int   // calls per second; 0 for a tide
	Tide   *Tide // nil for a steady rate
}

// Split splits a list of rates at its commas, but not at those between steps: numbers whose
// last is followed by a time are one rate. A time may come after a slash, which the names of
// lines cannot have.
func Split(text string) (list []string) {
	var steps []string
	for one := range strings.SplitSeq(strings.ReplaceAll(text, "/", "@"), ",") {
		steps = append(steps, one)
		switch {
		case strings.Contains(one, "..") || strings.Contains(one, "~"):
			list = append(list, steps...)
			steps = nil
		case strings.Contains(one, "@"):
			list = append(list, strings.Join(steps, ","))
			steps = nil
		}
	}
	return append(list, steps...)
}

var (
	ramps  = regexp.MustCompile(`^(.*)\.\.([^@]*)@(.*)$`)
	bursts = regexp.MustCompile(`^(.*)~([^@]*)x([^@]*)@([^@]*)(@.*)?$`)
)

// Read reads one of the rates that Split returns.
func Read(text string) (r Rate, err error) {
	switch {
	case strings.Contains(text, "~"):
		r.Tide, err = readBursts(text)
	case strings.Contains(text, ".."):
		r.Tide, err = readRamp(text)
	case strings.Contains(text, "@"):
		r.Tide, err = readSteps(text)
	default:
		r.Steady, err = value.Positive(text)
	}
	if err == nil && r.Tide != nil {
		err = r.Tide.bounded()
	}
	return r, err
}

// maxCalls bounds the calls of a run: all are drawn before it to see which are those of a phase.
const maxCalls = 100_000_000

func (t *Tide) bounded() error {
	if calls := float64(t.Mean()) * t.Length().Seconds(); calls > maxCalls {
		return fmt.Errorf("%q has %.3g calls, and a run may have %d", t.Name, calls, maxCalls)
	}
	return nil
}

// Grain is what lengths of phases are multiples of: intervals of a run, of which none is to be
// part of two phases, are no shorter.
const Grain = 10 * time.Millisecond

func length(of, text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q: %q is no time such as 30s", of, text)
	case d <= 0 || d%Grain != 0:
		return 0, fmt.Errorf("%q: a time must be more than 0, and a multiple of %v", of, Grain)
	}
	return d, nil
}

// rates reads numbers of calls per second.
func rates(of string, texts ...string) (list []float64, err error) {
	for _, text := range texts {
		n, err := value.Positive(text)
		if err != nil {
			return nil, fmt.Errorf("%q: the rate %w", of, err)
		}
		list = append(list, float64(n))
	}
	return list, nil
}

// readSteps reads steps of one length, as in 1000,5000,1000@10s.
func readSteps(text string) (*Tide, error) {
	before, after, _ := strings.Cut(text, "@")
	list, err := rates(text, strings.Split(before, ",")...)
	if err != nil {
		return nil, err
	}
	each, err := length(text, after)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return nil, fmt.Errorf("%q is one step: give the rate alone, and how long it lasts by -benchtime", text)
	}
	var pieces []piece
	for i, rate := range list {
		pieces = append(pieces, piece{Slope: loadgen.Slope{From: rate, To: rate, For: each}, phase: i})
	}
	return of(text, true, numbered(len(list)), pieces...), nil
}

// readRamp reads a ramp, as in 1000..20000@30s.
func readRamp(text string) (*Tide, error) {
	found := ramps.FindStringSubmatch(text)
	if found == nil {
		return nil, fmt.Errorf("%q: a ramp takes a time, as in 1000..20000/30s", text)
	}
	ends, err := rates(text, found[1], found[2])
	if err != nil {
		return nil, err
	}
	all, err := length(text, found[3])
	switch {
	case err != nil:
		return nil, err
	case ends[0] == ends[1]:
		return nil, fmt.Errorf("%q goes nowhere: give the rate alone, and how long it lasts by -benchtime", text)
	case all < parts*Grain:
		return nil, fmt.Errorf("%q: a ramp takes %v or more", text, parts*Grain)
	}
	at := func(i int) float64 { return ends[0] + (ends[1]-ends[0])*float64(i)/parts }
	var pieces []piece
	for i := range parts {
		pieces = append(pieces, piece{Slope: loadgen.Slope{From: at(i), To: at(i + 1), For: all / parts}, phase: i})
	}
	pieces[parts-1].For += all % parts
	return of(text, false, numbered(parts), pieces...), nil
}

// periods is how many bursts there are if it is not said how long they go on.
const periods = 10

// readBursts reads bursts, as in 5000~10x100ms@1s: ten times the rate for the first 100 ms of
// each second. A third time is how long they go on.
func readBursts(text string) (*Tide, error) {
	found := bursts.FindStringSubmatch(text)
	if found == nil {
		return nil, fmt.Errorf("%q: bursts take a rate, a factor and two times, as in 5000~10x100ms/1s", text)
	}
	base, err := rates(text, found[1], found[2])
	if err != nil {
		return nil, err
	}
	times := []time.Duration{0, 0, 0}
	for i, one := range []string{found[3], found[4], strings.TrimPrefix(found[5], "@")} {
		if i == 2 && found[5] == "" {
			times[2] = periods * times[1]
			break
		}
		if times[i], err = length(text, one); err != nil {
			return nil, err
		}
	}
	return burstsOf(text, base[0], base[0]*base[1], times[0], times[1], times[2])
}

func burstsOf(text string, base, high float64, burst, period, all time.Duration) (*Tide, error) {
	switch {
	case high == base:
		return nil, fmt.Errorf("%q: a burst of 1x is none", text)
	case burst >= period:
		return nil, fmt.Errorf("%q: a burst must be shorter than %v, after which the next one begins", text, period)
	case all%period != 0:
		return nil, fmt.Errorf("%q: %v is no multiple of %v, after which the next burst begins", text, all, period)
	}
	var pieces []piece
	for range all / period {
		pieces = append(pieces,
			piece{Slope: loadgen.Slope{From: high, To: high, For: burst}, phase: 0},
			piece{Slope: loadgen.Slope{From: base, To: base, For: period - burst}, phase: 1})
	}
	return of(text, true, []string{"burst", "between"}, pieces...), nil
}
