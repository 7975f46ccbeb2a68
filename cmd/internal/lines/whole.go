package lines

import (
	"bytes"
	"fmt"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// withoutCut leaves out a last line that has no end, where a disk was full or a copy
// broke off: what is there of a result's figures may be the beginning of others, and
// what is said of a unit may be half. It reports whether a result was cut off.
func (t *Text) withoutCut(file string, data []byte) (cut bool, rest []byte) {
	begin := bytes.LastIndexByte(data, '\n') + 1
	last := data[begin:]
	if !result.Match(last) && !unitLine.Match(last) {
		return false, data
	}
	t.Cut = fmt.Sprintf("%s:%d", file, bytes.Count(data, []byte("\n"))+1)
	if !result.Match(last) {
		return false, data[:begin]
	}
	name := foreign.Line(string(bytes.Fields(last)[0]))
	t.Notes = append(t.Notes, Note{ParseName(name).Full, "a line of it was cut off, and is left out"})
	return true, data[:begin]
}

// longest is less than the longest line that benchfmt reads, in bytes.
const longest = 60_000

// withoutLong empties lines of logs and comments that are longer, such as a stack: in
// the middle of a text benchfmt would end there.
func withoutLong(file string, data []byte) ([]byte, error) {
	var short []byte
	number := 0
	for line := range bytes.Lines(data) {
		number++
		said := bytes.HasPrefix(line, []byte("Unit ")) || result.Match(line) || setting.Match(line)
		switch {
		case len(line) <= longest:
			short = append(short, line...)
		case said:
			return nil, fmt.Errorf("%s:%d: a line of %d bytes: the longest that is read has %d", file, number, len(line), longest)
		default:
			short = append(short, '\n')
		}
	}
	return short, nil
}
