package anatomy

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"
)

// Side is one side of a benchmark in all rounds.
type Side struct {
	Name, Side string
	Runs       []Run // one at least, in the order of time
	Samples    int64
	CPU        float64 // ns of CPU time of a call, by the clock of the process: the sum of all parts
	Covered    float64 // of CPU, what the samples alone would say, as a fraction
	Parts      []Row   // in their order, those without a sample too
	Functions  []Row   // the largest first
}

// Row is a part or a function of a side.
type Row struct {
	Place           // of a part without a function
	Samples int64   // in all rounds
	NS      float64 // of CPU time for each call
	Share   float64 // of the side, from 0 to 1
	// Half is half of the 95 % interval of Share. Rounds that differ by more than their
	// numbers of samples explain make it wider.
	Half float64
}

// Few reports whether a row rests on too few samples to say more than that it is small.
func (r Row) Few() bool { return r.Samples < FewSamples }

// HalfNS is half of the 95 % interval in ns, as far as the side's whole is certain: by how much
// all calls of another run are slower is not in it.
func (r Row) HalfNS(s Side) float64 { return r.Half * s.CPU }

// Sides sums up runs: client and server of each benchmark, in the order of their first runs.
func (t *Table) Sides(runs []Run) (list []Side) {
	at := map[[2]string]int{}
	for _, r := range runs {
		key := [2]string{r.Name, r.Side}
		i, known := at[key]
		if !known {
			i = len(list)
			at[key] = i
			list = append(list, Side{Name: r.Name, Side: r.Side})
		}
		list[i].Runs = append(list[i].Runs, r)
	}
	for i := range list {
		list[i].sum(t)
	}
	return list
}

// sum fills in what all runs of a side say together.
func (s *Side) sum(t *Table) {
	calls, cpu, covered := 0.0, 0.0, 0.0
	places := make([]map[Place]int64, len(s.Runs))
	for i, r := range s.Runs {
		calls += float64(r.Calls)
		cpu += r.CPU * float64(r.Calls)
		covered += r.Covered() * r.CPU * float64(r.Calls)
		s.Samples += r.Stacks.Total()
		places[i] = t.Places(r.Side, r.Stacks)
	}
	s.CPU, s.Covered = cpu/calls, covered/cpu
	for _, p := range Parts() {
		s.Parts = append(s.Parts, s.row(Place{Part: p.Name}, places, func(at Place) bool { return at.Part == p.Name }))
	}
	s.Functions = s.functions(places)
}

func (s *Side) functions(places []map[Place]int64) (list []Row) {
	all := map[Place]bool{}
	for _, counts := range places {
		for p := range counts {
			all[p] = true
		}
	}
	for p := range all {
		list = append(list, s.row(p, places, func(at Place) bool { return at == p }))
	}
	slices.SortFunc(list, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Function, b.Function), byOrder(a.Part, b.Part))
	})
	return list
}

// row sums up the places that are of it.
func (s *Side) row(p Place, places []map[Place]int64, of func(Place) bool) Row {
	row := Row{Place: p}
	own, all := make([]float64, len(places)), make([]float64, len(places))
	for i, counts := range places {
		for at, n := range counts {
			if of(at) {
				own[i] += float64(n)
				row.Samples += n
			}
		}
		all[i] = float64(s.Runs[i].Stacks.Total())
	}
	row.Share = float64(row.Samples) / float64(s.Samples)
	row.NS, row.Half = row.Share*s.CPU, half(own, all)
	return row
}

// half is half of the 95 % interval of the share that own has of all. It is the larger of two.
// One is of independent samples, with two successes and two failures added (Agresti and
// Coull, 1998), so that a part without samples is not certain to be none. The other is of rounds,
// by the variance of a ratio of sums (Cochran, Sampling Techniques, section 6.3) and the
// quantile of Student's t for as many rounds.
func half(own, all []float64) float64 {
	k, n := total(own), total(all)
	p := (k + 2) / (n + 4)
	samples := 1.96 * math.Sqrt(p*(1-p)/(n+4))
	rounds := float64(len(all))
	if rounds < 2 {
		return samples
	}
	squares := 0.0
	for i := range all {
		squares += math.Pow(own[i]-k/n*all[i], 2)
	}
	t := stats.InvCDF(stats.TDist{V: rounds - 1})(.975)
	return max(samples, t*math.Sqrt(squares*rounds/(rounds-1))/n)
}

func total(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// WriteLines writes the parts as lines of benchmarks, one for each part, side and round, so that
// benchstat can compare them and benchreport can draw them.
func (t *Table) WriteLines(w io.Writer, runs []Run) (err error) {
	print := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, args...)
		}
	}
	var before map[string]string
	for _, r := range runs {
		print("%s", changed(before, r.Config))
		before = r.Config
		counts := map[string]int64{}
		for p, n := range t.Places(r.Side, r.Stacks) {
			counts[p.Part] += n
		}
		for _, p := range Parts() {
			n := counts[p.Name]
			print("%s/%s=%s/%s=%s %d %.6g ns/op %d %s\n", r.Name, SideKey, r.Side, PartKey, p.Name, r.Calls, r.ns(n), n, Samples)
		}
	}
	return err
}

// changed are the configuration lines that make one configuration of another. A key without a value
// is no more.
func changed(before, now map[string]string) string {
	all := map[string]string{}
	for key := range before {
		all[key] = ""
	}
	maps.Copy(all, now)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if was, known := before[key]; !known || was != all[key] {
			fmt.Fprintln(&b, strings.TrimSpace(key+": "+all[key]))
		}
	}
	return b.String()
}
