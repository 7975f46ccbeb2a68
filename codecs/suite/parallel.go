package suite

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
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
			if op == bed.MarshalFresh && !e.encodes() {
				continue
			}
			b.Run("op="+string(op)+e.optional("warm"), func(b *testing.B) { parallelLeaf(b, k, op) })
		}
	})
}

// parallelOps are what Parallel measures.
var parallelOps = []bed.Operation{bed.MarshalFresh, bed.Unmarshal}

// batch is how many operations a goroutine does in one go.
const batch = 64

func parallelLeaf(b *testing.B, k bed.Case, op bed.Operation) {
	env.note(b.Name())
	if env.cases {
		return
	}
	beds, err := openAll(k, runtime.GOMAXPROCS(0))
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

// openAll opens a bed for each goroutine of RunParallel.
func openAll(k bed.Case, n int) ([]bed.Bed, error) {
	beds := make([]bed.Bed, n)
	for i := range beds {
		var err error
		if beds[i], err = k.Open(bed.Warm / 8); err != nil {
			return nil, err
		}
	}
	return beds, nil
}

// runParallel does as many operations as pb gives it.
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

// parallelTable tells what CPU time an operation on the bench message takes
// with few and with more procs, in ns, and how many times that of the fewest
// that of the most is. It is not of the clock: half a busy machine is no proc.
func (e *environment) parallelTable(f figures) string {
	procs := f.procs()
	rows := [][]string{{"serializer"}}
	for _, op := range parallelOps {
		for _, n := range procs {
			rows[0] = append(rows[0], fmt.Sprintf("%s, procs=%d", op, n))
		}
		rows[0] = append(rows[0], "grows")
	}
	for _, entry := range e.entries {
		if row := entry.parallelRow(f, procs); row != nil {
			rows = append(rows, row)
		}
	}
	return markdown(rows)
}

// parallelRow is nil for what was not measured.
func (e Entry) parallelRow(f figures, procs []int) []string {
	if len(procs) == 0 {
		return nil
	}
	row := []string{e.ID()}
	for _, op := range parallelOps {
		var costs []float64
		for _, n := range procs {
			ns := f.median(fmt.Sprintf("Parallel/codec=%s/msg=bench/op=%s%s/procs=%d", e.Codec, op, e.optional("warm"), n), "cpu-ns/op")
			if ns == 0 {
				return nil
			}
			costs = append(costs, ns)
			row = append(row, whole(ns))
		}
		row = append(row, fmt.Sprintf("× %.2f", costs[len(costs)-1]/costs[0]))
	}
	return row
}

// procs lists the numbers of procs that lines of BenchmarkParallel are about.
func (f figures) procs() (list []int) {
	for name := range f.values {
		if n, err := strconv.Atoi(keyOf(name, "procs")); err == nil && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, cmp.Compare[int])
	return list
}
