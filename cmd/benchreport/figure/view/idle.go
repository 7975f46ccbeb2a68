package view

import (
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// idle shows silent connections. Its percentiles are of calls beside them.
func idle() *View {
	return &View{
		Kind: material.Kind{
			Is:        func(l lines.Line) bool { return l.Get("idle") != "" && has(l, "conns") },
			Keys:      material.Words{"idle": material.After(" connections"), "active": material.After(" callers")},
			Uncounted: func(lines.Line) bool { return true },
		},
		Axis:  material.None(),
		Table: idleTable,
	}
}

const aboutIdle = "A connection's share of what each process holds and uses more with the connections than without, after collections: live heap with stacks, resident memory, goroutines, and CPU time in a second of silence. Opened are the connections that came and were called once in a second. The p99 is that of the callers, 100 unless it is said, at 1,000 calls a second together: alone, and among the silent connections, where their CPU time is too. Medians of all rounds; ± is how far they are from it."

// idleTable has the variants whose servers hold least first, and references last.
func idleTable(g *material.Group) table.Table {
	columns := []draw.Column{{Head: "connections", Unit: "conns", Size: 1}}
	for _, side := range []string{"server", "client"} {
		columns = append(
			columns,
			draw.Column{Head: side + " heap KiB", Unit: side + "-heap-B/conn", Size: 1 << 10, Cell: draw.WithSpread},
			draw.Column{Head: side + " RSS KiB", Unit: side + "-rss-B/conn", Size: 1 << 10, Cell: draw.WithSpread},
			draw.Column{Head: side + " goroutines", Unit: side + "-goroutines/conn", Size: 1, Cell: draw.Tenths},
			draw.Column{Head: side + " CPU ns/s", Unit: side + "-idle-cpu-ns/conn-s", Size: 1, Cell: draw.Whole},
		)
	}
	columns = append(
		columns,
		draw.Column{Head: "opened/s", Unit: "accepts/s", Size: 1, Cell: draw.Whole},
		draw.Column{Head: "p99 ms alone", Unit: "alone-p99-ns", Size: 1e6},
		draw.Column{Head: "p99 ms among", Unit: "p99-ns", Size: 1e6},
	)
	columns = append(columns, cpuColumns(g)...)
	g.SortBy("server-heap-B/conn")
	asked, _ := g.Only("idle")
	return draw.Columns(g, aboutIdle, columns...).Without("connections", asked)
}

// cpuColumns are the columns of the CPU time of a call, which earlier lines lack.
func cpuColumns(g *material.Group) []draw.Column {
	return slices.DeleteFunc(draw.CPU()[1:], func(c draw.Column) bool {
		return !slices.ContainsFunc(g.Variants, func(v *material.Variant) bool { return len(v.Values(c.Unit)) > 0 })
	})
}
