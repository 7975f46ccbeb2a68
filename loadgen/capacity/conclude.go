package capacity

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// conclude says what the probes have found. Without a line, the bounds are those
// of the certain verdicts and the rate is the middle of the bisection; where no
// probe failed, it is the highest rate tried. doubts and trend are about late
// calls, so they are left out if failed calls set the limit.
func (f *finder) conclude() {
	f.Low, f.High = f.certain()
	f.Rate = f.holds
	if l, ok := f.fit(); f.holds > 0 && !math.IsInf(f.fails, 1) {
		f.Rate = (f.holds + f.fails) / 2
		if ok {
			f.answer(l)
		}
	}
	f.Low, f.High = min(f.Low, f.Rate), max(f.High, f.Rate)
	f.warnOfShortProbes()
	if !f.failed.late {
		return
	}
	f.Warnings = append(f.Warnings, f.doubts(f.failed)...)
	if t, ok := trendOf(f.Probes); ok && !t.rises() {
		f.Low, f.High = 0, math.Inf(1)
		f.Warnings = append(f.Warnings, t.notTheRate(f.Config))
	}
}

// warnOfShortProbes warns where no probe can hold for certain at the rate that was found.
func (f *finder) warnOfShortProbes() {
	needed, calls := f.callsNeeded(), f.Rate*f.ProbeTime.Seconds()
	long := math.Ceil(needed / f.Rate)
	f.warn(f.MaxProbes > 1 && f.Rate > 0 && calls < needed && long < maxProbe.Seconds(), ErrShort,
		"at %.4g calls/s a probe of %v has %.0f calls, and none holds for certain before %.0f: set ProbeTime to %v or more", f.Rate, f.ProbeTime, calls, needed, time.Duration(long)*time.Second)
}

// maxProbe is longer than any probe.
const maxProbe = 10 * 365 * 24 * time.Hour

// answer takes what the line says, as far as it can be trusted. A vague line only
// widens the bounds. If the search went on after bisection, the verdicts were
// partly chance, and the line's rate is taken as it is. Else line and bisection
// agree to within the line's error; the line then only refines the rate, by at
// most 2 % beyond the last probes, and the bounds enclose those too.
func (f *finder) answer(l fit) {
	f.Low, f.High = max(l.rate-l.reach, 0), l.rate+l.reach
	switch {
	case l.reach > vague*l.rate:
		f.Low, f.High = min(f.Low, f.Rate), max(f.High, f.Rate)
	case f.goesOn:
		f.Rate = l.rate
	default:
		f.Low, f.High = min(f.holds, f.Low), max(f.fails, f.High)
		f.Rate = min(max(l.rate, f.holds*.98), f.fails*1.02)
	}
	f.warn(l.spread > muchSpread, ErrSpread, "from one probe to the next the share of late calls changes by a factor of %.1f", math.Exp(l.spread))
}

// certain returns the highest rate that certainly holds and the lowest that
// certainly fails.
func (f *finder) certain() (low, high float64) {
	high = math.Inf(1)
	for _, p := range f.Probes {
		switch {
		case p.Certain && p.Holds:
			low = max(low, p.Rate)
		case p.Certain:
			high = min(high, p.Rate)
		}
	}
	return low, high
}

// doubts says why something else than the callee may have made a probe fail: the
// generator, the machine's host, or too few Workers. Service within the latency,
// in a probe whose responses were not, means that the calls waited for a worker.
func (f *finder) doubts(p Probe) (list []error) {
	at := fmt.Sprintf("at %.0f calls/s", p.Rate)
	for _, w := range p.Result.Warnings {
		if errors.Is(w, loadgen.ErrGenerator) || errors.Is(w, loadgen.ErrHost) {
			list = append(list, fmt.Errorf("%s: %w", at, w))
		}
	}
	if service := p.Result.Service.Quantile(f.Quantile); service <= f.Latency {
		list = append(list, fmt.Errorf("%s calls waited to be sent, and %s of them was then answered within %v: more Workers than %d may do more", at, percent(f.Quantile, 1), figure.Rounded(service), f.Workers))
	}
	return list
}

// warn adds a warning of a kind.
func (f *finder) warn(when bool, kind error, format string, args ...any) {
	if when {
		f.Warnings = append(f.Warnings, fmt.Errorf("%w: "+format, append([]any{kind}, args...)...))
	}
}
