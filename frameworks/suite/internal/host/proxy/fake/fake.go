// Package fake stands in for HAProxy in tests, on machines that do not have it.
package fake

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// Name is the name of the program. A test binary is the fake if it is called so.
const Name = "haproxy"

// Is reports whether this process was started by the name of the program.
func Is() bool { return filepath.Base(os.Args[0]) == Name }

// Install makes dir/haproxy another name of this binary.
func Install(dir string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return os.Symlink(exe, filepath.Join(dir, Name))
}

// Main does what HAProxy does with the file of its last argument, until it is killed.
func Main() (exitCode int) {
	text, err := os.ReadFile(os.Args[len(os.Args)-1])
	if err != nil { // of -v
		fmt.Println("HAProxy version fake")
		return 0
	}
	l, err := net.Listen("tcp", after(string(text), "bind "))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for {
		near, err := l.Accept()
		if err != nil {
			return 1
		}
		go pass(near, after(string(text), "server one "))
	}
}

// after returns the word after a text.
func after(text, before string) string {
	_, rest, _ := strings.Cut(text, before)
	word, _, _ := strings.Cut(rest, "\n")
	return word
}

// pass passes on all bytes of a connection, both ways.
func pass(near net.Conn, server string) {
	defer near.Close()
	far, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer far.Close()
	go func() {
		defer far.Close()
		io.Copy(far, near) //nolint:errcheck // the other side notices
	}()
	io.Copy(near, far) //nolint:errcheck // as above
}
