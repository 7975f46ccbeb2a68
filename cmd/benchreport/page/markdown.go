package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
)

// Markdown writes the report's tables, with the machine and versions above.
func Markdown(w io.Writer, title string, r *figure.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", escape(title), facts(r.Machine), facts(r.Versions))
	remarks(&b, r.Remarks)
	for _, t := range append(r.Tables[:len(r.Tables):len(r.Tables)], r.Codecs...) {
		fmt.Fprintf(&b, "\n## %s\n\n", escape(t.Title))
		row(&b, t.Head)
		fmt.Fprintf(&b, "|:--%s|\n", strings.Repeat("|--:", len(t.Head)-1))
		for _, cells := range t.Rows {
			row(&b, cells)
		}
		remarks(&b, t.Notes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func row(b *strings.Builder, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", escape(c))
	}
	b.WriteString("|\n")
}

func remarks(b *strings.Builder, list []string) {
	for _, text := range list {
		fmt.Fprintf(b, "\n- %s", escape(text))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
}

func facts(list []figure.Fact) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = escape(f.Key + " " + f.Value)
	}
	return strings.Join(words, ", ")
}

// special are the characters that Markdown would take for more than text.
var special = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "\n", " ")

func escape(text string) string { return special.Replace(text) }
