package figure

import (
	"cmp"
	"fmt"
	"slices"
)

// place is where a row stands in an order. Rows that the rounds cannot tell apart share
// places.
type place struct{ best, worst int }

// String returns "2", or "2–4" for a row that shares places.
func (p place) String() string {
	if p.best == p.worst {
		return fmt.Sprint(p.best)
	}
	return fmt.Sprintf("%d–%d", p.best, p.worst)
}

// places orders rows by their values in all rounds, the least first. One row is before
// another if all of its rounds are. With three rounds this happens to two equal rows in
// 10 % of cases; with six in 0.2 %.
func places(rows [][]float64) (list []place) {
	for _, row := range rows {
		p := place{1, len(rows)}
		for _, other := range rows {
			switch {
			case slices.Max(other) < slices.Min(row):
				p.best++
			case slices.Min(other) > slices.Max(row):
				p.worst--
			}
		}
		list = append(list, p)
	}
	return list
}

// byCPU sorts variants by the CPU time of a call on both sides, which is steadier than
// calls/s, and returns their places. Where lines have no CPU times the order stays as it
// is, and there are no places.
func byCPU(ranked []*variant) []place {
	if slices.ContainsFunc(ranked, func(v *variant) bool { return v.cpu() == nil }) {
		return nil
	}
	var rows [][]float64
	slices.SortStableFunc(ranked, func(v, w *variant) int { return cmp.Compare(median(v.cpu()), median(w.cpu())) })
	for _, v := range ranked {
		rows = append(rows, v.cpu())
	}
	return places(rows)
}

// cpu returns the CPU time of a call on both sides in each round; nil if a round does
// not have both.
func (v *variant) cpu() (sums []float64) {
	client, server := v.points(none, metric{value: "client-cpu-ns/op"}), v.points(none, metric{value: "server-cpu-ns/op"})
	if len(client) == 0 || len(server) == 0 || len(client[0].values) != len(server[0].values) {
		return nil
	}
	for i, ns := range client[0].values {
		sums = append(sums, ns+server[0].values[i])
	}
	return sums
}
