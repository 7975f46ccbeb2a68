package status

import (
	"bytes"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Downloads shows behind the name of a step which module go says that it downloads. It reads
// what go prints.
type Downloads struct {
	Line  *Line
	Step  string
	begun []byte // of a line without an end yet
}

// mostBegun is the longest line that is read, in bytes: a module's path is shorter.
const mostBegun = 4096

// Write never fails.
func (d *Downloads) Write(said []byte) (int, error) {
	for line := range bytes.Lines(said) {
		if len(d.begun)+len(line) <= mostBegun {
			d.begun = append(d.begun, line...)
		}
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if module, ok := Download(string(d.begun)); ok {
			d.Line.Show(d.Step + ": downloading " + foreign.Line(module))
		}
		d.begun = d.begun[:0]
	}
	return len(said), nil
}

// Download reports whether a line of go says that it downloads a module, and which.
func Download(line string) (module string, ok bool) {
	rest, ok := strings.CutPrefix(line, "go: downloading ")
	module, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
	return module, ok
}
