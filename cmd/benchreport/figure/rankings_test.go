package figure

import (
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// texts are the heads and the rows of a ranking, each in one text.
func texts(t *ranking.Table) (list []string) {
	var heads []string
	for _, c := range t.Columns {
		heads = append(heads, c.Head)
	}
	list = append(list, strings.Join(heads, " "))
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			if c.Wide {
				c.Text += "?"
			}
			cells = append(cells, c.Text)
		}
		list = append(list, strings.Join(cells, " "))
	}
	return list
}

// aside is a line below a ranking; "" if there is none of its name.
func aside(t *ranking.Table, name string) string {
	for _, a := range t.Below {
		if a.Name == name {
			return strings.Join(a.Items, ", ")
		}
	}
	return ""
}

// ranks are the ranks of the frameworks in these tests, and their versions.
var ranks = map[string]string{
	"grpc": "v1.85.0", "kitex": "v0.16.3", "brpc": "v9", "rank": "brpc=ours kitex/mux/protobuf=beside tcp=reference",
	"client-procs": "1", "server-procs": "2",
}

// TestRankingsHaveWhatIsOnTheWire of the same messages, where it was counted.
func TestRankingsHaveWhatIsOnTheWire(t *testing.T) {
	const grpc, arpc = "framework=grpc/transport=h2/codec=protobuf/msg=", "framework=arpc/transport=net/codec=protobuf/msg="
	call := func(name string) lines.Line {
		return values("Message/"+name+"/conc=100", "calls/s", 1e4, "client-cpu-ns/op", 1e3, "server-cpu-ns/op", 1e3)
	}
	count := func(name string, request, reply float64) lines.Line {
		return values("Count/"+name, "request-wire-B/op", request, "reply-wire-B/op", reply)
	}
	r := report(
		call(grpc+"Order"), call(arpc+"Order"), call(grpc+"Other"),
		count(grpc+"Order", 700, 20), count(grpc+"Third", 1, 1), count("framework=arpc/transport=net/codec=protobuf/size=1KiB", 1, 1),
	)
	require.Len(t, r.Rankings, 2)
	heads := "# framework codec both client server calls/s p50"
	assert.Equal(t, []string{heads + " wire B", "1–2 grpc protobuf 2 1 1 10 k 143 720", "1–2 arpc protobuf 2 1 1 10 k 143 –"}, texts(r.Rankings[0]))
	assert.Equal(t, []string{heads, "1 grpc protobuf 2 1 1 10 k 143"}, texts(r.Rankings[1]), "of another message")
}

// TestRankings: like with like is ranked, and all else stands below with its name.
func TestRankings(t *testing.T) {
	of := func(name string, rate, cpu, busy float64) lines.Line {
		l := values("Echo/"+name+"/size=1KiB/conc=100", "calls/s", rate, "p99-ns", 2.5e6, "client-cpu-ns/op", cpu, "server-cpu-ns/op", 4e3, "conns", 10.,
			"client-busy-%", busy, "server-busy-%", 95., "allocs/op", 11., "server-allocs/op", 12.)
		l.Calls, l.Config = 10_000, ranks
		return l
	}
	message := of("framework=grpc/transport=h2/codec=protobuf", 1, 50e3, 1)
	message.Name = lines.ParseName("BenchmarkMessage/framework=grpc/transport=h2/codec=protobuf/conc=100")
	r := report(
		of("framework=tcp/transport=conn/codec=none", 400000, 2e3, 0), of("framework=grpc/transport=h2/codec=protobuf", 30000, 20e3, 90),
		of("framework=grpc/transport=h2/codec=protobuf", 40000, 22e3, 99), of("framework=grpc/transport=h2/codec=protobuf", 35000, 20e3, 99),
		of("framework=kitex/transport=grpc/codec=protobuf", 60000, 9e3, 20), of("framework=brpc/transport=baidu_std/codec=protobuf", 90000, 7e3, 0),
		of("framework=kitex/transport=mux/codec=protobuf", 70000, 8e3, 0), of("framework=thrift/transport=t/codec=binary", 500, 30e3, 0),
		of("framework=connect/transport=h1/codec=protobuf/profile=nogzip", 90, 40e3, 89), message,
	)
	require.Len(t, r.Rankings, 1)
	c := r.Rankings[0]
	assert.Equal(t, "Echo, 1KiB, 100 callers; client 1, server 2 cores, medians of 3 rounds", c.Title+"; "+c.About)
	assert.Equal(t, []string{
		"# framework codec both range client server calls/s p50 p99 allocs conns",
		"1 kitex grpc protobuf 13 – 9 4 60 k 143 2.5 23 10",
		"2 grpc protobuf 24 24–26 20 4 35 k 143 2.5 23 10",
		"3 connect nogzip protobuf 44 – 40 4 90 143 2.5 23 10",
	}, texts(c), "the least CPU first")
	for name, want := range map[string]string{
		"other serializers": "thrift binary 34", "other set-ups": "kitex mux 12", "ours, unranked": "brpc 11", "floor": "tcp 6",
		"limit of calls/s": "both sides (grpc), the server (kitex grpc, connect nogzip)",
	} {
		assert.Equal(t, want, aside(c, name), name)
	}
	assert.Equal(t, []string{"kitex v0.16.3", "grpc v1.85.0"}, c.Versions)
	assert.Equal(t, []ranking.Aside{{Name: "Message, 100 callers, CPU of both sides", Items: []string{"grpc 54"}}}, r.Briefs, "other benchmarks in a line each")
	_, err := r.Ranking("Echo")
	assert.EqualError(t, err, `no lines of "Echo": there are Echo, 1KiB, 100 callers; Message, 100 callers`)
}

func TestTheRankedCodecIsThatOfMost(t *testing.T) {
	for _, c := range []struct{ about, names, ranked, others string }{
		{"protobuf where as many frameworks send another", "a/codec=thrift a/codec=protobuf", "a protobuf", "a thrift 143 calls/s"},
		{"what more frameworks send", "a/codec=json b/codec=json a/codec=protobuf", "a json b json", "a protobuf 143 calls/s"},
		{"of one framework several variants are no majority", "a/transport=x/codec=json a/transport=y/codec=json b/codec=protobuf", "b protobuf", "a x json 143 calls/s, a y json 143 calls/s"},
		{"all rows where nothing is ranked", "tcp/codec=none", "tcp none", ""},
	} {
		var list []lines.Line
		for name := range strings.FieldsSeq(c.names) {
			l := values("Echo/framework="+name, "calls/s", 143.)
			l.Config = ranks
			list = append(list, l)
		}
		r := report(list...).Rankings[0]
		var got []string
		for _, row := range r.Rows {
			got = append(got, row[0].Text, row[1].Text)
		}
		assert.Equal(t, c.ranked, strings.Join(got, " "), c.about)
		assert.Equal(t, c.others, aside(r, "other serializers"), c.about)
	}
}

// TestTheRankingShowsItsUnits: of the lines no two figures are equal.
func TestTheRankingShowsItsUnits(t *testing.T) {
	c := report(rounds3("Echo/framework=a/transport=mux/codec=pb/conc=10", "Echo/framework=b/transport=h2/codec=pb/conc=10")...).Rankings[0]
	assert.Equal(t, []string{
		"# framework codec both range client server calls/s p50 p99 allocs conns",
		"1 a pb 43.4 43–43.9 13.8 29.6 41.4 k 1.1 5.8 8 7.07",
		"2 b pb 44.7 44.3–45.1 14.2 30.5 42.6 k 1.1 5.9 8 7.28",
	}, texts(c))
}

// TestPlacesAreByTheCPUOfBothSides: by one side alone the order is another.
func TestPlacesAreByTheCPUOfBothSides(t *testing.T) {
	var list []lines.Line
	for _, c := range []struct {
		name           string
		client, server float64
	}{{"a", 1, 90}, {"b", 30, 30}, {"c", 95, 1}, {"d", 50, 46}} {
		l := distinct("Echo/conc=10/framework="+c.name, 1)
		l.Values["client-cpu-ns/op"], l.Values["server-cpu-ns/op"] = c.client, c.server
		list = append(list, l)
	}
	var order []string
	for _, row := range report(list...).Rankings[0].Rows {
		order = append(order, row[1].Text+" "+row[0].Text)
	}
	assert.Equal(t, []string{"b 1", "a 2", "c 3–4", "d 3–4"}, order)
}

// TestFiguresWithWideIntervalsAreMarked, and the number of connections is no measurement.
func TestFiguresWithWideIntervalsAreMarked(t *testing.T) {
	const name = "Echo/framework=a/conc=10"
	var list []lines.Line
	for range 6 {
		list = append(list, distinct(name, 1))
	}
	list[2].Values["conns"] = 100
	list[2].Values["server-cpu-ns/op"] *= 1.19
	list[1].Values["p99-ns"] *= .5
	c := report(list...).Rankings[0]
	assert.Equal(t, "1 a 43 43–48.6 13.7 29.3 41 k 1.1 5.7? 8 7", texts(c)[1], "not where it is just ±9 %")
	assert.Equal(t, "? the 95 % interval is wider than ±10 %.", c.Notes[1])
	c = report(list[:5]...).Rankings[0]
	assert.NotContains(t, texts(c)[1], "?", "five rounds have no interval")
	assert.Len(t, c.Notes, 1)
}

// TestRankingsOfSerializers: encoding and decoding together order the rows, and what leaves
// work to who reads is measured with the reading.
func TestRankingsOfSerializers(t *testing.T) {
	r := report(
		op("lazy/msg=bench/op=marshal_fresh", 100), op("lazy/msg=bench/op=unmarshal", 1), op("lazy/msg=bench/op=touch", 300),
		op("pb/msg=bench/op=marshal_fresh", 100), op("pb/msg=bench/op=marshal_fresh", 120), op("pb/msg=bench/op=unmarshal", 200), op("pb/msg=bench/op=unmarshal", 210),
		op("only/msg=bench/op=unmarshal", 5), op("pb/msg=small/op=marshal_fresh", 1),
	)
	require.Len(t, r.Rankings, 2)
	assert.Equal(t, []string{
		"# serializer encode decode sum ± bytes",
		"1 pb 110 205 315 5 % 581",
		"2 lazy 100 300 400 – 581",
		" only – 5 – – 581",
	}, texts(r.Rankings[0]))
}
