package record

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
)

// columns are the header of WriteCSV.
const columns = "part,interval,start_s,length_s,due,sent,ok,failed,dropped,goodput_per_s,error_ratio,p50_ms,p90_ms,p95_ms,p99_ms,p99.9_ms,max_ms"

// WriteCSV writes a header, and for the whole run and then for each part of a Mix a row of the
// run and one of each interval. The column part is empty for the whole, and interval is empty
// for the run; intervals count from 0, and have the calls that ended in them. Percentiles are of
// responses. A cell is empty if its value is not known: an interval has no due and dropped calls,
// no p95 and no p99.9, and a run no percentile that too few calls stand behind. A part whose name a
// spreadsheet takes for a formula has an apostrophe before it. The error is that of w.
func WriteCSV(w io.Writer, r *loadgen.Result) error {
	out := csv.NewWriter(w)
	out.Write(strings.Split(columns, ",")) // an error is kept until Flush
	writeRows(out, "", r)
	for _, p := range r.Parts {
		writeRows(out, noFormula(p.Name), p.Result)
	}
	out.Flush()
	return out.Error()
}

// noFormula returns a name that no spreadsheet computes.
func noFormula(name string) string {
	if strings.IndexAny(name, "=+-@\t\r\n") == 0 {
		return "'" + name
	}
	return name
}

func writeRows(out *csv.Writer, part string, r *loadgen.Result) {
	run := append([]string{part, "", "0", seconds(r.Elapsed), count(r.Due), count(r.Sent), count(r.OK), count(r.Failed), count(r.Dropped)},
		rates(r.OK, r.Failed, r.Elapsed)...)
	for _, q := range []float64{.5, .9, .95, .99, .999} {
		if r.Response.EnoughFor(q) {
			run = append(run, millis(r.Response.Quantile(q)))
		} else {
			run = append(run, "")
		}
	}
	out.Write(append(run, longest(r.Response.Max(), r.Sent)))
	for i, p := range r.Series {
		writeInterval(out, part, i, p)
	}
}

func writeInterval(out *csv.Writer, part string, i int, p loadgen.Point) {
	sent := p.OK + p.Failed
	row := append([]string{part, strconv.Itoa(i), seconds(p.Start), "", "", count(sent), count(p.OK), count(p.Failed), ""}, rates(p.OK, p.Failed, p.Length)...)
	if p.Length > 0 {
		row[3] = seconds(p.Length)
	}
	out.Write(append(row, known(p.P50), known(p.P90), "", known(p.P99), "", longest(p.Max, sent)))
}

// rates are the goodput and the error ratio.
func rates(ok, failed int64, in time.Duration) []string {
	list := []string{"", ""}
	if in > 0 {
		list[0] = float(figure.PerSecond(ok, in))
	}
	if ok+failed > 0 {
		list[1] = float(float64(failed) / float64(ok+failed))
	}
	return list
}

// known is the percentile of an interval; one of 0 is not known.
func known(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return millis(d)
}

func longest(d time.Duration, sent int64) string {
	if sent == 0 {
		return ""
	}
	return millis(d)
}

func count(n int64) string           { return strconv.FormatInt(n, 10) }
func seconds(d time.Duration) string { return float(d.Seconds()) }
func millis(d time.Duration) string  { return float(float64(d) / 1e6) }
func float(value float64) string     { return strconv.FormatFloat(value, 'f', -1, 64) }
