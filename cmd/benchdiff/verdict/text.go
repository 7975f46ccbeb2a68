package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/markdown"
)

// Text is the sentence, the table of all rows and how to read it. The programs are called
// by their names.
func (r *Report) Text(base, head string) string {
	var b strings.Builder
	b.WriteString(r.heading(base, head) + "\n")
	writeTable(&b, cellsOf(r.whole()))
	b.WriteString("\n" + r.legend())
	return b.String()
}

// Markdown is for a pull request: the sentence, a table of what changed, and folded the
// text with all rows. The text is indented, so that no name in it can end it.
func (r *Report) Markdown(base, head string) string {
	var b strings.Builder
	sentence, about, _ := strings.Cut(r.heading(base, head), "\n")
	fmt.Fprintf(&b, "**%s**\n\n%s\n\n", markdown.Text(sentence), markdown.Text(strings.TrimSpace(about)))
	parts, left := r.changes(mostLines)
	if len(parts) > 0 {
		b.WriteString("| benchmark | figure | base | change | interval | A/A | verdict |\n|:--|:--|--:|--:|--:|--:|:--|\n")
	}
	for _, p := range parts {
		for _, row := range p.rows {
			writeRow(&b, p.name, row)
		}
	}
	fmt.Fprintf(&b, "\n%s%s\n<details><summary>All rows, and how to read them</summary>\n\n", more(left), r.noise())
	for line := range strings.Lines(r.Text(base, head)) {
		b.WriteString("    " + line)
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// writeRow writes a row without what would have been found, which is folded.
func writeRow(b *strings.Builder, name string, cells []string) {
	unit, verdict, figures := strings.TrimSpace(cells[0]), cells[len(cells)-1], make([]string, 4)
	copy(figures, cells[1:len(cells)-1])
	for _, cell := range slices.Concat([]string{name, unit}, figures, []string{verdict}) {
		b.WriteString("| " + markdown.Text(cell) + " ")
	}
	b.WriteString("|\n")
}
