package ledger

import (
	"fmt"
	"os"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// Progress prints progress on the standard error. It prints nothing if the standard
// output is a terminal or the same file, since that could split a result line.
func Progress(format string, args ...any) {
	out, err := os.Stdout.Stat()
	if err != nil || out.Mode()&os.ModeCharDevice != 0 {
		return
	}
	if errOut, err := os.Stderr.Stat(); err == nil && !os.SameFile(out, errOut) {
		fmt.Fprintln(os.Stderr, foreign.Line(fmt.Sprintf(format, args...)))
	}
}
