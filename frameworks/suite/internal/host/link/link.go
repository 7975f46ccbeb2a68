// Package link makes a network on one machine, without the help of the kernel's traffic
// control: two network namespaces, a TUN device in each, and a process that carries
// packets from one device to the other as a line.Shape says. TCP on both sides sees delay,
// loss and a queue, as it does in a network. It needs Linux with TUN devices, and root or
// user namespaces.
//
//	err := link.Enter()                             // this process moves to a network of its own
//	l, err := link.New(link.Config{Shape: s, …})    // with a line to a second one
//	err = l.Inside(cmd.Start)                       // where the servers run
//
// Nothing has to be cleaned up. The namespaces have no names, and the devices belong to the
// process that carries: the kernel removes them when this process has ended, however it
// ends.
package link

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Config says what a link is to be.
type Config struct {
	Shape line.Shape
	// Begin starts the process that carries, such that it ends with this one; wait is
	// cmd.Wait. It may give the process CPUs of its own.
	Begin func(cmd *exec.Cmd) (wait func() error, err error)
	// Buffers is the most bytes that TCP of both sides keeps for a connection, each way
	// (tcp_rmem and tcp_wmem), if the machine does not have more.
	Buffers int
}

// Link joins this process's namespace, the near end, to a new one, the far end.
type Link struct {
	shape     line.Shape
	near, far net.IP
	namespace *os.File
	carrier   *os.Process
	ask       io.WriteCloser
	answers   io.Closer
	done      chan struct{} // closed when the process that carries has ended
	err       error         // how it ended, if it should not have; read when done is closed
	control   sync.Mutex
	read      func(*Counts) error
	printed   tail.Tail
}

// FarIP returns the address of the far end, at which this process reaches processes
// of the namespace.
func (l *Link) FarIP() string { return l.far.String() }

// Counts asks the process that carries. The error says that it has ended.
func (l *Link) Counts() (c Counts, err error) {
	l.control.Lock()
	defer l.control.Unlock()
	if _, err = l.ask.Write([]byte{'\n'}); err == nil {
		err = l.read(&c)
	}
	if err != nil {
		err = fmt.Errorf("the line to %s carries no more: %w %s", l.far, err, l.printed.String())
	}
	return c, err
}

// Err says that the line carries no more; nil while it does, and for a nil Link.
func (l *Link) Err() error {
	if l == nil {
		return nil
	}
	select {
	case <-l.done:
		return fmt.Errorf("the line to %s carries no more: %w", l.far, cmp.Or(l.err, io.EOF))
	default:
		return nil
	}
}

// Cut ends the line at once, as when a cable is cut. Connections then hear nothing.
func (l *Link) Cut() error { return l.carrier.Kill() }

// Close ends the line. The kernel removes the namespace when no process runs in it any
// more. Close of a nil Link does nothing.
func (l *Link) Close() error {
	if l == nil {
		return nil
	}
	l.ask.Close()
	<-l.done
	l.answers.Close()
	l.namespace.Close()
	return l.err
}
