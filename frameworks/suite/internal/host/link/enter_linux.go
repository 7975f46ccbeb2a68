package link

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

const (
	envEntered = "RPCBENCH_NAMESPACE" // this process is in a namespace of its own
	envTry     = "RPCBENCH_TRY"       // this process only finds out whether a device can be had
)

// Enter executes this process again, with the same arguments, in a network namespace of
// its own, and in a user namespace as well if it may not make the first. There it has
// nothing but a loopback interface, and both ends of a link can be set up alike. The process
// executed again calls it too, and it then returns nil. The error says what this machine
// lacks.
//
// The command unshare does it, because a Go process has many threads from its start on, and
// a process with more than one may not make a user namespace for itself.
func Enter() error {
	if os.Getenv(envEntered) != "" {
		return nil
	}
	if err := enter(); err != nil {
		return fmt.Errorf("no network of its own: %w", err)
	}
	return nil
}

func enter() error {
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return fmt.Errorf("it takes the command unshare of util-linux: %w", err)
	}
	exe, err := self.Path()
	if err != nil {
		return err
	}
	kind, err := possible(unshare, exe)
	if err != nil {
		return err
	}
	args := slices.Concat([]string{unshare}, kind, []string{"--", exe}, os.Args[1:])
	return syscall.Exec(unshare, args, append(os.Environ(), envEntered+"=1"))
}

// possible returns the arguments of unshare that get a namespace with a device.
func possible(unshare, exe string) (kind []string, err error) {
	for _, kind = range [][]string{{"--net"}, {"--net", "--user", "--map-root-user"}} {
		if err = try(unshare, append(slices.Clone(kind), "--", exe)); err == nil {
			break
		}
	}
	return kind, err
}

// try has a process make a device in a new namespace.
func try(unshare string, args []string) error {
	cmd := exec.Command(unshare, args...)
	cmd.Env = append(environ.Child(os.Environ()), envTry+"=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	text := strings.Join(strings.Fields(said.String()), " ")
	switch {
	case err == nil || text == "":
		return err
	case strings.HasPrefix(text, "unshare:"):
		return fmt.Errorf("it takes root, or a kernel that allows user namespaces: %s", text)
	}
	return errors.New(text)
}

// Serving reports whether this process was started by Enter or New of another one.
func Serving() bool { return os.Getenv(envTry) != "" || os.Getenv(envOrder) != "" }

// Serve does what it was started for, and returns the exit code.
func Serve() (exitCode int) {
	self.Rename()
	do := carry
	if os.Getenv(envTry) != "" {
		do = tryDevice
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func tryDevice() error {
	near, _ := subnet(0)
	_, err := newDevice(near, 1500)
	return err
}
