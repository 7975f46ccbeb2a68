package layers

import (
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/draw"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

const aboutHandshakes = "New clients of TLS, one after the other, each with one call: with a full handshake, or one that resumes the session of the client before. /s: handshakes a second. –: the client's library resumes no session, or does not say. Medians of all rounds."

// kindsOfHandshake are the values of handshake=.
var kindsOfHandshake = []string{"full", "resumed"}

var handshakeColumns = []draw.Column{
	{Head: "/s", Unit: "calls/s", Size: 1},
	{Head: "dial ms", Unit: "dial-ns", Size: 1e6},
	{Head: "first call ms", Unit: "first-call-ns", Size: 1e6},
	{Head: "client CPU µs", Unit: "client-cpu-ns/op", Size: 1e3},
	{Head: "server CPU µs", Unit: "server-cpu-ns/op", Size: 1e3},
}

// unlike reports whether the handshakes of a line are not those of its name, as where a
// client's library resumes none, or does not say so.
func unlike(l lines.Line) bool {
	resumed, told := l.Values["resumed-%"]
	kind := l.Get("handshake")
	return kind != "" && (!told || kind == "resumed" && resumed < 99 || kind == "full" && resumed > 1)
}

// handshakes has a row for each variant with each stack of layers; none if no line tells its
// handshakes.
func handshakes(g *material.Group) []table.Table {
	t := table.Table{Title: titled(g, "handshakes"), Text: 2, Note: aboutHandshakes, Head: []string{"framework", "with"}, Measured: fact.Measured(g.Lines())}
	for _, c := range handshakeColumns {
		for _, kind := range kindsOfHandshake {
			t.Head = append(t.Head, strings.Replace(kind+" "+c.Head, " /", "/", 1))
		}
	}
	g.SortBy()
	for _, v := range g.Variants {
		for _, with := range stacks(v) {
			t.Rows = append(t.Rows, append([]string{v.Label, with}, handshakeCells(v, with)...))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []table.Table{t}
}

// stacks are the layers of lines that tell their handshakes.
func stacks(v *material.Variant) (list []string) {
	known := seen.Texts{}
	for _, l := range v.Lines {
		if with := stack(l.Name); l.Get("handshake") != "" && known.IsNew(with) {
			list = append(list, with)
		}
	}
	return list
}

func handshakeCells(v *material.Variant, with string) (cells []string) {
	for _, c := range handshakeColumns {
		for _, kind := range kindsOfHandshake {
			one := slices.DeleteFunc(slices.Clone(v.Lines), func(l lines.Line) bool { return stack(l.Name) != with || l.Get("handshake") != kind || unlike(l) })
			cells = append(cells, c.Of(v.Of(one)))
		}
	}
	return cells
}
