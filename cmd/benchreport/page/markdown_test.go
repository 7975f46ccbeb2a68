package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// all is a report that has each text that others write.
func all(text string) *figure.Report {
	return &figure.Report{
		Measured: []fact.Fact{{Key: text, Value: text}, {Key: "cpu", Value: text}, {Key: "goos", Value: text}, {Key: "go", Value: text}, {Key: "date", Value: text}, {Key: "commit", Value: text}},
		Versions: []fact.Fact{{Key: text, Value: text}},
		Rankings: []*ranking.Table{{
			Title: text, About: text, Notes: []string{text}, Below: []ranking.Aside{{Name: text, Items: []string{text}}},
			Columns: []ranking.Column{{Head: text}}, Rows: [][]ranking.Cell{{{Text: text}}},
		}},
		Tables:  []table.Table{{Title: text, Head: []string{text, text}, Rows: [][]string{{text, text}}}},
		Costs:   []table.Cost{{Title: text, Note: text, Head: []string{text, text}, Rows: []table.CostRow{{Name: text, Cells: []table.CostCell{{Text: text, Struck: true}}}}}},
		Besides: []table.Table{{Title: text, Head: []string{text, text}, Rows: [][]string{{text, text}}, Note: text, Measured: []fact.Fact{{Key: "cpu", Value: text}}}, {Title: text, Head: []string{text, text}, Rows: [][]string{{text, text}}, Note: text, Measured: []fact.Fact{{Key: "cpu", Value: text}}}},
		Doubts:  figure.Doubts{Rows: 1, Of: 1, Reasons: []figure.Doubt{{Text: text, Rows: []string{text}}}},
		Skipped: []string{text}, Remarks: []string{text}, Samples: []string{text},
	}
}

func TestAllOfMarkdownIsEscaped(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, "@x", all("@x")))
	assert.NotContains(t, b.String(), "@x")
	assert.Equal(t, 44, strings.Count(b.String(), "@<!-- -->x"))
}

// TestMarkdown is the whole of it; of the report no two words are equal.
func TestMarkdown(t *testing.T) {
	r := &figure.Report{
		Measured: []fact.Fact{{Key: "date", Value: "d1"}, {Key: "commit", Value: "c2"}},
		Versions: []fact.Fact{{Key: "grpc", Value: "v3"}},
		Rankings: []*ranking.Table{{
			Title: "R42", About: "a43", Notes: []string{"n52.", "n53."}, Below: []ranking.Aside{{Name: "b49", Items: []string{"i50", "i51"}}},
			Columns: []ranking.Column{{Head: "h44", Words: true}, {Group: "g45", Head: "h46"}}, Rows: [][]ranking.Cell{{{Text: "r47"}, {Text: "c48", Wide: true}}},
		}},
		Settings: []fact.Fact{{Key: "pin", Value: "none"}},
		Tables:   []table.Table{{Title: "T4", Head: []string{"h5", "h6"}, Rows: [][]string{{"r7", "r8"}, {"r9", ""}}}},
		Costs: []table.Cost{{Title: "K33", Note: "n34", Head: []string{"h35", "h36", "h37"}, Rows: []table.CostRow{
			{Name: "r38", Cells: []table.CostCell{{Text: "c39"}, {Text: "c40", Struck: true}}},
		}}},
		Besides: []table.Table{{Title: "F26", Head: []string{"h27", "h28"}, Rows: [][]string{{"r29", "r30"}}, Note: "n41", Measured: []fact.Fact{{Key: "commit", Value: "c31"}, {Key: "cpu", Value: "p32"}}}},
		Doubts: figure.Doubts{Rows: 15, Of: 16, Reasons: []figure.Doubt{
			{Text: "why17", Rows: []string{"row18", "row19"}}, {Text: "why20", Rows: []string{"row21"}},
		}},
		Skipped: []string{"s22"}, Remarks: []string{"m23", "m24"}, Samples: []string{"o54"},
	}
	var b bytes.Buffer
	require.NoError(t, Markdown(&b, "title25", r))
	assert.Equal(t, `# title25

| | |
|:--|:--|
| measured | date d1, commit c2 |
| versions | grpc v3 |
| skipped | s22 |

- m23
- m24
- o54

- 2 of 16 rows: why17
- 1 of 16 rows: why20

## R42

a43

| h44 | g45, h46 |
|:--|--:|
| r47 | c48? |

| | |
|:--|:--|
| b49 | i50, i51 |

n52. n53.

## T4

| h5 | h6 |
|:--|--:|
| r7 | r8 |
| r9 | |

## CPU at an equal rate: K33

n34

| h35 | h36 | h37 |
|:--|--:|--:|
| r38 | c39 | ~~c40~~ |

## F26

| h27 | h28 |
|:--|--:|
| r29 | r30 |

n41 Measured on p32, commit c31.
`, b.String())
}

// TestNotesSayNothingTwice in a row.
func TestNotesSayNothingTwice(t *testing.T) {
	var notes Notes
	for _, c := range []struct{ about, note, cpu, want string }{
		{"the first says all", "How. Why.", "x", "How. Why. Measured on x."},
		{"an equal one says nothing", "How. Why.", "x", ""},
		{"another says what differs", "How. Where.", "x", "Where."},
		{"compared with the last note alone", "How. Why.", "x", "Why."},
		{"another machine", "How. Why.", "y", "Measured on y."},
	} {
		got := notes.Table(table.Table{Head: []string{"h"}, Note: c.note, Measured: []fact.Fact{{Key: "cpu", Value: c.cpu}}})
		assert.Equal(t, c.want, strings.TrimSpace(strings.TrimPrefix(got, "| h |\n|:--|\n")), c.about)
	}
}

// TestJoinedRemarks have all frameworks that lack the same in one line.
func TestJoinedRemarks(t *testing.T) {
	assert.Equal(t, []string{"x: lacked by a, b", "z", "y: lacked by a"}, joined([]string{"x: lacked by a", "z", "y: lacked by a", "x: lacked by b"}))
	assert.Equal(t, []string{"x: no variant of these sends it: a, b"}, joined([]string{"x: no variant of these sends it: a", "x: no variant of these sends it: b"}))
}
