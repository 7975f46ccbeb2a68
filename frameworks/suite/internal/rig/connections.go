package rig

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Connections counts the TCP connections of some processes that are established
// to addr, by the kernel's own tables; it needs /proc.
func Connections(addr string, pids ...int) (n int, err error) {
	_, text, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return 0, err
	}
	sockets := map[string]bool{}
	for _, pid := range pids {
		if err := addSockets(sockets, pid); err != nil {
			return 0, err
		}
	}
	read := false
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		read = true
		n += countRemote(bufio.NewScanner(f), fmt.Sprintf(":%04X", port), sockets)
		f.Close()
	}
	if !read {
		return 0, errors.New("no /proc/self/net/tcp")
	}
	return n, nil
}

// addSockets adds the numbers of the sockets that a process has open.
func addSockets(sockets map[string]bool, pid int) error {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		target, _ := os.Readlink(filepath.Join(dir, f.Name())) // closed meanwhile: no socket
		if number, ok := strings.CutPrefix(target, "socket:["); ok {
			sockets[strings.TrimSuffix(number, "]")] = true
		}
	}
	return nil
}

// established is the state's number in the table.
const established = "01"

// countRemote counts the lines "sl local remote state queues timer retransmits
// uid timeout inode …" of these sockets to a remote port, and takes them out:
// where others are opened before the end of the table is read, the kernel goes
// on at its last line by number, and lists the ones that moved there again.
func countRemote(lines *bufio.Scanner, port string, sockets map[string]bool) (n int) {
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) > 9 && f[3] == established && strings.HasSuffix(f[2], port) && sockets[f[9]] {
			delete(sockets, f[9])
			n++
		}
	}
	return n
}
