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

// Connections counts the established TCP connections of some processes to addr. It
// reads the kernel's tables below /proc.
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

// addSockets adds the inode numbers of the sockets that a process has open.
func addSockets(sockets map[string]bool, pid int) error {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		target, _ := os.Readlink(filepath.Join(dir, f.Name())) // fails if the file was closed meanwhile
		if number, ok := strings.CutPrefix(target, "socket:["); ok {
			sockets[strings.TrimSuffix(number, "]")] = true
		}
	}
	return nil
}

// established is TCP_ESTABLISHED as the table writes it.
const established = "01"

// countRemote counts the lines "sl local remote state queues timer retransmits
// uid timeout inode …" of these sockets to a remote port. It deletes each socket
// that it counts, because a socket may be listed twice: between two reads the kernel
// remembers its place by line number, and sockets opened meanwhile move lines down.
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
