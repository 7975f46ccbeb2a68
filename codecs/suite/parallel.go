package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// parallelOps are what BenchmarkParallel measures.
var parallelOps = []operation{marshalFresh, unmarshal}

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
