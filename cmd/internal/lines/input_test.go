package lines

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/scales"
)

const (
	resultA = "BenchmarkA 1 5 ns/op\n"
	resultB = "BenchmarkB 1 5 ns/op\n"
	bom     = "\ufeff"
)

// wide is a text in UTF-16.
func wide(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// events are what go test -json prints of a text.
func asEvents(text, more string) (out string) {
	for line := range strings.Lines(text) {
		quoted, _ := json.Marshal(line)
		out += fmt.Sprintf(`{"Time":"2026-11-25T03:00:00Z","Action":"output","Package":"p"%s,"Output":%s}`+"\n", more, quoted)
	}
	return out
}

func TestWhatIsNotUnderstoodIsNamed(t *testing.T) {
	const wideText = "it is in UTF-16, as PowerShell's > writes it: convert it to UTF-8, as iconv -f UTF-16 -t UTF-8 does"
	const jsonText = "it is the output of go test -json: run it without -json, or take the text out, as jq -j "
	for _, c := range []struct{ about, text, say string }{
		{"an empty file", "", "it is empty: the run that was to write it may have failed"},
		{"one of spaces, and of a mark", bom + " \r\n\n", "it is empty: the run that was to write it may have failed"},
		{"UTF-16 of Windows", wide(bom+resultA, binary.LittleEndian), wideText},
		{"UTF-16 of others", wide(bom+resultA, binary.BigEndian), wideText},
		{"UTF-16 without a mark", wide(header+resultA, binary.LittleEndian), wideText},
		{"the same of others", wide(header+resultA, binary.BigEndian), wideText},
		{"UTF-16 that PowerShell's >> wrote behind another text", header + resultA + wide(resultB, binary.LittleEndian), wideText},
		{"go test -json", asEvents(header+resultA, ""), jsonText},
		{"with names of benchmarks", asEvents(resultA, `,"Test":"BenchmarkA"`), jsonText},
		{"behind another text", header + resultA + asEvents(resultB, ""), jsonText},
		{"in other spaces", `{"Action": "output", "Package": "p", "Output": "PASS\n"}`, jsonText},
		{"what go build -json prints", `{"ImportPath":"p","Action":"build-output","Output":"# p\n"}` + "\n", jsonText},
		{"gzip", "\x1f\x8b\x08\x00abc\n", "it is compressed by gzip: unpack it first"},
		{"zstd", "\x28\xb5\x2f\xfd\x04\n", "it is compressed by zstd: unpack it first"},
		{"xz", "\xfd7zXZ\x00\x00", "it is compressed by xz: unpack it first"},
		{"bzip2", "BZh91AY", "it is compressed by bzip2: unpack it first"},
		{"zip", "PK\x03\x04abc", "it is a ZIP archive: unpack it first"},
		{"PDF", "%PDF-1.7\n%\xe2\xe3\n", "it is a PDF: give the text that the benchmarks printed"},
		{"HTML", "\n<!DOCTYPE html>\n<pre>" + resultA, "it is a page in HTML: give the text that the benchmarks printed"},
		{"a report", "<!doctype html>", "it is a page in HTML: give the text that the benchmarks printed"},
		{"a program", "\x7fELF\x02\x01\x01\x00\x00abc", "it is binary: give the text that the benchmarks printed"},
		{"a record", `{"run":"r","name":"BenchmarkA"}`, "it is JSON: give the text that the benchmarks printed; benchreport takes records as files whose names end in .json"},
		{"another text", "hello\n", "no result lines; -bench may match nothing"},
	} {
		_, dir, err := read(t, c.text)
		assert.ErrorContains(t, err, dir+"a.txt: "+c.say, c.about)
	}
}

func TestByteOrderMarks(t *testing.T) {
	for about, text := range map[string]string{
		"before the first result":                  bom + resultA + resultB,
		"before the heading":                       bom + "Unit calls/s better=higher\n" + header + resultA + resultB,
		"in the middle, of files that were joined": bom + resultA + "PASS\n" + bom + resultB,
		"two":                             bom + bom + resultA + resultB,
		"that of Windows with its lines":  bom + strings.ReplaceAll(resultA+resultB, "\n", "\r\n"),
		"a log may have them in its text": resultA + "log: a " + bom + " b\n" + resultB,
	} {
		got, _, err := read(t, text)
		require.NoError(t, err, about)
		require.Len(t, got.Lines, 2, about)
		assert.Equal(t, "BenchmarkA", got.Lines[0].Full, about)
	}
	_, dir, err := read(t, resultA+"PASS"+bom+resultB)
	assert.EqualError(t, err, dir+"a.txt:2: a byte order mark in the middle of the line: join files so that each begins a line of its own")
	got, _, err := read(t, resultA+`{"Action":"stop"}`+"\n"+`{"Time":"1","msg":"a log in JSON"}`+"\n")
	require.NoError(t, err, "a log in JSON is no report of go test")
	assert.Len(t, got.Lines, 1)
}

func TestLogsAreNoConfiguration(t *testing.T) {
	log := ""
	for i := range mostSettings {
		log += fmt.Sprintf("conn%d: closed\n", i)
	}
	_, dir, err := read(t, log+"goos: linux\n"+resultA)
	assert.EqualError(t, err, fmt.Sprintf("%sa.txt:%d: more than 1000 configuration lines are above it, as goos: leave out lines of a log", dir, mostSettings+2))
	got, _, err := read(t, log+resultA+resultB)
	require.NoError(t, err)
	assert.Len(t, got.Lines[1].Config, mostSettings)
}

// Text of any amount costs what its length is worth.
func TestCostOfText(t *testing.T) {
	const row = "BenchmarkEcho/framework=grpc/conc=1 1 5 ns/op 7 calls/s 3 p50-ns\n"
	for _, c := range []struct {
		about string
		n     int
		text  func(n int) string
	}{
		{"different benchmarks", 300, func(n int) string { return each(n, "BenchmarkEcho/framework=f%d/conc=1 1 5 ns/op 7 calls/s\n") }},
		{"repeats", 300, func(n int) string { return strings.Repeat(row, n) }},
		{"configuration above many results", 90, func(n int) string { return each(n, "k%d: v\n") + strings.Repeat(row, n) }},
		{"configuration that changes", 100, func(n int) string { return each(n, "k: %d\n"+row) }},
		{"processes with one warning", 600, func(n int) string {
			return each(n, "Unit calls/s better=higher\nrun: %d\n"+row+"PASS\n# warning: BenchmarkEcho/framework=grpc/conc=1: same\n")
		}},
		{"different warnings of one result", 300, func(n int) string {
			return row + each(n, "# warning: BenchmarkEcho/framework=grpc/conc=1: number %d\n")
		}},
		{"what was skipped", 300, func(n int) string { return row + each(n, "# skipped: %d\n") }},
		{"a warning of many cases", 300, func(n int) string {
			return row + "# warning: 9 cases: slow: " + strings.TrimSuffix(each(n, "BenchmarkEcho/framework=f%d, "), ", ") + "\n"
		}},
		{"units", 50, func(n int) string { return each(n, strings.TrimSuffix(row, "\n")+" 1 u%d/op\n") }},
		{"a line of a log", 100_000, func(n int) string { return row + strings.Repeat("x", n) + "\n" + row }},
		{"a line without an end", 100_000, func(n int) string { return row + "key: " + strings.Repeat("x\x00", n) }},
	} {
		t.Run(c.about, func(t *testing.T) {
			scales.Linear(t, c.n, func(n int) {
				text, err := Parse("a.txt", []byte(c.text(n)))
				if err != nil && n <= longest {
					t.Error(err)
					return
				}
				if text == nil {
					return
				}
				rows := NewRows(text.Lines)
				for _, note := range text.Notes {
					text.Of(note, rows)
				}
			})
		})
	}
}

// each is a text for every number.
func each(n int, text string) string {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}

func TestTextsAreFilesOfABoundSize(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.txt")
	require.NoError(t, os.WriteFile(large, []byte(resultA), 0o600))
	require.NoError(t, os.Truncate(large, 5<<30)) // with no more blocks on the disk
	_, err := Read([]string{large})
	assert.EqualError(t, err, large+" has 5368709120 bytes: more than 64 MiB are not read")
	_, err = Read([]string{dir})
	assert.EqualError(t, err, dir+" is a directory, not a file")
}
