package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/scaling"
)

const (
	coresID    = "cores"
	aboutCores = "The same calls with several numbers of whole cores of the server. The client has the same cores beside all of them: where it is busy, it is the limit. At a point that is called shared it runs on cores of the server."
	aboutFits  = "The universal scalability law, X(N) = λN / (1 + σ(N−1) + κN(N−1)), fitted to the calls/s of closed loops and capacities, with 95 % intervals: λ is the rate of one core, σ the contention, κ the coherency. Beyond the peak more cores make it slower; it is told if the interval of κ is above 0, and guessed if nobody measured with that many. Misfit is how far the farthest point is from the curve. Points that are shared are not fitted."
)

// cores shows servers of several numbers of cores, and who scales.
func cores() *View {
	return &View{
		Kind: material.Kind{
			Is:        func(l lines.Line) bool { return l.Get("cores") != "" },
			Calls:     true,
			Keys:      material.Words{"cores": coresOf},
			Uncounted: func(l lines.Line) bool { return l.Get("slo") != "" },
		},
		Axis: overCores(),
		Sections: []draw.Section{{
			ID: coresID, Title: "Who scales", Note: aboutCores,
			Metrics: []material.Metric{
				draw.Rate("cores-throughput"), draw.Unit("cores-cpu", "server CPU per call", "ns", "server-cpu-ns/op"), draw.Unit("cores-p99", "p99", "ns", "p99-ns"),
			},
			Why: "no line has cores=: run benchmarks with several -cores",
		}},
		Shared:   []Question{Failed},
		Columns:  append(draw.CPU(), draw.Column{Head: "client busy %", Unit: "client-busy-%", Size: 1}),
		Explains: fits,
	}
}

func overCores() material.Axis {
	return material.Axis{Title: "cores", Scale: "log", Keys: []string{"cores"}, X: func(l lines.Line) float64 { return number.Positive(strings.TrimSuffix(l.Get("cores"), sharing)) }}
}

// sharing is behind a number of cores of which some are the client's as well.
const sharing = "-shared"

func coresOf(value string) string {
	number, shared := strings.CutSuffix(value, sharing)
	text := number + " cores"
	if number == "1" {
		text = "1 core"
	}
	if shared {
		text += ", shared"
	}
	return text
}

// fits has a table for each panel of which a variant is fitted. Without any, why says the reason
// of the first; "" if nothing is to be fitted.
func fits(m *material.Material, k *material.Kind) (list []table.Table, why string) {
	closed := slices.DeleteFunc(m.Of(k), func(l lines.Line) bool { return material.OfferedRate(l) > 0 })
	for _, g := range m.Group(closed, overCores()) {
		t, refused := fitsOf(g)
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
		if why == "" {
			why = refused
		}
	}
	if len(list) > 0 {
		why = ""
	}
	return list, why
}

// fit is the law of a variant.
type fit struct {
	of   *material.Variant
	law  scaling.Law
	kept float64 // how many times the rate of one core the largest number has
}

// fitsOf has the variant that keeps most first, and references last.
func fitsOf(g *material.Group) (t table.Table, refused string) {
	t = table.Table{
		Title: "Fit: " + g.Title(), Text: 1, Section: coresID, Measured: fact.Measured(g.Lines()),
		Head: []string{"framework", "λ calls/s", "σ %", "κ %", "peak cores", "misfit %"}, Note: aboutFits,
	}
	var list []fit
	for _, v := range g.Variants {
		l, err := scaling.Fit(pointsOf(v))
		if err != nil {
			refused = fmt.Sprintf("%v; those that the client shares do not count", err)
			t.Note += fmt.Sprintf(" %s is not fitted: %v.", v.Label, err)
			continue
		}
		list = append(list, fit{v, l, l.At(most(g)) / l.Lambda.Value})
	}
	slices.SortStableFunc(list, func(a, b fit) int {
		return cmp.Or(cmp.Compare(rank.Order(a.of.Rank()), rank.Order(b.of.Rank())), cmp.Compare(b.kept, a.kept))
	})
	for _, f := range list {
		t.Rows = append(t.Rows, fitted(f.of.Label, f.law))
	}
	return t, refused
}

// most is the largest number of cores of a panel.
func most(g *material.Group) (cores float64) {
	for _, l := range g.Lines() {
		cores = max(cores, number.Positive(l.Get("cores")))
	}
	return cores
}

// pointsOf are the points that the client does not share.
func pointsOf(v *material.Variant) (list []scaling.Point) {
	for _, r := range v.Points(overCores(), material.Metric{Value: "calls/s"}) {
		cores := number.Positive(r.Name)
		if values := slices.DeleteFunc(slices.Clone(r.Values), func(x float64) bool { return !(x > 0) || math.IsInf(x, 0) }); cores >= 1 && len(values) > 0 {
			list = append(list, scaling.Point{Cores: cores, Throughput: values})
		}
	}
	return list
}

func fitted(label string, l scaling.Law) []string {
	peak := number.Missing
	if l.Kappa.Low > 0 {
		peak = fmt.Sprintf("%.1f", l.Peak())
	}
	return []string{label, between(l.Lambda, "%.0f", 1), between(l.Sigma, "%.2f", 100), between(l.Kappa, "%.3f", 100), peak, fmt.Sprintf("%.1f", 100*l.Misfit)}
}

// between is a value with its interval, times a factor.
func between(e scaling.Estimate, format string, times float64) string {
	return fmt.Sprintf(strings.ReplaceAll("F (F–F)", "F", format), times*e.Value, times*e.Low, times*e.High)
}
