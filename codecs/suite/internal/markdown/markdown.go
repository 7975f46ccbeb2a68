// Package markdown writes tables in Markdown.
package markdown

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
)

// Table makes a table without its last line break. The first row is its head.
func Table(rows [][]string) string {
	var b strings.Builder
	for i, r := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(r)))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Whole is a number without decimals.
func Whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// OrDash is a cell, or "-" for what was not measured.
func OrDash(cell string, measured bool) string {
	if measured {
		return cell
	}
	return "-"
}

// Code is a cell with the text of others: nothing in it is Markdown.
func Code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(foreign.Line(text)) + "`"
}
