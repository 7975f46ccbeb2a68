package suite

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/cpu"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
)

// Parallel has every core work at messages of its own, so that
// -cpu=1,2,4 shows how a serializer scales: Parallel/codec=/msg=/op=.
func Parallel(b *testing.B) {
	env.mustBeReady(b)
	eachMessage(b, func(b *testing.B, e Entry, k bed.Case) {
		for _, op := range parallelOps {
			if !k.New().Can(op) {
				continue
			}
			b.Run("op="+string(op)+e.optional("warm"), func(b *testing.B) { parallelLeaf(b, k, op, env.taken(e, "warm")/8) })
		}
	})
}

// parallelOps are what Parallel measures.
var parallelOps = []bed.Operation{bed.MarshalFresh, bed.Unmarshal}

// batch is the number of operations that a goroutine takes from b.N and then does.
const batch = 64

func parallelLeaf(b *testing.B, k bed.Case, op bed.Operation, messages int) {
	env.note(b.Name())
	if env.cases {
		return
	}
	beds, err := openAll(k, runtime.GOMAXPROCS(0), max(messages, 1))
	if err != nil {
		b.Fatal(foreign.Error(err))
	}
	var next atomic.Int32
	b.ReportAllocs()
	start := cpu.Time()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		if err := runParallel(pb, beds[next.Add(1)-1], op); err != nil {
			b.Error(foreign.Error(err))
		}
	})
	b.StopTimer()
	reportCPU(b, start)
}

// openAll opens a bed of some messages for each goroutine of RunParallel.
func openAll(k bed.Case, n, messages int) ([]bed.Bed, error) {
	beds := make([]bed.Bed, n)
	for i := range beds {
		var err error
		if beds[i], err = k.Open(messages); err != nil {
			return nil, err
		}
	}
	return beds, nil
}

// runParallel does operations in batches, until pb has no more.
func runParallel(pb *testing.PB, b bed.Bed, op bed.Operation) error {
	for more := true; more; {
		n := 0
		for n < batch && more {
			if more = pb.Next(); more {
				n++
			}
		}
		if err := b.Run(op, n); err != nil {
			return err
		}
	}
	return nil
}
