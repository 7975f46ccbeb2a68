package view

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
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
			Metrics: []material.Metric{draw.Unit("codec-bytes", "encoded bytes", "B", "encoded-B")},
			Why:     "no lines of BenchmarkCodec: run make bench-codecs and give its text as well",
		}},
		Serializers: true,
	}
}

// operations are told by bars of their own. The mode of a serializer is no condition.
func operations() material.Axis {
	a := material.None()
	a.Keys, a.Own, a.Serializers = []string{"op"}, []string{"mode"}, true
	return a
}
