package view

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// codecs shows serializers without any RPC, with a chart for each operation.
func codecs() *View {
	return &View{
		Kind: material.Kind{
			Is:   func(l lines.Line) bool { return l.Base == "Codec" && l.Get("codec") != "" && l.Get("op") != "" },
			Keys: material.Words{"op": nil},
		},
		Axis: operations(),
		Sections: []draw.Section{{
			ID: "codec", Title: "Serializers", Note: "Time of one operation on one message, without any RPC, and the bytes of the encoded message.",
			Each: func(op string) material.Metric {
				return material.Metric{ID: "codec-" + op, Title: op, Unit: "ns", Value: "ns/op", At: op}
			},
			Metrics: []material.Metric{draw.Unit("codec-bytes", "encoded", "B", "encoded-B")},
			Why:     "no lines of BenchmarkCodec: run make bench-codecs and give its text as well",
		}},
		Table:       codecTable,
		Serializers: true,
	}
}

// operations are told by bars of their own. The mode of a serializer is no condition.
func operations() material.Axis {
	a := material.None()
	a.Keys, a.Own, a.Serializers = []string{"op"}, []string{"mode"}, true
	return a
}

// codecTable is of ns/op: serializers down, operations across.
func codecTable(g *material.Group) table.Table {
	ops, _ := g.Points(operations())
	t := table.Table{Title: g.Title(), Text: 1, Head: []string{"serializer"}}
	for _, op := range ops {
		t.Head = append(t.Head, op+" ns")
	}
	t.Head = append(t.Head, "bytes")
	for _, v := range g.Variants {
		t.Rows = append(t.Rows, codecRow(v, ops))
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return t
}

func codecRow(v *material.Variant, ops []string) []string {
	row := []string{v.Label}
	for _, op := range ops {
		cell := number.Missing
		for _, r := range v.Points(material.None(), material.Metric{Value: "ns/op", At: op}) {
			cell = number.WithSpread(r.Values)
		}
		row = append(row, cell)
	}
	if sizes := v.Values("encoded-B"); len(sizes) > 0 {
		return append(row, number.Digits(sizes[0]))
	}
	return append(row, number.Missing)
}
