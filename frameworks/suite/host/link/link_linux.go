package link

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// open makes a link with a random name and subnet, because other processes may make
// links at the same time, and because a closed link exists for a moment longer.
func open(s Shape) (l *Link, err error) {
	number := rand.Uint32()
	l = &Link{device: fmt.Sprintf("rpcb%08x", number)}
	if l.near, l.far, err = freeSubnet(int(number % subnets)); err != nil {
		return nil, err
	}
	if l.namespace, err = newNamespace(); err != nil {
		return nil, err
	}
	if err = l.join(s); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// newNamespace makes a network namespace without a name.
func newNamespace() (f *os.File, err error) {
	err = elsewhere(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return needsRoot(err)
		}
		f, err = os.Open(ownNamespace)
		return err
	})
	return f, err
}

func needsRoot(err error) error {
	if errors.Is(err, unix.EPERM) {
		return errors.New("it takes root, with the right to make network namespaces")
	}
	return err
}

const ownNamespace = "/proc/thread-self/ns/net"

// elsewhere calls do, which moves its thread to another network namespace, and then
// moves the thread back.
func elsewhere(do func() error) error {
	runtime.LockOSThread()
	here, err := os.Open(ownNamespace)
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	defer here.Close()
	err = do()
	if back := unix.Setns(int(here.Fd()), unix.CLONE_NEWNET); back != nil {
		return errors.Join(err, back) // the goroutine ends with the thread locked, which ends the thread
	}
	runtime.UnlockOSThread()
	return err
}

// Inside calls start in the namespace, so that a process that it starts runs there.
// For a nil Link, that is this process's own namespace.
func (l *Link) Inside(start func() error) error {
	if l == nil {
		return start()
	}
	return elsewhere(func() error {
		if err := unix.Setns(int(l.namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter the network namespace: %w", needsRoot(err))
		}
		return start()
	})
}

// join makes the devices and configures them.
func (l *Link) join(s Shape) error {
	outside := func(command ...string) error { return l.run(nil, command) }
	inside := func(command ...string) error { return l.run(l, command) }
	const peer = "eth0" // the far device: the namespace has no other
	err := outside("ip", "link", "add", l.device, "type", "veth", "peer", "name", peer, "netns", "/proc/self/fd/3")
	if err != nil {
		return err
	}
	for _, end := range []struct {
		run          func(...string) error
		device, addr string
	}{
		{outside, l.device, l.near.String()}, {inside, peer, l.far.String()},
	} {
		err = errors.Join(
			end.run("ip", "addr", "add", fmt.Sprintf("%s/%d", end.addr, prefixLen), "dev", end.device),
			end.run("ip", "link", "set", end.device, "up"))
		if err != nil {
			return err
		}
		for _, q := range s.disciplines() {
			if err := end.run(append([]string{"tc", "qdisc", "add", "dev", end.device, "root"}, q...)...); err != nil {
				return fmt.Errorf("the kernel or tc has no %s: %w", q[0], err)
			}
		}
	}
	return inside("ip", "link", "set", "lo", "up")
}

// disciplines returns the arguments of tc for a shape. Like a switch, tbf has a
// buffer for what it cannot send at once: 5 ms, or 600 KiB at 1 Gbit/s. It drops what
// the buffer cannot hold. netem drops nothing.
func (s Shape) disciplines() (list [][]string) {
	if s.Delay > 0 {
		list = append(list, []string{"netem", "delay", fmt.Sprintf("%dus", s.Delay.Microseconds()), "limit", "1000000"})
	}
	if s.Rate > 0 {
		list = append(list, []string{"tbf", "rate", fmt.Sprintf("%dbit", s.Rate), "burst", "128kb", "latency", "5ms"})
	}
	return list
}

// run runs a command inside a link; its file descriptor 3 is the namespace.
func (l *Link) run(inside *Link, command []string) error {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("it takes the command %s of iproute2: %w", command[0], err)
	}
	cmd := exec.Command(path, command[1:]...)
	cmd.ExtraFiles = []*os.File{l.namespace}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err = inside.Inside(cmd.Start)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, strings.Join(strings.Fields(output.String()), " "))
	}
	return nil
}
