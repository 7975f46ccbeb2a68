package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/page"
	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// mostReadme is more than any README, in bytes.
const mostReadme = 16 << 20

// between finds a table with its two lines, and the panel that it is of.
var between = regexp.MustCompile(`(?s)(<!-- table:begin (.+?) -->\n).*?(<!-- table:end -->)`)

// readmes writes the tables of Markdown files anew, unless one of them is wrong.
func readmes(paths []string, r *figure.Report) error {
	var texts []string
	for _, path := range paths {
		old, err := regular.ReadFile(path, mostReadme)
		if err != nil {
			return fmt.Errorf("-readme: %w", err)
		}
		text, err := withTables(string(old), r)
		if err != nil {
			return fmt.Errorf("-readme: %s: %w", path, err)
		}
		texts = append(texts, text)
	}
	for i, path := range paths {
		if err := whole.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, texts[i]); return err }); err != nil {
			return err
		}
	}
	return nil
}

// withTables returns the text with the tables of a report.
func withTables(text string, r *figure.Report) (string, error) {
	var b strings.Builder
	done, notes := 0, new(page.Notes)
	for _, at := range between.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[done:at[3]])
		if err := writeTable(&b, text[at[4]:at[5]], r, notes); err != nil {
			return "", err
		}
		done = at[6]
	}
	if done == 0 {
		return "", fmt.Errorf("no line <!-- table:begin PANEL -->, followed by <!-- table:end -->")
	}
	return b.String() + text[done:], nil
}

// writeTable writes the table of a title, or that of a panel of calls.
func writeTable(w io.Writer, panel string, r *figure.Report, notes *page.Notes) error {
	for _, t := range r.Besides {
		if t.Title == panel {
			_, err := io.WriteString(w, notes.Table(t))
			return err
		}
	}
	table, err := r.Ranking(panel)
	if err != nil {
		return err
	}
	return page.Ranked(w, r, table)
}
