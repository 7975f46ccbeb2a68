package hostile

import "fmt"

// Hazard is what hostile input can do to a decoder.
type Hazard int

// The hazards, from bad to worse.
const (
	Safe   Hazard = iota // neither panics nor takes much more memory than its input
	Panics               // panics, which the caller can recover from
	Kills                // takes more memory than there is, or the stack, or memory of others, which ends the process
)

// Verdict counts what became of a target's inputs.
type Verdict struct {
	OK, Errors, Panics int
	Reached            int    // it touched memory that is not its own, or wrote into its input
	Greedy             int    // it took more memory than excess, and lived
	Killed             int    // its process ended
	LeftOut            int    // after maxDeaths
	Largest            uint64 // bytes taken for one input, at most; of those that the process survived
	Worst              string // the worst that happened, and to what input

	badness badness // of Worst
}

// badness orders what is told as the worst.
type badness int

const (
	badPanic badness = 1 + iota
	badExcess
	badReach
	badDeath
)

// Inputs is the number of inputs.
func (v Verdict) Inputs() int {
	return v.OK + v.Errors + v.Panics + v.Reached + v.Greedy + v.Killed + v.LeftOut
}

// Hazard is the worst that happened.
func (v Verdict) Hazard() Hazard {
	switch {
	case v.Killed+v.Reached+v.Greedy > 0:
		return Kills
	case v.Panics > 0:
		return Panics
	}
	return Safe
}

// add counts an outcome.
func (v *Verdict) add(o Outcome) {
	v.Largest = max(v.Largest, o.Taken)
	switch o.What {
	case ok:
		v.OK++
	case failed:
		v.Errors++
	case Panicked:
		v.Panics++
		v.worse(badPanic, o.About)
	case reached:
		v.Reached++
		v.worse(badReach, o.About)
	case excessive:
		v.Greedy++
		v.worse(badExcess, o.About)
	}
}

// worse keeps the first of what is the worst.
func (v *Verdict) worse(b badness, about string) {
	if b > v.badness {
		v.badness, v.Worst = b, about
	}
}

// Megabytes writes a number of bytes as tables and verdicts have it.
func Megabytes(n uint64) string {
	if n < 1<<20 {
		return "< 1 MiB"
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
