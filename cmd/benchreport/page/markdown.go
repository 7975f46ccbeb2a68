package page

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/markdown"
)

// Markdown writes the report's tables, with the machine, versions and doubts
// above.
func Markdown(w io.Writer, title string, r *figure.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", markdown.Text(title))
	above := []ranking.Aside{{Name: "measured", Items: facts(r.Measured)}, {Name: "versions", Items: facts(r.Versions)}}
	for _, text := range joined(r.Skipped) {
		above = append(above, ranking.Aside{Name: "skipped", Items: []string{text}})
	}
	named(&b, above)
	remarks(&b, slices.Concat(r.Remarks, r.Samples))
	doubts(&b, r.Doubts)
	if len(r.Rankings) > 1 || len(r.Besides) > 1 {
		b.WriteString("\nA table without a note has the note of the table before.\n")
	}
	var ranked, notes Notes
	for _, t := range r.Rankings {
		rankingTable(&b, t, &ranked)
	}
	tables(&b, r.Tables, &notes)
	for _, c := range r.Costs {
		cost(&b, c)
	}
	tables(&b, r.Besides, &notes)
	_, err := io.WriteString(w, b.String())
	return err
}

func tables(b *strings.Builder, list []table.Table, notes *Notes) {
	for _, t := range list {
		fmt.Fprintf(b, "\n## %s\n\n", markdown.Text(t.Title))
		b.WriteString(notes.Table(t))
	}
}

// Notes writes the notes of a document's tables. It leaves out what the note of the table
// before says as well, so that nobody reads it twice.
type Notes struct{ last []string }

// Table returns a table with its note.
func (n *Notes) Table(t table.Table) string {
	var b strings.Builder
	grid(&b, t.Head, t.Plain())
	if len(t.Measured) == 0 {
		return b.String()
	}
	note := markdown.Text(t.Note) + " Measured on " + markdown.Text(measured(t.Measured)) + "."
	if text := n.unsaid(strings.Split(note, ". ")); text != "" {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	return b.String()
}

// unsaid joins the sentences that the last note does not have.
func (n *Notes) unsaid(sentences []string) string {
	for i := range sentences {
		sentences[i] = strings.TrimSuffix(sentences[i], ".") + "."
	}
	last := n.last
	n.last = sentences
	return strings.Join(slices.DeleteFunc(slices.Clone(sentences), func(s string) bool { return slices.Contains(last, s) }), " ")
}

// rankingTable has what is not ranked in a table below it.
func rankingTable(b *strings.Builder, t *ranking.Table, notes *Notes) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", markdown.Text(t.Title), markdown.Text(t.About))
	var heads []string
	words := 0
	for _, c := range t.Columns {
		heads = append(heads, strings.TrimPrefix(c.Group+", "+c.Head, ", "))
		if c.Words {
			words++
		}
	}
	head(b, heads, words)
	for _, cells := range t.Rows {
		var texts []string
		for _, c := range cells {
			texts = append(texts, c.Text+map[bool]string{true: "?"}[c.Wide])
		}
		row(b, texts)
	}
	named(b, t.Below)
	if text := notes.unsaid(slices.Clone(t.Notes)); text != "" {
		fmt.Fprintf(b, "\n%s\n", markdown.Text(text))
	}
}

// named is a table of what has a name, without a head.
func named(b *strings.Builder, list []ranking.Aside) {
	list = slices.DeleteFunc(slices.Clone(list), func(a ranking.Aside) bool { return len(a.Items) == 0 })
	if len(list) == 0 {
		return
	}
	b.WriteString("\n")
	head(b, []string{"", ""}, 2)
	for _, a := range list {
		row(b, []string{a.Name, strings.Join(a.Items, ", ")})
	}
}

// cost has what is struck out in the form of GitHub.
func cost(b *strings.Builder, c table.Cost) {
	fmt.Fprintf(b, "\n## CPU at an equal rate: %s\n\n%s\n\n", markdown.Text(c.Title), markdown.Text(c.Note))
	head(b, c.Head, 1)
	for _, r := range c.Rows {
		fmt.Fprintf(b, "| %s ", markdown.Text(r.Name))
		for _, cell := range r.Cells {
			text := markdown.Text(cell.Text)
			if cell.Struck {
				text = "~~" + text + "~~"
			}
			fmt.Fprintf(b, "| %s ", text)
		}
		b.WriteString("|\n")
	}
}

// doubts has no rows' names: the HTML has them.
func doubts(b *strings.Builder, d figure.Doubts) {
	var list []string
	for _, r := range d.Reasons {
		list = append(list, r.Among(d.Of))
	}
	remarks(b, list)
}

// grid writes words in the first column and numbers in the others.
func grid(b *strings.Builder, columns []string, rows [][]string) {
	head(b, columns, 1)
	for _, cells := range rows {
		row(b, cells)
	}
}

// head aligns the first columns as words, and the others as numbers.
func head(b *strings.Builder, columns []string, words int) {
	row(b, columns)
	fmt.Fprintf(b, "%s%s|\n", strings.Repeat("|:--", words), strings.Repeat("|--:", len(columns)-words))
}

func row(b *strings.Builder, cells []string) {
	for _, c := range cells {
		b.WriteString("| ")
		if c != "" {
			b.WriteString(markdown.Text(c) + " ")
		}
	}
	b.WriteString("|\n")
}

func remarks(b *strings.Builder, list []string) {
	for _, text := range list {
		fmt.Fprintf(b, "\n- %s", markdown.Text(text))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
}

// lacking is a remark on a framework, by its end.
var lacking = regexp.MustCompile(`^(.*: (?:lacked by|no variant of these sends it:) )(.*)$`)

// joined puts all frameworks that lack the same into one remark.
func joined(list []string) (remarks []string) {
	at := map[string]int{}
	for _, text := range list {
		m := lacking.FindStringSubmatch(text)
		if m == nil {
			remarks = append(remarks, text)
		} else if i, known := at[m[1]]; known {
			remarks[i] += ", " + m[2]
		} else {
			at[m[1]], remarks = len(remarks), append(remarks, text)
		}
	}
	return remarks
}

func facts(list []fact.Fact) []string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = f.Key + " " + f.Value
	}
	return words
}

// measured is where and when, in values that need no names.
func measured(list []fact.Fact) string {
	var words []string
	for _, key := range []string{"cpu", "goos", "go", "date", "commit"} {
		for _, f := range list {
			switch {
			case f.Key != key:
			case key == "commit":
				words = append(words, "commit "+f.Value)
			default:
				words = append(words, f.Value)
			}
		}
	}
	return strings.Join(words, ", ")
}
