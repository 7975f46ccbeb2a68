// Package exact computes when calls are due without the errors of floating-point numbers.
package exact

import (
	"math"
	"math/big"
	"math/bits"
	"time"
)

// Never is 73 years, longer than any run. The sum of two still fits in a Duration.
const Never = time.Duration(1 << 61)

// MostRate is the highest rate, in calls per second, that is told from higher ones. No
// run numbers the calls of two seconds of it.
const MostRate = 1 << 62

// Rational is the rate that a user means by a float64, exactly: the first convergent of its
// continued fraction that has the float64 as its nearest. So it is 1/10 for .1, whose
// float64 is a little more: call 1 would come before 10 s are over.
func Rational(rate float64) *big.Rat {
	exact := new(big.Rat)
	exact.SetFloat64(rate)
	n, d := new(big.Int).Set(exact.Num()), new(big.Int).Set(exact.Denom())
	num, den := big.NewInt(1), new(big.Int) // the last convergent, and the one before it
	num0, den0 := new(big.Int), big.NewInt(1)
	for d.Sign() > 0 {
		q, rest := new(big.Int).QuoRem(n, d, new(big.Int))
		n, d = d, rest
		num, num0 = new(big.Int).Add(num0, new(big.Int).Mul(q, num)), num
		den, den0 = new(big.Int).Add(den0, new(big.Int).Mul(q, den)), den
		found := new(big.Rat).SetFrac(num, den)
		if f, _ := found.Float64(); f == rate {
			return found
		}
	}
	return exact
}

// GapOf is the time between calls of a rate, in ns; at most Never.
func GapOf(rate float64) *big.Rat {
	gap := big.NewRat(int64(Never), 1)
	if rate > 1e9/float64(Never) {
		gap.Quo(big.NewRat(1e9, 1), Rational(min(rate, MostRate)))
	}
	return gap
}

// Floor is the largest whole number that is not more than x.
func Floor(x *big.Rat) *big.Int {
	return new(big.Int).Div(x.Num(), x.Denom()) // rounds down, since the divisor is more than 0
}

// Shortened is x, cut to 512 bits after the point if it has a longer denominator. The steps of
// a user's rates have short ones; those of thousands of random rates would grow for ever.
func Shortened(x *big.Rat) *big.Rat {
	const digits = 512
	if x.Denom().BitLen() <= digits {
		return x
	}
	one := new(big.Int).Lsh(big.NewInt(1), digits)
	return new(big.Rat).SetFrac(Floor(new(big.Rat).Mul(x, new(big.Rat).SetInt(one))), one)
}

// Split is a number of calls as a whole number, at most 2^62, and what is left, below 1.
func Split(calls *big.Rat) (whole int64, part float64) {
	n := Floor(calls)
	if n.BitLen() > 62 {
		return 1 << 62, 0
	}
	part, _ = new(big.Rat).Sub(calls, new(big.Rat).SetInt(n)).Float64()
	return n.Int64(), min(part, math.Nextafter(1, 0))
}

// Span is a time in ns with 128 bits after the point. Spans are rounded up: the sum of
// 2^50 of them is still no full nanosecond early, and it is too late only where a due time
// is less than 2^-78 ns before a full one.
type Span struct{ whole, high, low uint64 }

// NeverSpan is Never as a Span.
func NeverSpan() Span { return Span{whole: uint64(Never)} }

// SpanOf is a time in ns; at most Never.
func SpanOf(ns *big.Rat) Span {
	one := new(big.Int).Lsh(big.NewInt(1), 128)
	up := new(big.Int).Sub(ns.Denom(), big.NewInt(1))
	n := new(big.Int).Mul(ns.Num(), one)
	n.Div(n.Add(n, up), ns.Denom())
	if n.BitLen() > 128+62 {
		return NeverSpan()
	}
	var b [24]byte
	n.FillBytes(b[:])
	word := func(i int) (w uint64) {
		for _, v := range b[i : i+8] {
			w = w<<8 | uint64(v)
		}
		return w
	}
	return Span{word(0), word(8), word(16)}
}

// Add adds another Span. The sum is Never where it would be later.
func (s *Span) Add(other *Span) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, other.low, 0)
	s.high, carry = bits.Add64(s.high, other.high, carry)
	s.whole += other.whole + carry
	if s.whole > uint64(Never) {
		*s = NeverSpan()
	}
}

// Duration is the span, cut to full nanoseconds.
func (s *Span) Duration() time.Duration { return time.Duration(s.whole) }

// Area counts exactly the calls that a ramp has by a time of t ns: t·(a + b·t) / d.
type Area struct{ a, b, d *big.Int }

// AreaOf is from·t + (to-from)·t²/(2·over), with both parts over one denominator.
func AreaOf(from, to *big.Rat, over time.Duration) Area {
	twice := new(big.Int).Mul(big.NewInt(2), big.NewInt(int64(over)))
	common := new(big.Int).Mul(from.Denom(), to.Denom())
	first := new(big.Int).Mul(from.Num(), to.Denom())
	last := new(big.Int).Mul(to.Num(), from.Denom())
	d := new(big.Int).Mul(common, twice)
	return Area{a: twice.Mul(twice, first), b: last.Sub(last, first), d: d.Mul(d, big.NewInt(1e9))}
}

// times is t·(a + b·t).
func (x Area) times(t time.Duration) *big.Int {
	n := big.NewInt(int64(t))
	sum := new(big.Int).Mul(x.b, n)
	return sum.Mul(sum.Add(sum, x.a), n)
}

// UpTo is the number of calls by a time.
func (x Area) UpTo(t time.Duration) *big.Rat { return new(big.Rat).SetFrac(x.times(t), x.d) }

// Reach is the time at which the Area has reached a number of calls, in full ns, where
// guess is not far from it.
func (x Area) Reach(calls int64, guess time.Duration) time.Duration {
	want := new(big.Int).Mul(big.NewInt(calls), x.d)
	for guess > 0 && x.times(guess).Cmp(want) > 0 {
		guess--
	}
	for x.times(guess+1).Cmp(want) <= 0 {
		guess++
	}
	return guess
}
