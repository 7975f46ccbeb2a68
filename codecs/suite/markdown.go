package suite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
)

// markdown makes a table, the first row its head.
func markdown(rows [][]string) string {
	var b strings.Builder
	for i, r := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(r)))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// whole is a number as one reads it.
func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// measured is s, or "-" for what was not measured.
func measured(s string, so bool) string {
	if so {
		return s
	}
	return "-"
}

// code is the text of others as a cell of a table shows it: nothing in it is Markdown.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(foreign.Line(text)) + "`"
}
