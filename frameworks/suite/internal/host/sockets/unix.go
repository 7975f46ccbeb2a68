package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// connected is SS_CONNECTED as the kernel's table writes it.
const connected = "03"

// toPath counts the connections to the Unix socket at path.
func toPath(path string) (int, error) {
	table, err := os.Open("/proc/self/net/unix")
	if err != nil {
		return 0, fmt.Errorf("no table of Unix sockets: %w", errors.ErrUnsupported)
	}
	defer table.Close()
	return countPath(table, path), nil
}

// countPath reads lines "address: references protocol flags type state inode path", of
// which the last part may have spaces. A socket that was accepted has its listener's path.
func countPath(table io.Reader, path string) (n int) {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) > 7 && f[5] == connected && strings.HasSuffix(lines.Text(), " "+path) {
			n++
		}
	}
	return n
}
