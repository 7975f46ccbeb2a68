package suite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/cpu"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
)

// Codec measures every entry, message and operation:
// Codec/codec=/msg=/op=, with /mode= and /data=cold where they apply.
func Codec(b *testing.B) {
	env.mustBeReady(b)
	eachMessage(b, benchmarkOps)
}

// eachMessage runs f for every entry and message, below the keys codec= and msg=. Entries
// that differ in their mode alone have the same keys, and run together.
func eachMessage(b *testing.B, f func(*testing.B, Entry, bed.Case)) {
	entries := env.taking()
	for _, name := range codecNames(entries) {
		b.Run("codec="+name, func(b *testing.B) {
			for i, kind := range env.kinds() {
				b.Run("msg="+kind.Name, func(b *testing.B) {
					for _, e := range entries {
						if e.Codec == name {
							f(b, e, env.measured(e)[i])
						}
					}
				})
			}
		})
	}
}

func codecNames(entries []Entry) (names []string) {
	for _, e := range entries {
		if !slices.Contains(names, e.Codec) {
			names = append(names, e.Codec)
		}
	}
	return names
}

// benchmarkOps runs a leaf for each operation. They share a bed, which the first one to
// run opens.
func benchmarkOps(b *testing.B, e Entry, k bed.Case) {
	for _, data := range env.data {
		open := opener(e, k, data)
		for _, op := range bed.Operations {
			if !k.New().Can(op) {
				continue
			}
			b.Run("op="+string(op)+e.optional(data), func(b *testing.B) { leaf(b, open, op) })
		}
	}
}

// opened is a bed and the sizes of its encodings.
type opened struct {
	bed.Bed
	sizes
}

// opener returns a function that opens and checks a bed when it is first called.
func opener(e Entry, k bed.Case, data string) func() (*opened, error) {
	var o *opened
	return func() (_ *opened, err error) {
		if o != nil {
			return o, nil
		}
		n := env.taken(e, data)
		b, err := k.Open(n)
		if err == nil && env.sample == nil { // one's own are proven
			err = conformance.Messages(b, k.Kind, 16, e.expect) // the conformance test sends them all
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", e.ID(), k.Kind.Name, err)
		}
		o = &opened{b, sizesOf(b.Encoded()[:env.sized(n)])}
		return o, nil
	}
}

func leaf(b *testing.B, open func() (*opened, error), op bed.Operation) {
	env.note(b.Name())
	if env.cases {
		return
	}
	o, err := open()
	if err != nil {
		b.Fatal(foreign.Error(err))
	}
	b.ReportAllocs()
	b.SetBytes(int64(o.size))
	start := cpu.Time()
	b.ResetTimer()
	if err := o.Run(op, b.N); err != nil {
		b.Fatal(foreign.Error(err))
	}
	b.StopTimer()
	reportCPU(b, start)
	o.report(b)
}

// reportCPU reports the CPU time per operation since start. Unlike ns/op it is
// steady on a machine that has other work, and includes the garbage collector's
// work on other cores. A system that does not tell it has no such column.
func reportCPU(b *testing.B, start time.Duration) {
	if start > 0 {
		b.ReportMetric(float64(cpu.Time()-start)/float64(b.N), "cpu-ns/op")
	}
}
