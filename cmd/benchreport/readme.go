package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/page"
	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
)

// between finds a table with its two lines, and the panel that it is of.
var between = regexp.MustCompile(`(?s)(<!-- table:begin (.+?) -->\n).*?(<!-- table:end -->)`)

// readme writes the tables of a Markdown file anew.
func readme(path string, r *figure.Report) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("-readme: %w", err)
	}
	text, err := withTables(string(old), r)
	if err != nil {
		return fmt.Errorf("-readme: %s: %w", path, err)
	}
	return whole.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// withTables returns the text with the tables of a report.
func withTables(text string, r *figure.Report) (string, error) {
	var b strings.Builder
	done := 0
	for _, at := range between.FindAllStringSubmatchIndex(text, -1) {
		table, err := r.Compact(text[at[4]:at[5]])
		if err != nil {
			return "", err
		}
		b.WriteString(text[done:at[3]])
		if err := page.Compact(&b, r, table); err != nil {
			return "", err
		}
		done = at[6]
	}
	if done == 0 {
		return "", fmt.Errorf("no line <!-- table:begin PANEL -->, followed by <!-- table:end -->")
	}
	return b.String() + text[done:], nil
}
