package verdict

import (
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Text is the sentence, the table and how to read it. The programs are called
// by their names.
func (r *Report) Text(base, head string) string {
	short, common := r.names()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s against %s, %s%s\n\n", r.Sentence(), foreign.Line(head), foreign.Line(base), r.turns(), common)
	cells := [][]string{{"", "base", "change", "interval", "A/A", "finds", "verdict"}}
	for i, benchmark := range r.Benchmarks {
		cells = append(cells, []string{short[i]})
		cells = append(cells, benchmark.cells()...)
	}
	writeTable(&b, cells)
	b.WriteString("\n" + r.legend())
	return b.String()
}
