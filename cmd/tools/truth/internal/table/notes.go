package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
)

// width is how long a line may be.
const width = 98

// explained says what the columns are.
const explained = `Times are in ms, medians of the runs. The truth has what a call takes beside what is
planted. Late is how much later than asked calls arrived at the server, by its clock, where the earliest
is 0: a tool that begins with a burst is late from then on. Lost calls were asked for, and the tool
neither made them nor said so. Errors are those that the tool counts, of those that there were. CPU is
the tool's, its start included, in µs a call. "right" is p50 to max within 10 % of the truth, or within
1 ms more than the server was late (where failures are planted, p50 alone); calls lost at most 0.5 %;
errors counted within 5 %, or 0.2 % of the calls. "unread" says that the tool looks at the status and not
at what comes with it; a + says that more is wrong than the word before it.`

// notes says what the columns are, how each mode was used, and where and when.
func notes(all []record.Record) string {
	var lines []string
	for _, r := range all {
		name := strings.Join(strings.Fields(r.Tool+" "+r.Version+" "+r.Mode), " ")
		lines = append(lines, foreign.Line(fmt.Sprintf("%s over %s: %s", name, protocol(r.Protocol), r.Options)))
	}
	slices.Sort(lines)
	var text strings.Builder
	text.WriteString(wrap(strings.ReplaceAll(explained, "\n", " "), ""))
	text.WriteString("\n")
	for _, l := range slices.Compact(lines) {
		text.WriteString(wrap(l, "    "))
	}
	text.WriteString("\n" + wrap(where(all), ""))
	return text.String()
}

// where is on which machines, when and how often the records were made.
func where(all []record.Record) string {
	first, last, runs := all[0].Date, all[0].Date, 0
	var machines []string
	for _, r := range all {
		if r.Date.Before(first) {
			first = r.Date
		}
		if r.Date.After(last) {
			last = r.Date
		}
		runs = max(runs, r.Run)
		machines = append(machines, foreign.Line(r.Machine))
	}
	slices.Sort(machines)
	dates := first.Format("2006-01-02")
	if until := last.Format("2006-01-02"); until != dates {
		dates += " to " + until
	}
	return fmt.Sprintf("%s, seed %d, runs of each cell: %d. %s", dates, all[0].Seed, runs, strings.Join(slices.Compact(machines), "; "))
}

// wrap breaks a text into lines between words; all but the first are indented.
func wrap(text, indent string) string {
	return strings.Join(commandline.Wrapped(text, width-len(indent)), "\n"+indent) + "\n"
}
