package suite

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// connections counts the TCP connections of this machine that are established
// to addr, by the kernel's own table; it needs /proc.
func connections(addr string) (n int, err error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return 0, err
	}
	read := false
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		read = true
		n += countRemote(bufio.NewScanner(f), fmt.Sprintf(":%04X", number))
		f.Close()
	}
	if !read {
		return 0, errors.New("no /proc/self/net/tcp")
	}
	return n, nil
}

// established is the state's number in the table.
const established = "01"

// countRemote counts the lines "sl local remote state …" to a remote port.
func countRemote(lines *bufio.Scanner, port string) (n int) {
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) > 3 && f[3] == established && strings.HasSuffix(f[2], port) {
			n++
		}
	}
	return n
}
