// Benchreport makes a report of what benchmarks print, for those who choose between
// frameworks, serializers or releases: one HTML file that works offline, pictures for a
// README, tables in Markdown.
//
//	benchreport [-results DIR] [-o report.html] [-svg DIR] [-table FILE] [-markdown FILE] [-readme FILES] [-title TEXT] out.txt... run.json...
//
// The text is what go test -bench or benchrounds print, of frameworks and of
// serializers; repeats of a line become its median and range. Lines of one name that differ
// in procs (as of -cpu=1,2), package, pin, machine, versions or settings are rows of their
// own, whose labels say so, in the tables of layers and releases as well. Notes stand at the
// row of their process and procs, where they say so. With -results, the directory that the
// benchmarks were given in their own flag -results, there are percentile curves, means and
// maxima as well. A chart whose data is not there is left out, and the report says why.
//
// Records alone make a report too. They are files whose names end in .json, as programs write
// them with loadgen's package record, or json.Marshal of a *loadgen.Result, which is named by
// its file:
//
//	benchreport -o report.html run.json other.json
//
// It has percentiles, with their 95 % intervals, and counts of each run and of its parts, the
// calls of a Mix, their curves, and their intervals over time. Of more than 12 parts those with
// the most calls are drawn. Runs of one name are told apart by their starts. Beside a text such
// files are the records behind its lines.
//
// Of a file in which cases were run bare and with layers (with=), metadata (metadata=) or
// interceptors (chain=), or with several settings of the Go runtime, there are tables of what is added, with intervals; the n-th lines of a
// case with and without are taken as a pair, and intervals are of 95 %, as package
// cmd/internal/pairs has them. Beside lines of other files such a file is in no other table.
// Lines of the parts of a call (side= and part=, make anatomy) have stacked bars and a table of
// where its CPU time goes, and are in no other table.
// Lines of several numbers of cores (cores=) have a chart, a table and, from four numbers on, a fit
// of who scales, as package cmd/internal/scaling has it, and are in no ranking.
// Records of history (make history, make results/article) have tables of releases, of which each is
// compared with others by the lines of one round, and are in no other table.
//
// Scales are logarithmic. Raw TCP is switched off at first, and not in pictures.
//
// With -readme, tables of Markdown files are written anew, each between two
// lines of which the first names the panel of calls or the table as the report does:
//
//	<!-- table:begin Echo, 1KiB, 100 callers -->
//	<!-- table:end -->
//
// With -site, what is given are records of history, as files or in directories:
//
//	benchreport -site DIR DIRECTORIES...
//
// It writes a static site over their versions and dates into DIR: an overview of the
// releases at which something got slower or better, a page for each framework and
// benchmark, and the raw lines. Package site says which files it has. It opens offline.
// Files of a former site that are no longer made are removed, others stay, and a page is
// not written over a file of somebody else. A record with lines that differ in the pin, the
// machine or settings cannot be read; procs and packages are cases of their own. A record
// that cannot be read is left out, and said on standard error and in the overview; the exit
// code is then 0, unless none is left.
//
// A text has 64 MiB at most, and is a file or a pipe of the shell, as in
// benchreport -o report.html <(grep -v '^gc ' out.txt). In directories only files that are
// records by their names are read; standard error says what else is there.
//
// The exit code is 1 for a text that must not be charted: one with a value
// that is no number, with a line that has neither calls/s nor ns/op, without
// result lines, of benchmarks that are all unknown here, in another format, as of
// go test -json, or of several machines. It is 1, too, if what was asked for could not
// be written; files are then as they were. It is 2 if the command line is wrong.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/page"
	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/benchreport/site"
	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"golang.org/x/term"
)

// options are the flags.
type options struct {
	results, html, svg, table, markdown, readme, site, title string
}

func main() {
	var o options
	flag.StringVar(&o.results, "results", "", "`directory`, or a file, of records, as the benchmarks' flag -results or loadgen's package record writes them")
	flag.StringVar(&o.html, "o", "", "`file` for the report in HTML")
	flag.StringVar(&o.svg, "svg", "", "`directory` for the charts as pictures, each as NAME.svg and NAME-dark.svg")
	flag.StringVar(&o.table, "table", "", "`file` for the ranking as plain text, of as many columns as the terminal has, 100 elsewhere; - for standard output")
	flag.StringVar(&o.markdown, "markdown", "", "`file` for the tables in Markdown; - for standard output")
	flag.StringVar(&o.title, "title", "", "`text` above the report")
	flag.StringVar(&o.readme, "readme", "", "Markdown `files`, separated by commas, whose tables to write anew, each between <!-- table:begin PANEL --> and <!-- table:end -->")
	flag.StringVar(&o.site, "site", "", "`directory` for a static site of the records of history that are given as files or directories, with no other output")
	files := arguments.ReadMixed(usage)
	if err := o.check(files); err != nil {
		exit(2, err)
	}
	if err := run(o, files); err != nil {
		exit(1, err)
	}
}

func (o options) check(files []string) error {
	switch other := o.html + o.svg + o.table + o.markdown + o.readme + o.results; {
	case o.site != "" && other != "":
		return errors.New("-site is made of records of history: give the other outputs, and -results, without it")
	case o.site != "" && o.title != "":
		return errors.New("-title is not for -site, whose pages have their own")
	case o.site != "" && len(files) == 0:
		return errors.New("no records given: -site takes directories of them, or their files")
	case len(files) == 0 && o.results == "":
		return errors.New("no file of benchmark lines or records given; see -h")
	case o.site == "" && o.readme != "" && len(only(files, isText)) == 0:
		return errors.New("-readme needs the file of the lines as well: records have what stands behind them")
	case o.html+o.svg+o.table+o.markdown+o.readme+o.site == "":
		return errors.New("nothing to write: give -o, -svg, -table, -markdown, -readme or -site")
	}
	if i := slices.IndexFunc(files, isDir); i >= 0 && o.site == "" {
		return fmt.Errorf("%s is a directory: -results=%[1]s reads the records in it", files[i])
	}
	return o.checkOutputs(files)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkOutputs refuses to write over what is read, or over what by its name is a record.
func (o options) checkOutputs(files []string) error {
	for _, out := range []struct{ flag, path string }{{"o", o.html}, {"table", o.table}, {"markdown", o.markdown}} {
		if isRecord(out.path) || slices.Contains(files, out.path) {
			return fmt.Errorf("-%s=%s is a file to be read: give another name", out.flag, out.path)
		}
	}
	return nil
}

func exit(code int, why error) {
	fmt.Fprintf(os.Stderr, "benchreport: %v\n", foreign.Error(why))
	os.Exit(code)
}

const usage = `benchreport [flags] out.txt... run.json...

Makes a report of the lines that benchmarks print, or of records of a load generator; with -site,
a site of records of history.`

func run(o options, files []string) error {
	if o.site != "" {
		return makeSite(o.site, files)
	}
	records, err := readRecords(o.results, only(files, isRecord))
	if err != nil {
		return err
	}
	r, err := reportOf(only(files, isText), records)
	if err != nil {
		return err
	}
	r.HideReferences()
	o.title = cmp.Or(o.title, r.Title)
	return write(o, r)
}

func isRecord(file string) bool { return filepath.Ext(file) == record.Extension }

func isText(file string) bool { return !isRecord(file) }

// only are the files of one kind, by their names.
func only(files []string, is func(file string) bool) (list []string) {
	for _, file := range files {
		if is(file) {
			list = append(list, file)
		}
	}
	return list
}

// reportOf is of the lines in texts, or without texts of records alone.
func reportOf(texts []string, records []record.Record) (*figure.Report, error) {
	if len(texts) == 0 {
		return figure.OfRecords(records)
	}
	text, err := lines.Read(texts)
	if err != nil {
		return nil, err
	}
	r := figure.New(text, records)
	return r, known(r, texts)
}

// readRecords reads those of -results and of files, and says what else is in a directory.
func readRecords(results string, files []string) ([]record.Record, error) {
	records, others, err := record.Read(results, files)
	if others.Number > 0 && err == nil {
		leftOut(others.One, others.Why("records"))
	}
	return records, err
}

func leftOut(file, why string) {
	fmt.Fprintf(os.Stderr, "benchreport: left out %s: %s\n", foreign.Line(file), foreign.Line(why))
}

// known wants something to show of the lines. What else is there is said, as the tables alone
// do not say it.
func known(r *figure.Report, files []string) error {
	const why = "there is no table of %s; benchstat can read the lines"
	switch names := strings.Join(r.Unknown, ", "); {
	case names != "" && r.Empty():
		return fmt.Errorf("%s: "+why, strings.Join(files, ", "), names)
	case names != "":
		fmt.Fprintf(os.Stderr, "benchreport: "+why+"\n", foreign.Line(names))
	}
	return nil
}

func write(o options, r *figure.Report) error {
	if o.html != "" {
		if err := toFile(o.html, func(w io.Writer) error { return page.HTML(w, o.title, r) }); err != nil {
			return err
		}
	}
	if o.table != "" {
		if err := toFile(o.table, func(w io.Writer) error { return page.Text(w, r, columns(o.table)) }); err != nil {
			return err
		}
	}
	if o.markdown != "" {
		if err := toFile(o.markdown, func(w io.Writer) error { return page.Markdown(w, o.title, r) }); err != nil {
			return err
		}
	}
	if o.readme != "" {
		if err := readmes(strings.Split(o.readme, ","), r); err != nil {
			return err
		}
	}
	if o.svg == "" {
		return nil
	}
	return page.SVG(o.svg, r)
}

// columns is how wide a text in a file may be; - is standard output, which may be a terminal.
func columns(path string) int {
	if path != "-" {
		return page.TextWidth
	}
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 {
		return page.TextWidth
	}
	return min(width, page.TextWidth)
}

// toFile writes a file; - is standard output.
func toFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(os.Stdout)
	}
	return whole.Write(path, write)
}

// makeSite writes a site, and says what it leaves out.
func makeSite(dir string, paths []string) error {
	source, err := site.Read(paths)
	for _, left := range source.Left {
		leftOut(left.File, left.Why)
	}
	if err != nil {
		return err
	}
	return site.Write(dir, source)
}
