package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a report of which no two words or numbers are equal.
func small() *figure.Report {
	a := chart.Series{Framework: "f1", Label: "l2", Style: 3, Points: []chart.Point{{4, 6, 5, 7}, {8, 9, 9, 9}}}
	b := chart.Series{Framework: "f10", Label: "l11", Points: []chart.Point{{12, 14, 13, 15}}}
	lines := chart.Chart{X: "x16", Scale: "log", Ticks: []chart.Tick{{At: 17, Name: "t18"}}, Rounds: 19, Series: []chart.Series{a}}
	bars := chart.Chart{Bars: true, X: "x20", Scale: "names", Rounds: 21, Series: []chart.Series{b}}
	return &figure.Report{
		Measured: []fact.Fact{{Key: "date", Value: "d22"}, {Key: "commit", Value: "c23"}, {Key: "hypervisor", Value: "none"}, {Key: "goexperiment", Value: "e24"}},
		Settings: []fact.Fact{{Key: "s25", Value: "v26"}}, Versions: []fact.Fact{{Key: "k27", Value: "v28"}},
		Frameworks: []string{"f1", "f10"}, Ranks: []string{"ranked", "ours"}, Serializers: []string{"c85", ""}, Hidden: []string{"f10"},
		Answers: []*ranking.Table{{
			Title: "T86", About: "a87", Notes: []string{"n88", "n89"}, Below: []ranking.Aside{{Name: "b90", Items: []string{"i91", "i92"}}},
			Columns: []ranking.Column{{Head: "framework", Words: true}, {Group: "g93", Head: "h94"}, {Group: "g93", Head: "h95"}},
			Rows:    [][]ranking.Cell{{{Text: "r96"}, {Text: "c97"}, {Text: "c98", Wide: true}}},
		}},
		Sections: []chart.Section{{
			ID: "i29", Title: "T30", Note: "n31", Panels: []chart.Panel{{Name: "p32", Codec: "c33"}, {Name: "p34"}}, First: 1,
			Figures: []chart.Figure{{ID: "i35", Title: "T36", Unit: "ns", Charts: []chart.Chart{lines, bars}}, {ID: "i37", Title: "T38", Unit: "B", Charts: []chart.Chart{bars, lines}}},
		}},
		Tables:  []table.Table{{Title: "T39", Head: []string{"h40", "h41"}, Rows: [][]string{{"r42", "r43"}, {"r44", "r45"}}}},
		Costs:   []table.Cost{{Title: "T71", Note: "n72", Head: []string{"h73", "h74", "h75"}, Rows: []table.CostRow{{Name: "r76", Cells: []table.CostCell{{Text: "c77"}, {Text: "c78", Struck: true}}}}}},
		Besides: []table.Table{{Title: "T63", Head: []string{"h64", "h65"}, Rows: [][]string{{"r66", "r67"}}, Note: "n70", Measured: []fact.Fact{{Key: "date", Value: "d68"}, {Key: "cpu", Value: "c69"}}}, {Title: "T79", Head: []string{"h80"}, Rows: [][]string{{"r81"}}, Note: "n82", Measured: []fact.Fact{{Key: "date", Value: "d83"}, {Key: "cpu", Value: "c84"}}}},
		Absent:  []figure.Absent{{Title: "T51", Why: "w52"}, {Title: "T53", Why: "w54"}},
		Doubts:  figure.Doubts{Rows: 55, Of: 56, Reasons: []figure.Doubt{{Text: "w57", Rows: []string{"r58", "r59"}}}},
		Skipped: []string{"s60"}, Remarks: []string{"m61"}, Samples: []string{"o99"},
	}
}

func htmlOf(t *testing.T, r *figure.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, HTML(&b, "title62", r))
	return b.String()
}

// TestThePageHasEachWordInItsPlace, in the page's HTML.
func TestThePageHasEachWordInItsPlace(t *testing.T) {
	text := htmlOf(t, small())
	for _, want := range []string{
		"<title>title62</title>", "<h1>title62</h1>",
		`<p class="machine"><span>d22</span> <span>commit c23</span> </p>`, `<dt>hypervisor</dt><dd>none</dd></div><div><dt>goexperiment</dt><dd>e24</dd></div></dl>`,
		"<dl><div><dt>k27</dt><dd>v28</dd></div></dl>\n<dl><div><dt>s25</dt><dd>v26</dd></div></dl>",
		`<summary>m61</summary><ul class="notes"><li>m61</li></ul>`,
		`2 of 56 rows: w57</summary><ul class="notes"><li>2 of 56 rows: w57<br><span class="rows">r58; r59</span></li></ul>`,
		`Not shown: 2 parts</summary>`, `<div><dt>T51</dt><dd>w52</dd></div><div><dt>T53</dt><dd>w54</dd></div>`,
		`Not measured: 1 cases</summary><ul class="absent"><li>s60</li></ul>`,
		`Messages of your own</summary><ul class="absent"><li>o99</li></ul>`,
		"<details open><summary>T86 <span>a87</span></summary>",
		`<tr><td></td><th scope="colgroup" colspan="2">g93</th></tr><tr><th scope="col" class="words names">framework</th><th scope="col">h94</th><th scope="col">h95</th></tr>`,
		`<tr><th scope="row" class="names"><div>r96</div></th><td>c97</td><td>c98<b>?</b></td></tr>`, "<p><b>b90</b> i91, i92</p>\n<p>n88 n89 </p>",
		"<section id=\"i29\">\n<h2>T30</h2>\n<p>n31 <",
		`<select data-section="0" aria-label="panel of T30"><option value="0">p32, c33</option><option value="1" selected>p34</option></select>`,
		`<figure><figcaption>T36</figcaption><div class="chart" data-section="0" data-figure="0">`,
		`<figure><figcaption>T38</figcaption><div class="chart" data-section="0" data-figure="1">`,
		`<summary>T39</summary><div class="scroll"><table><thead><tr><th scope="col">h40</th><th scope="col">h41</th></tr></thead><tbody>` +
			`<tr><th scope="row">r42</th><td>r43</td></tr><tr><th scope="row">r44</th><td>r45</td></tr></tbody>`,
		`<summary>T71</summary><div class="scroll"><table><thead><tr><th scope="col">h73</th><th scope="col">h74</th><th scope="col">h75</th></tr></thead><tbody>` +
			`<tr><th scope="row">r76</th><td>c77</td><td><s>c78</s></td></tr></tbody></table></div><p>n72</p>`,
		"<section id=\"besides\"><h2>Costs besides time</h2>\n", `<p>n70 Measured on d68, c69.</p>`,
		`<summary>T63</summary><div class="scroll"><table><thead><tr><th scope="col">h64</th><th scope="col">h65</th></tr></thead><tbody><tr><th scope="row">r66</th><td>r67</td></tr></tbody>`,
		`<summary>T79</summary><div class="scroll"><table><thead><tr><th scope="col">h80</th></tr></thead><tbody><tr><th scope="row">r81</th></tr></tbody></table></div><p>n82 Measured on d83, c84.</p>`,
	} {
		assert.Contains(t, text, want)
	}
}

// TestThePagesScriptReads what the report has, by these names.
func TestThePagesScriptReads(t *testing.T) {
	packed := regexp.MustCompile(`id="data">(.*)</script>`).FindStringSubmatch(htmlOf(t, small()))[1]
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	const line = `{"bars":false,"x":"x16","scale":"log","ticks":[{"at":17,"name":"t18"}],"rounds":19,"series":[{"framework":"f1","label":"l2","style":3,"points":[[4,6,5,7],[8,9]]}]}`
	const bar = `{"bars":true,"x":"x20","scale":"names","ticks":null,"rounds":21,"series":[{"framework":"f10","label":"l11","style":0,"points":[[12,14,13,15]]}]}`
	assert.JSONEq(t, `{"frameworks":["f1","f10"],"ranks":["ranked","ours"],"codecs":["c85",""],"hidden":["f10"],"sections":[{"id":"i29","title":"T30","note":"n31","figures":[`+
		`{"id":"i35","title":"T36","unit":"ns","charts":[`+line+`,`+bar+`]},{"id":"i37","title":"T38","unit":"B","charts":[`+bar+`,`+line+`]}]}]}`, string(data))
}

// drawings is what a chart is drawn by: two series of lines, or of rows.
const drawings = `(bars, unit, hidden, log) => charts.option({bars: bars, x: "x", scale: "log", ticks: [{at: 1, name: "one"}, {at: 10, name: "ten"}], series: [
	{framework: "a", label: "la", style: 0, points: [[1, 2000, 1000, 4000], [10, 7000]]}, {framework: "__proto__", label: "lb", style: 1, points: [[1, 3000, 2500, 3500], [10, 9000]]},
]}, unit, {frameworks: ["a", "__proto__"], ranks: ["ranked", "ranked"], hidden: hidden, log: log, width: 800})`

func TestChartsDrawTheirPoints(t *testing.T) {
	d, err := newDrawer()
	require.NoError(t, err)
	const lines = `JSON.stringify((%o).series.map((s) => [s.name, s.data, s.markLine.data.map((ends) => ends.map((e) => e.coord))]))`
	const rows = `JSON.stringify(((o) => [o.yAxis.data.map((name, i) => o.yAxis.axisLabel.formatter(name, i)), o.series[0].data.map((d) => d.value), o.series[0].markLine.data.map((ends) => ends.map((e) => e.coord))])(%o))`
	for _, c := range []struct{ about, what, option, want string }{
		{"lines, with the range of the rounds", lines, `(false, "ns", {}, true)`, `[["la",[[1,2000],[10,7000]],[[[1,1000],[1,4000]]]],["lb",[[1,3000],[10,9000]],[[[1,2500],[1,3500]]]]]`},
		{"without what is hidden", lines, `(false, "ns", {a: true}, true)`, `[["lb",[[1,3000],[10,9000]],[[[1,2500],[1,3500]]]]]`},
		{"even by a name that all objects have", lines, `(false, "ns", JSON.parse('{"__proto__": true}'), true)`, `[["la",[[1,2000],[10,7000]],[[[1,1000],[1,4000]]]]]`},
		{"bars of a time, the fastest above", rows, `(true, "ns", {}, false)`, `[["{name|la}  {value|2 µs}","{name|lb}  {value|3 µs}"],[2000,3000],[[[1000,0],[4000,0]],[[2500,1],[3500,1]]]]`},
		{"of a rate the most above", rows, `(true, "calls/s", {}, false)`, `[["{name|lb}  {value|3k}","{name|la}  {value|2k}"],[3000,2000],[[[2500,0],[3500,0]],[[1000,1],[4000,1]]]]`},
		{"dots on a log scale", rows, `(true, "ns", {}, true)`, `[["{name|la}  {value|2 µs}","{name|lb}  {value|3 µs}"],[[2000,0],[3000,1]],[[[1000,0],[4000,0]],[[2500,1],[3500,1]]]]`},
	} {
		got, err := d.vm.RunString(strings.ReplaceAll(c.what, "%o", "("+drawings+")"+c.option))
		require.NoError(t, err, c.about)
		assert.Equal(t, c.want, got.Export(), c.about)
	}
}

func TestBarsAreStackedOfTheirPieces(t *testing.T) {
	const chart = `{bars: true, stacked: true, ticks: [{at: 0, name: "read"}, {at: 3, name: "poll"}], series: [
		{framework: "a", label: "a client", style: 0, points: [[0, 2000], [3, 10]]}, {framework: "a", label: "a server", style: 0, points: [[3, 4000]]}, {framework: "b", label: "b server", style: 0, points: [[0, 500]]},
	]}`
	const state = `{frameworks: [], ranks: [], hidden: {}, width: 800}`
	const pieces = `((o) => JSON.stringify([o.yAxis.data, o.series.map((s) => [s.name, s.data, s.stack, charts.themes.light.pieces.indexOf(s.itemStyle.color), s.data.map((v) => s.label.formatter({value: v}))])]))`
	got := inCharts(t, pieces+`(charts.option(`+chart+`, "ns", `+state+`))`)
	assert.Equal(t, `[["a client","a server","","b server"],[["read",[2000,null,null,500],"all",0,["read","","","read"]],["poll",[10,4000,null,null],"all",3,["","poll","",""]]]]`, got,
		"with a name where it has room, and a row between variants")
	assert.EqualValues(t, 4*24+16+22+40, inCharts(t, `charts.height(`+chart+`, `+state+`)`))
}

// TestTablesExplainTheirCharts, and cells that rest on little are grey, or in brackets.
func TestTablesExplainTheirCharts(t *testing.T) {
	r := small()
	r.Besides[0].Section, r.Besides[0].Faint = "i29", [][]bool{{false, true}}
	text := htmlOf(t, r)
	section, besides, _ := strings.Cut(text, `<section id="besides">`)
	assert.Contains(t, section, `<tr><th scope="row">r66</th><td class="faint">r67</td></tr></tbody></table></div><p>n70 Measured on d68, c69.</p>`)
	assert.NotContains(t, besides, "T63")
	assert.Contains(t, besides, "T79")
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, "title", r))
	assert.Contains(t, b.String(), "| r66 | (r67) |")
}

// TestNamesThatAllObjectsHave, and NaN and infinities, stand in a report as others.
func TestNamesThatAllObjectsHave(t *testing.T) {
	text := "Benchmark__proto__/framework=__proto__/workload=__proto__ 1 7 calls/s\nBenchmark__proto__/framework=__proto__/workload=x 1 8 calls/s\n"
	for _, name := range []string{"__proto__", "constructor"} {
		for _, conc := range []string{"1", "NaN", "Inf", "1e999"} {
			text += "BenchmarkEcho/framework=" + name + "/codec=" + name + "/size=" + conc + "KiB/conc=" + conc + " 1 5 ns/op 7 calls/s\n"
			text += "BenchmarkRate/framework=" + name + "/rate=" + conc + " 1 5 ns/op 7 calls/s\n"
			text += "BenchmarkLoad/framework=" + name + "/load=" + conc + "% 1 5 ns/op 7 calls/s\n"
			text += "BenchmarkCodec/codec=" + name + "/op=" + name + " 1 " + "5 ns/op\n"
		}
	}
	read, err := lines.Parse("out.txt", []byte(text))
	require.NoError(t, err)
	r := figure.New(read, nil)
	htmlOf(t, r)
	dir := t.TempDir()
	require.NoError(t, SVG(dir, r))
	for _, file := range []string{"rate-achieved-rate-1-calls-s-offered.svg", "codec-proto-codec.svg", "workload-proto.svg"} {
		picture, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		assert.Contains(t, string(picture), ">__proto__\u200b</text>")
		assert.NotContains(t, string(picture), "[object Object]", "nothing has changed what all objects have")
	}
}

// TestFileNames: no two panels have one, and README links to those that have been.
func TestFileNames(t *testing.T) {
	taken := fileNames{}
	for _, c := range []struct{ id, panel, want string }{
		{"latency-p99.9", "Echo, 1KiB, 100 callers", "latency-p99.9-echo-1kib-100-callers"},
		{`codec-..\..\x`, "Codec", "codec-..-..-x-codec"},
		{"i", "Ä/../$(x)`", "i-..-x"},
		{"size", "a b", "size-a-b"},
		{"size", "A-B", "size-a-b-2"},
		{"size", "接続", "size"},
		{"size", "許", "size-2"},
		{"size", "a b 2", "size-a-b-2-2"},
		{"size", "2-dark", "size-2-dark-2"},
		{"nul", "", "_nul"},
	} {
		assert.Equal(t, c.want, taken.next(c.id, c.panel))
	}
	long := strings.Repeat("x", 1000)
	one, two := taken.next("size", long+"1"), taken.next("size", long+"2")
	assert.NotEqual(t, one, two)
	assert.LessOrEqual(t, len(one+"-dark.svg"), 255)
	assert.True(t, strings.HasPrefix(one, "size-xxx"))
}
