package planted

import "time"

// whole is the length of a run that the figures are made for. Other runs have what happens in
// time at the same parts of their length.
const whole = 10 * time.Second

// Of returns the plan of a kind for a run of a length. A run of 10 s has five freezes of
// 0.2 s, or is stopped for a second after 4 s.
func Of(kind Kind, length time.Duration, seed int64) Plan {
	part := func(d time.Duration) time.Duration {
		return time.Duration(float64(d) * length.Seconds() / whole.Seconds())
	}
	p := Plan{Kind: kind, Seed: seed, Base: 5 * time.Millisecond, Gap: 100 * time.Microsecond}
	switch kind {
	case Frozen:
		p.Period, p.Freeze = part(2*time.Second), part(200*time.Millisecond)
		p.Phase = part(time.Duration(5+uint64(seed)*7%10) * 100 * time.Millisecond)
	case Stopped:
		p.StopAt, p.StopFor = part(4*time.Second), part(time.Second)
	case Slow:
		p.OneOf, p.Long = 10, 100*time.Millisecond
	case Queue:
		p.Base, p.Random = 4*time.Millisecond, true
	case Wrong:
		p.OneOf = 20
	case Dropping:
		p.OneOf = 50
	case Plain:
		p.Base = 0
	}
	return p
}

// Rates returns how many calls a second a server of the kind is asked for: one rate a cell.
func (k Kind) Rates() []int {
	switch k {
	case Queue:
		return []int{200} // 80 % busy
	case Plain:
		return []int{1000, 10000, 20000}
	}
	return []int{500}
}

// Timed reports whether the arithmetic says what users of a kind wait. Where it is false,
// nothing is planted that takes time.
func (k Kind) Timed() bool { return k != Plain }

// Failing reports whether calls of the kind fail by plan.
func (k Kind) Failing() bool { return k == Wrong || k == Dropping }
