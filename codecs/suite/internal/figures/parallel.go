package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/markdown"
)

// ParallelTable lists the CPU time of some operations on the bench message, in ns, for
// each number of procs, and the quotient of that of the most procs and that of the fewest.
// It is not the time by the clock, which grows where a machine has other work.
func (f Figures) ParallelTable(codecs []Codec, ops []bed.Operation) string {
	procs := f.procs()
	rows := [][]string{{"serializer"}}
	for _, op := range ops {
		for _, n := range procs {
			rows[0] = append(rows[0], fmt.Sprintf("%s, procs=%d", op, n))
		}
		rows[0] = append(rows[0], "grows")
	}
	for _, c := range codecs {
		if row := f.parallelRow(c, procs, ops); row != nil {
			rows = append(rows, row)
		}
	}
	return markdown.Table(rows)
}

// parallelRow is nil for what was not measured.
func (f Figures) parallelRow(c Codec, procs []int, ops []bed.Operation) []string {
	if len(procs) == 0 {
		return nil
	}
	row := []string{c.ID}
	for _, op := range ops {
		var costs []float64
		for _, n := range procs {
			ns := f.median(fmt.Sprintf("Parallel/codec=%s/msg=bench/op=%s%s/procs=%d", c.Name, op, c.Keys, n), "cpu-ns/op")
			if ns == 0 {
				return nil
			}
			costs = append(costs, ns)
			row = append(row, markdown.Whole(ns))
		}
		row = append(row, fmt.Sprintf("× %.2f", costs[len(costs)-1]/costs[0]))
	}
	return row
}

// procs lists the numbers of procs that lines of BenchmarkParallel are about.
func (f Figures) procs() (list []int) {
	for name := range f.values {
		if n, err := strconv.Atoi(keyOf(name, "procs")); err == nil && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, cmp.Compare[int])
	return list
}
