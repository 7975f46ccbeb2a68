// Package target says whether lines can be appended to a file, before they are measured.
package target

import (
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Check returns an error for a directory, a socket and a named pipe, which may have no reader.
// A file need not be there, and a device takes lines, as /dev/null does and what the user's
// shell has opened, as /dev/stdout and /dev/fd/63.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil || opened(filepath.Clean(path)) || info.Mode()&os.ModeDevice != 0 {
		return nil // to open it says what is wrong
	}
	return regular.Check(path, info, math.MaxInt64)
}

func opened(path string) bool {
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}
