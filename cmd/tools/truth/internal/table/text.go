// Package table prints records as plain text: what each tool said beside what was true, and
// a verdict on each.
package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// Text returns all tables of records: the verdicts, the figures of each server, and what the
// options of the modes are. The records must be of one seed.
func Text(all []record.Record) string {
	var text strings.Builder
	list := groups(all)
	for _, p := range []tool.Protocol{tool.HTTP, tool.GRPC} {
		text.WriteString(verdicts(list, p))
	}
	for _, g := range list {
		text.WriteString(g.text())
	}
	text.WriteString(notes(all))
	return text.String()
}

// protocol is a protocol as readers know it.
func protocol(p tool.Protocol) string {
	if p == tool.GRPC {
		return "gRPC"
	}
	return "HTTP/1.1"
}

// text returns the table of a server.
func (g group) text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s, %d calls/s for %v\n", g.kind, protocol(g.protocol), g.rate, g.rows[0].Length)
	fmt.Fprintf(&text, "%-22s%7s%7s%7s%7s%7s%7s%6s%9s %12s%7s\n", "", "p50", "p95", "p99", "max", "asked", "made", "lost", "errors", "late p50/99", "CPU")
	for i, r := range g.rows {
		if r.runs == 0 {
			continue
		}
		if g.firstOf(i) {
			text.WriteString(r.truth())
		}
		text.WriteString(r.text())
	}
	for _, r := range g.rows {
		for _, e := range r.errors {
			fmt.Fprintf(&text, "%s: %s\n", r.name(), e)
		}
	}
	return text.String() + "\n"
}

// firstOf reports whether the row is the first one with a truth of its arrivals.
func (g group) firstOf(i int) bool {
	same := func(r row) bool { return r.timed() && r.Random == g.rows[i].Random }
	return slices.IndexFunc(g.rows, same) == i
}

// timed reports whether the arithmetic says what the row's times should be.
func (r row) timed() bool { return r.runs > 0 && r.Truth != planted.Percentiles{} }

// truth is the row of the truth, which this row is compared with.
func (r row) truth() string {
	name := "truth"
	if r.Random {
		name = "truth, " + r.Mode
	}
	return fmt.Sprintf("%-22s%7s%7s%7s%7s%7d\n", name, ms(r.Truth.P50), ms(r.Truth.P95), ms(r.Truth.P99), ms(r.Truth.Max), r.Asked)
}

func (r row) text() string {
	asked, lost, late := fmt.Sprint(r.Asked), fmt.Sprint(r.lost), ms(r.Lateness.P50)+" "+ms(r.Lateness.P99)
	if r.Closed {
		asked, lost, late = "-", "-", closedLoop
	}
	return fmt.Sprintf("%-22s%7s%7s%7s%7s%7s%7d%6s%9s %12s%7d\n", r.name(),
		ms(r.Said.P50), ms(r.Said.P95), ms(r.Said.P99), ms(r.Said.Max),
		asked, r.Made, lost, r.failed(), late, r.perCall().Microseconds())
}

// failed is how many calls failed for the tool and for the server.
func (r row) failed() string {
	if r.Failed == 0 && r.Said.Failed <= 0 {
		return "0"
	}
	said := "-"
	if r.Said.Failed >= 0 {
		said = fmt.Sprint(r.Said.Failed)
	}
	return fmt.Sprintf("%s/%d", said, r.Failed)
}

// ms is a time in milliseconds, with three figures or more; - stands for none.
func ms(d time.Duration) string {
	v := d.Seconds() * 1e3
	switch {
	case d == 0:
		return "-"
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 1000:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// verdicts is the table of what is wrong with each mode over a protocol.
func verdicts(list []group, p tool.Protocol) string {
	var columns []planted.Kind
	by := map[string]map[planted.Kind]string{}
	var names []string
	for _, g := range list {
		if g.protocol != p || !g.kind.Timed() {
			continue
		}
		columns = append(columns, g.kind)
		for _, r := range g.rows {
			if by[r.name()] == nil {
				by[r.name()] = map[planted.Kind]string{}
				names = append(names, r.name())
			}
			by[r.name()][g.kind] = r.verdict()
		}
	}
	if len(names) == 0 {
		return ""
	}
	return grid("Who tells the truth over "+protocol(p), names, columns, by)
}

func grid(title string, names []string, columns []planted.Kind, by map[string]map[planted.Kind]string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%-22s", title, "")
	line := func(of func(planted.Kind) string) {
		for i, c := range columns {
			cell := fmt.Sprintf(" %-*s", verdictWidth, of(c))
			if i == len(columns)-1 {
				cell = strings.TrimRight(cell, " ") + "\n"
			}
			text.WriteString(cell)
		}
	}
	line(func(k planted.Kind) string { return string(k) })
	for _, n := range names {
		fmt.Fprintf(&text, "%-22s", n)
		line(func(k planted.Kind) string { return cmp.Or(by[n][k], "-") })
	}
	return text.String() + "\n"
}

const verdictWidth = 12
