package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rankings is a report with a ranking of two rows, and all that stands around it.
func rankings() *figure.Report {
	t := &ranking.Table{
		Title: "Echo", About: "6 rounds",
		Columns:  []ranking.Column{{Head: "#", Words: true, Spare: 3}, {Head: "name", Words: true}, {Group: "group", Head: "a", Spare: 1}, {Group: "group", Head: "b", Spare: 2}, {Head: "c"}},
		Rows:     [][]ranking.Cell{{{Text: "1–2"}, {Text: "arpc"}, {Text: "5", Wide: true}, {Text: "6"}, {Text: "70 k"}}, {{Text: "2"}, {Text: "x"}, {Text: "15"}, {Text: "–"}, {Text: "8", Wide: true}}},
		Below:    []ranking.Aside{{Name: "others", Items: []string{"kitex thrift 16.2", "netrpc gob 11.4"}}},
		Versions: []string{"x v2", "arpc v1"}, Notes: []string{"Note."},
	}
	return &figure.Report{
		Rankings: []*ranking.Table{t, {Title: "Empty", About: "1 round", Notes: []string{"Note."}}},
		Briefs:   []ranking.Aside{{Name: "Message", Items: []string{"arpc 3"}}},
		Measured: []fact.Fact{{Key: "cpu", Value: "p_3"}, {Key: "goos", Value: "o4"}},
		Doubts:   figure.Doubts{Rows: 1, Of: 9, Reasons: []figure.Doubt{{Text: "others took 30 % of the CPUs", Rows: []string{"Echo"}}}},
		Remarks:  []string{"two machines"},
		Samples:  []string{"json refuses Order: NaN"},
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		about string
		width int
		want  string
	}{
		{"all of it", 80, `Echo; 6 rounds
           group
#    name   a  b     c
1–2  arpc   5? 6  70 k
2    x     15  –     8?
others: kitex thrift 16.2, netrpc gob 11.4

Empty; 1 round

json refuses Order: NaN
Message: arpc 3
Note.
versions: arpc v1, x v2
measured on p_3, o4
warning: others took 30 % of the CPUs (1 of 9 rows)
note: two machines
`},
		{"what there is no room for is left out", 20, `Echo; 6 rounds
      group
name   a  b     c
arpc   5? 6  70 k
`},
		{"the least that a row can have, and items that go on in further lines", 12, `Echo; 6 rounds
name     c
arpc  70 k
x        8?
others: kitex thrift 16.2,
    netrpc gob 11.4
`},
	} {
		var b bytes.Buffer
		require.NoError(t, Text(&b, rankings(), c.width))
		assert.Equal(t, c.want, b.String()[:min(len(c.want), b.Len())], c.about)
	}
}

func TestARankingInAReadme(t *testing.T) {
	var b bytes.Buffer
	r := rankings()
	require.NoError(t, Ranked(&b, r, r.Rankings[0]))
	assert.True(t, strings.HasPrefix(b.String(), "```text\nEcho; 6 rounds\n"), b.String())
	assert.True(t, strings.HasSuffix(b.String(), "\nNote.\nversions: arpc v1, x v2\nmeasured on p_3, o4\n```\n"), b.String())
}

// TestLongNames leave room for the figures: of a name that others gave the begin and the end
// are shown.
func TestLongNames(t *testing.T) {
	r := &figure.Report{Rankings: []*ranking.Table{{
		Title: "Runs", About: "1", Columns: []ranking.Column{{Head: "run", Words: true}, {Head: "p50"}},
		Rows: [][]ranking.Cell{{{Text: "POST /a/path/that/is/long of Shop"}, {Text: "5"}}, {{Text: "日本日本日本日本日本日本 of Shop"}, {Text: "6"}}, {{Text: "x\ny"}, {Text: "7"}}},
	}}}
	var b bytes.Buffer
	require.NoError(t, Text(&b, r, 30))
	assert.Equal(t, "Runs; 1\nrun              p50\nPOST /a/p… Shop    5\n日本日本日本日本日… Shop    6\nx\\ny               7\n\n", b.String())
}
