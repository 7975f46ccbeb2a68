package loadgen

import (
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// String returns a short report, of at most 30 lines and one for each of 50 Parts: the counts,
// the percentiles of Response, Service and Lag that are worth showing (see
// [Histogram.EnoughFor]), the intervals of Confidence, with a question mark where
// there is none, the parts, the kinds of failures and the warnings. The offered
// rate is Due over Elapsed, so it is too low if the last calls took long.
func (r *Result) String() string {
	var s strings.Builder
	r.printCounts(&s)
	r.printLatencies(&s)
	r.printParts(&s)
	printList(&s, "failed calls", r.failures())
	warnings := make([]string, len(r.Warnings))
	for i, w := range r.Warnings {
		warnings[i] = w.Error()
	}
	printList(&s, "warnings", warnings)
	return strings.TrimSuffix(s.String(), "\n")
}

func (r *Result) printCounts(s *strings.Builder) {
	if r.Closed {
		fmt.Fprintf(s, "closed loop, %v: %d calls made, %d ok, %d failed\n", figure.Short(r.Elapsed), r.Sent, r.OK, r.Failed)
		fmt.Fprintf(s, "goodput %s calls/s\n", figure.Rate(r.OK, r.Elapsed))
		return
	}
	fmt.Fprintf(s, "open loop, %v: %d calls due, %d sent, %d ok, %d failed, %d dropped\n",
		figure.Short(r.Elapsed), r.Due, r.Sent, r.OK, r.Failed, r.Dropped)
	fmt.Fprintf(s, "offered %s calls/s, goodput %s calls/s\n", figure.Rate(r.Due, r.Elapsed), figure.Rate(r.OK, r.Elapsed))
}

// column is a histogram of the report.
type column struct {
	name string
	*Histogram
}

// columns are the histograms of the report. A closed loop has one column: service
// equals response there, and there is no lag. Blocked is of messages alone.
func (r *Result) columns() []column {
	all := []column{{"response", &r.Response}, {"service", &r.Service}, {"lag", &r.Lag}}
	if r.Closed {
		return all[:1]
	}
	if r.Blocked.Count() > 0 {
		all = append(all, column{"blocked", &r.Blocked})
	}
	return all
}

// printLatencies prints a row for each percentile and the maximum, beneath the
// names of the columns.
func (r *Result) printLatencies(s *strings.Builder) {
	if r.Response.Count() == 0 {
		return
	}
	columns := r.columns()
	fmt.Fprintf(s, "%-8s", "")
	for _, c := range columns {
		fmt.Fprintf(s, " %9s", c.name)
	}
	s.WriteString("  95 % of response\n")
	for _, q := range reported() {
		if r.Response.EnoughFor(q) {
			printRow(s, figure.Percentile(q), columns, q, r.known(q))
		}
	}
	printRow(s, "max", columns, 1, r.when())
}

// when tells when the longest call ended if p99 does not show it.
func (r *Result) when() string {
	if longest, factor := r.hidden(); longest > 0 && r.MaxAt > 0 {
		return fmt.Sprintf("  %.0f × p99, at %v", factor, figure.Short(r.MaxAt))
	}
	return ""
}

// known is the interval of a percentile of Response, or a question mark if a run may
// have one and this has none. Only a run that was asked for p90 has one of it.
func (r *Result) known(q float64) string {
	for _, c := range r.Confidence {
		if c.Quantile == q {
			return fmt.Sprintf("  %v to %v", figure.Rounded(c.Low), figure.Rounded(c.High))
		}
	}
	if q == .9 {
		return ""
	}
	return "  ?"
}

// printRow prints a quantile of each column, and the interval behind them.
func printRow(s *strings.Builder, name string, columns []column, q float64, interval string) {
	fmt.Fprintf(s, "%-8s", name)
	for _, c := range columns {
		fmt.Fprintf(s, " %9s", quantileText(c.Histogram, q))
	}
	s.WriteString(interval + "\n")
}

// printParts prints a row for each part, with its responses.
func (r *Result) printParts(s *strings.Builder) {
	if len(r.Parts) == 0 {
		return
	}
	fmt.Fprintf(s, "%-*s %9s %9s %9s %9s %9s\n", maxPartName, "response by part", "sent", "failed", "p50", "p99", "max")
	for _, p := range r.Parts[:min(len(r.Parts), maxPartRows)] {
		h := &p.Result.Response
		fmt.Fprintf(s, "%-*s %9d %9d %9s %9s %9s\n", maxPartName, shortName(p.Name), p.Result.Sent, p.Result.Failed, quantileText(h, .5), quantileText(h, .99), quantileText(h, 1))
	}
	if more := len(r.Parts) - maxPartRows; more > 0 {
		fmt.Fprintf(s, "and %d parts more\n", more)
	}
}

const (
	maxPartRows = 50
	maxPartName = 36 // characters
)

// shortName is a name as a column has room for it: the end, where names differ.
func shortName(name string) string {
	shown := []rune(foreign.Line(name))
	if len(shown) <= maxPartName {
		return string(shown)
	}
	return "…" + string(shown[len(shown)-maxPartName+1:])
}

// quantileText is a quantile, or a dash if there are too few values for it. For the maximum one
// value is enough.
func quantileText(h *Histogram, q float64) string {
	if !h.EnoughFor(q) && (q != 1 || h.total == 0) {
		return "-"
	}
	return figure.Short(h.Quantile(q)).String()
}

const (
	maxEntries = 9   // of a list
	maxEntry   = 160 // characters of an entry
)

// printList prints a title and an entry a line, and nothing if there are none.
func printList(s *strings.Builder, title string, entries []string) {
	if len(entries) == 0 {
		return
	}
	fmt.Fprintf(s, "%s:\n", title)
	for _, e := range entries[:min(len(entries), maxEntries)] {
		fmt.Fprintf(s, "  %.*s\n", maxEntry, foreign.Line(strings.Join(strings.Fields(e), " ")))
	}
	if more := len(entries) - maxEntries; more > 0 {
		fmt.Fprintf(s, "  and %d more\n", more)
	}
}

// String returns the number of values and the percentiles that are worth showing
// (see [Histogram.EnoughFor]) in one line.
func (h *Histogram) String() string {
	if h.total == 0 {
		return "no values"
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%d values:", h.total)
	for _, q := range reported() {
		if h.EnoughFor(q) {
			fmt.Fprintf(&s, " %s %v,", figure.Percentile(q), figure.Short(h.Quantile(q)))
		}
	}
	fmt.Fprintf(&s, " max %v", figure.Short(h.Max()))
	return s.String()
}
