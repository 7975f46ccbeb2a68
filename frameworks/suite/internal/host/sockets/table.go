package sockets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// socket is a line of the kernel's tables.
type socket struct {
	local, remote int // ports
	state, inode  string
}

// protocol is a protocol of sockets, by its number.
type protocol byte

const (
	tcp protocol = 6
	udp protocol = 17
)

// String is its name in the kernel's tables.
func (p protocol) String() string {
	if p == udp {
		return "udp"
	}
	return "tcp"
}

// sockets returns the TCP sockets in a process's network.
func sockets(pid int) ([]socket, error) { return listed(pid, tcp) }

// listed returns the sockets of a protocol in a process's network. One may be listed twice:
// between two reads the kernel remembers its place by number, and sockets opened meanwhile
// move the others down.
func listed(pid int, p protocol) (all []socket, err error) {
	if all, err = diagnosed(pid, p); err == nil {
		return all, nil
	}
	return tabled(pid, p)
}

// tabled reads them from the kernel's tables.
func tabled(pid int, p protocol) (all []socket, err error) {
	read := false
	for _, name := range []string{p.String(), p.String() + "6"} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, name))
		if err != nil {
			continue // a system without IPv6 has none of it
		}
		read = true
		all = append(all, parse(f)...)
		f.Close()
	}
	if !read {
		return nil, fmt.Errorf("no /proc/%d/net/%v: %w", pid, p, errors.ErrUnsupported)
	}
	return all, nil
}

// parse reads lines "sl local remote state queues timer retransmits uid timeout inode …".
func parse(table io.Reader) (all []socket) {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) > 9 {
			all = append(all, socket{port(f[1]), port(f[2]), f[3], f[9]})
		}
	}
	return all
}

// port reads that of an address like 0100007F:1F90; -1 of anything else.
func port(addr string) int {
	_, text, _ := strings.Cut(addr, ":")
	n, err := strconv.ParseInt(text, 16, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// Inode returns the number of the socket that a process has open as fd; "" if that is
// no socket.
func Inode(pid, fd int) string { return inode(fmt.Sprintf("/proc/%d/fd/%d", pid, fd)) }

func inode(file string) string {
	target, _ := os.Readlink(file) // fails if it was closed meanwhile
	number, ok := strings.CutPrefix(target, "socket:[")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(number, "]")
}

// inodes returns the numbers of the sockets that a process has open.
func inodes(pid int) (map[string]bool, error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, f := range files {
		if number := inode(filepath.Join(dir, f.Name())); number != "" {
			all[number] = true
		}
	}
	return all, nil
}
