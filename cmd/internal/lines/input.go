package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Most is the size of the largest text that is read, in bytes: 200,000 results.
const Most = 64 << 20

// ReadFile reads a text of at most Most bytes: a regular file, or what the user's shell has
// opened, as /dev/stdin or the /dev/fd/63 of benchreport <(grep Echo out.txt). The error names
// the file.
func ReadFile(path string) ([]byte, error) {
	if !opened(path) {
		return regular.ReadFile(path, Most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, Most+1))
	if err == nil && len(data) > Most {
		err = fmt.Errorf("%s has more bytes than the %d MiB that are read", path, Most>>20)
	}
	return data, err
}

// opened reports whether a path leads to a pipe that this process was given open. To open
// another named pipe would wait for a writer.
func opened(path string) bool {
	path = filepath.Clean(path)
	given := path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
	info, err := os.Stat(path)
	return given && err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// Understood returns a text of benchmarks without the byte order marks that begin its lines,
// as some editors and shells write them. The error is of what is no such text, as a report
// in JSON, and says what to do.
func Understood(name string, data []byte) ([]byte, error) {
	if is := other(data); is != "" {
		return nil, fmt.Errorf("%s: it is %s", name, is)
	}
	if at := joined.FindIndex(data); at != nil {
		return nil, fmt.Errorf("%s:%d: a byte order mark in the middle of the line: join files so that each begins a line of its own", name, bytes.Count(data[:at[0]], []byte("\n"))+1)
	}
	return marks.ReplaceAll(data, nil), nil
}

var (
	marks  = regexp.MustCompile(`(?m)^\x{FEFF}+`)
	joined = regexp.MustCompile(`[^\n\x{FEFF}]\x{FEFF}+(?:Benchmark|Unit )`)
)

// formats are what files of others begin with.
var formats = [...]struct{ begin, is string }{
	{"\x1f\x8b", "compressed by gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first"},
	{"\xfd7zXZ\x00", "compressed by xz: unpack it first"},
	{"BZh", "compressed by bzip2: unpack it first"},
	{"PK\x03\x04", "a ZIP archive: unpack it first"},
	{"%PDF-", "a PDF: give the text that the benchmarks printed"},
	{"<!DOCTYPE", "a page in HTML: give the text that the benchmarks printed"},
	{"<!doctype", "a page in HTML: give the text that the benchmarks printed"},
	{"<html", "a page in HTML: give the text that the benchmarks printed"},
	{"\xff\xfe", inUTF16},
	{"\xfe\xff", inUTF16},
}

const inUTF16 = "in UTF-16, as PowerShell's > writes it: convert it to UTF-8, as iconv -f UTF-16 -t UTF-8 does"

// other says what data is if it is known to be no text of benchmarks, or in a part not; "" for
// what may be one.
func other(data []byte) string {
	begin := bytes.TrimSpace(marks.ReplaceAll(data[:min(len(data), 1000)], nil))
	if len(begin) == 0 && len(bytes.TrimSpace(marks.ReplaceAll(data, nil))) == 0 {
		return "empty: the run that was to write it may have failed"
	}
	for _, f := range formats {
		if bytes.HasPrefix(begin, []byte(f.begin)) {
			return f.is
		}
	}
	if bytes.Contains(data, []byte("B\x00e\x00n\x00c\x00h\x00m\x00a\x00r\x00k")) {
		return inUTF16
	}
	for line := range bytes.Lines(data) {
		if isEvent(bytes.TrimPrefix(line, []byte("\ufeff"))) {
			return `the output of go test -json: run it without -json, or take the text out, as jq -j 'select(.Action == "output").Output' does`
		}
	}
	return ""
}

// isEvent reports whether a line is one of go test -json.
func isEvent(line []byte) bool {
	if len(line) > longest || !events.Match(line) {
		return false
	}
	var e struct{ Action, Package, ImportPath string }
	return json.Unmarshal(line, &e) == nil && e.Action != "" && e.Package+e.ImportPath != ""
}

var events = regexp.MustCompile(`^\{"(Time|Action|ImportPath)":`)

// without says why a text may have no results.
func without(data []byte) string {
	switch {
	case bytes.IndexByte(data, 0) >= 0:
		return "it is binary: give the text that the benchmarks printed"
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		return "it is JSON: give the text that the benchmarks printed; benchreport takes records as files whose names end in .json"
	}
	return "no result lines; -bench may match nothing"
}
