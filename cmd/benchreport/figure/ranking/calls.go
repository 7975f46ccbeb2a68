package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// callColumns are the heads of a ranking of frameworks; row has their cells.
var callColumns = []Column{
	{Head: "#", Words: true},
	{Head: "framework", Words: true},
	{Head: "codec", Words: true},
	{Group: "CPU µs per call", Head: "both"},
	{Group: "CPU µs per call", Head: "range", Spare: 5},
	{Group: "CPU µs per call", Head: "client", Spare: 2},
	{Group: "CPU µs per call", Head: "server", Spare: 2},
	{Head: "calls/s"},
	{Group: "latency ms", Head: "p50", Spare: 3},
	{Group: "latency ms", Head: "p99"},
	{Head: "allocs", Spare: 4},
	{Head: "wire B"},
	{Head: "conns", Spare: 6},
}

// Calls ranks the frameworks of a panel: the variants that send what most frameworks send. What
// a call has on the wire is in the panels of counts.
func Calls(g *material.Group, counts []*material.Group) *Table {
	t := &Table{Title: g.Title(), About: about(g), Columns: slices.Clone(callColumns)}
	codec := commonCodec(g)
	rows := ordered(g, func(v *material.Variant) bool { return v.Rank() == rank.Ranked && v.Codec() == codec })
	if len(rows) == 0 {
		rows = ordered(g, func(*material.Variant) bool { return true })
	} else {
		t.Below = asides(g, codec)
	}
	t.Below, t.Versions = append(t.Below, limits(g, rows)...), versions(rows)
	places := callPlaces(rows)
	for i, v := range rows {
		t.Rows = append(t.Rows, row(g, v, places[i], wire(v, counted(g, counts))))
	}
	t.Notes = []string{equalNote}
	t.noted()
	t.withoutEmpty()
	return t
}

func row(g *material.Group, v *material.Variant, place string, onWire Cell) []Cell {
	return []Cell{
		{Text: place},
		{Text: name(g, v)},
		{Text: v.Codec()},
		cell(v.CPU(), 1e3),
		{Text: extent(v.CPU(), 1e3)},
		cell(v.Values("client-cpu-ns/op"), 1e3),
		cell(v.Values("server-cpu-ns/op"), 1e3),
		thousands(v.Values("calls/s")),
		latency(v.Values("p50-ns")),
		latency(v.Values("p99-ns")),
		{Text: allocations(v)},
		onWire,
		{Text: number.OrMissing(v.Values("conns"), 1)},
	}
}

// counted is the panel of counts of the same messages; nil if there is none. Payloads of Echo
// have their own table.
func counted(g *material.Group, counts []*material.Group) *material.Group {
	for _, k := range g.Keys {
		for _, c := range counts {
			if k.Key == "msg" && slices.Contains(c.Keys, k) {
				return c
			}
		}
	}
	return nil
}

// wire is what a request and its reply have together.
func wire(v *material.Variant, counts *material.Group) Cell {
	if counts != nil {
		for _, c := range counts.Variants {
			if c.Framework == v.Framework && slices.Equal(c.Keys, v.Keys) {
				return cell(material.Sums(c.Values("request-wire-B/op"), c.Values("reply-wire-B/op")), 1)
			}
		}
	}
	return cell(nil, 1)
}

// about are the cores of both sides and the number of rounds.
func about(g *material.Group) string {
	var words []string
	first := g.Variants[0].Lines[0].Config
	if client, server := first["client-procs"], first["server-procs"]; client != "" && server != "" {
		words = append(words, cores(client, server))
	}
	rounds := 0
	for _, v := range g.Variants {
		rounds = max(rounds, len(v.Values("calls/s")))
	}
	if rounds == 1 {
		return strings.Join(append(words, "1 round: nothing tells how far another would differ"), ", ")
	}
	return strings.Join(append(words, fmt.Sprintf("medians of %d rounds", rounds)), ", ")
}

// cores says how many a client and a server have.
func cores(client, server string) string {
	switch {
	case client != server:
		return "client " + client + ", server " + server + " cores"
	case client == "1":
		return "1 core a side"
	}
	return client + " cores a side"
}

// preferred is the codec that is ranked where as many frameworks send another.
const preferred = "protobuf"

// commonCodec is the codec that most ranked frameworks of a panel send.
func commonCodec(g *material.Group) (codec string) {
	senders := map[string]map[string]bool{}
	for _, v := range g.Variants {
		if of := v.Codec(); v.Rank() == rank.Ranked {
			if senders[of] == nil {
				senders[of] = map[string]bool{}
			}
			senders[of][v.Framework] = true
		}
	}
	codec = preferred
	for _, v := range g.Variants {
		if of := v.Codec(); len(senders[of]) > len(senders[codec]) {
			codec = of
		}
	}
	return codec
}

// ordered returns the variants that is selects, in the order of their CPU time on both sides,
// which is steadier than calls/s. If a line has no CPU time, calls/s orders them all.
func ordered(g *material.Group, is func(v *material.Variant) bool) (list []*material.Variant) {
	for _, v := range g.Variants {
		if is(v) {
			list = append(list, v)
		}
	}
	byCPU := timed(list)
	slices.SortStableFunc(list, func(v, w *material.Variant) int {
		if !byCPU {
			return cmp.Compare(w.Middle("calls/s"), v.Middle("calls/s"))
		}
		return cmp.Compare(pairs.Median(v.CPU()), pairs.Median(w.CPU()))
	})
	return list
}

// timed reports whether all lines have the CPU time of both sides, by which rows are ranked.
func timed(list []*material.Variant) bool {
	return !slices.ContainsFunc(list, func(v *material.Variant) bool { return v.CPU() == nil })
}

// callPlaces are the places by CPU of both sides; none where a line has no CPU times.
func callPlaces(list []*material.Variant) []string {
	values := make([][]float64, len(list))
	if timed(list) {
		for i, v := range list {
			values[i] = v.CPU()
		}
	}
	return placesOf(values)
}

// asides are the variants that are not ranked.
func asides(g *material.Group, codec string) (list []Aside) {
	for _, a := range []struct {
		name string
		is   func(v *material.Variant) bool
	}{
		{"other serializers", func(v *material.Variant) bool { return v.Rank() == rank.Ranked && v.Codec() != codec }},
		{"other set-ups", func(v *material.Variant) bool { return v.Rank() == rank.Beside }},
		{"ours, unranked", func(v *material.Variant) bool { return v.Rank() == rank.Ours }},
		{"floor", func(v *material.Variant) bool { return v.Rank() == rank.Reference }},
	} {
		list = append(list, named(a.name, items(g, codec, ordered(g, a.is)))...)
	}
	return list
}

// items name variants with the CPU of both sides.
func items(g *material.Group, codec string, list []*material.Variant) (texts []string) {
	for _, v := range list {
		words := []string{name(g, v)}
		if of := v.Codec(); of != codec && of != material.NoCodec {
			words = append(words, of)
		}
		if v.CPU() == nil {
			words = append(words, thousands(v.Values("calls/s")).Text+" calls/s")
		} else {
			words = append(words, cell(v.CPU(), 1e3).Text)
		}
		texts = append(texts, strings.Join(words, " "))
	}
	return texts
}

// Brief sums up a panel in one line: the CPU of both sides of all that is ranked.
func Brief(g *material.Group) Aside {
	codec := commonCodec(g)
	ranked := ordered(g, func(v *material.Variant) bool { return v.Rank() == rank.Ranked })
	return Aside{g.Title() + ", CPU of both sides", items(g, codec, ranked)}
}

// name is a framework with what tells the variant from its others, and its profile.
func name(g *material.Group, v *material.Variant) string {
	words := []string{v.Framework}
	for _, k := range v.Keys {
		switch {
		case k.Key == "codec":
		case k.Key == "metadata" || k.Key == "chain":
			words = append(words, k.Key+" "+k.Value)
		case k.Key == "profile" || k.Key == "with" || !g.Shared(v.Framework, k):
			words = append(words, k.Value)
		}
	}
	return strings.Join(words, " ")
}

// extent is from the least to the most, as in "13.9–15.0".
func extent(values []float64, size float64) string {
	if len(values) < 2 {
		return number.Missing
	}
	return number.Digits(slices.Min(values)/size) + "–" + number.Digits(slices.Max(values)/size)
}

// thousands writes a rate, as in "117 k".
func thousands(values []float64) Cell {
	if len(values) == 0 || pairs.Median(values) < 1000 {
		return cell(values, 1)
	}
	c := cell(values, 1000)
	c.Text += " k"
	return c
}

// latency writes a percentile in ms, with two digits: it is no surer than that.
func latency(values []float64) Cell {
	c := cell(values, 1e6)
	if len(values) == 0 {
		return c
	}
	if ms := pairs.Median(values) / 1e6; ms > 0 && ms < 10 {
		c.Text = fmt.Sprintf("%.*f", max(0, int(math.Ceil(-math.Log10(ms)))+1), ms)
	}
	return c
}

// allocations are counted on both sides, for one call.
func allocations(v *material.Variant) string {
	client, server := v.Values("allocs/op"), v.Values("server-allocs/op")
	if len(client) == 0 || len(server) == 0 {
		return number.Missing
	}
	return fmt.Sprintf("%.0f", pairs.Median(client)+pairs.Median(server))
}

// atLimit is the share of its CPUs, in %, from which a side is the limit: callers wait for
// each other as well, so that no side comes to 100 %.
const atLimit = 90

// limit is the side that used up its CPUs; "" if the lines do not say it.
func limit(v *material.Variant) string {
	client, server := v.Values("client-busy-%"), v.Values("server-busy-%")
	if len(client) == 0 || len(server) == 0 {
		return ""
	}
	switch c, s := pairs.Median(client) >= atLimit, pairs.Median(server) >= atLimit; {
	case c && s:
		return "both sides"
	case c:
		return "the client"
	case s:
		return "the server"
	}
	return "neither side"
}

// limited is the name of the line that says which side ran out of CPU.
const limited = "limit of calls/s"

// limits name the side that was the limit of each row. That is no fault of a row: where each
// side has its own cores, one side runs out of CPU before the other.
func limits(g *material.Group, list []*material.Variant) []Aside {
	var items []string
	for _, side := range []string{"both sides", "the client", "the server", "neither side"} {
		var names []string
		for _, v := range list {
			if limit(v) == side {
				names = append(names, name(g, v))
			}
		}
		switch {
		case len(names) == len(list):
			return []Aside{{limited, []string{side + " in all rows"}}}
		case len(names) > 0:
			items = append(items, side+" ("+strings.Join(names, ", ")+")")
		}
	}
	return named(limited, items)
}

// versions name the releases of the rows' frameworks.
func versions(list []*material.Variant) (texts []string) {
	for _, v := range list {
		if version := rank.Version(v.Lines[0]); version != "" {
			texts = append(texts, v.Framework+" "+version)
		}
	}
	return texts
}

func named(name string, items []string) []Aside {
	if len(items) == 0 {
		return nil
	}
	return []Aside{{name, items}}
}
