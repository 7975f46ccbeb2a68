// Package server has servers with planted behaviour. Each runs in a process of its own, so that
// it takes no time from the generator, and can be stopped by a signal.
package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// Job is what a server process is to do.
type Job struct {
	Protocol tool.Protocol
	Plan     planted.Plan
}

// The lines that a server obeys on its standard input.
const (
	Begin  = "begin"  // the calls from now on are those of the run; answered by an empty Message
	Report = "report" // answered by a Message with Seen
)

// Message is a line in JSON that a server prints. One of its fields is set at most.
type Message struct {
	Ready string     `json:"ready,omitzero"` // the address that it listens on
	First *time.Time `json:"first,omitzero"` // when the first call of the run arrived
	Seen  *Seen      `json:"seen,omitzero"`
}

// Serve does a job on a free port of the loopback interface, until the end of in.
func Serve(j Job, in io.Reader, out io.Writer) error {
	serve, err := j.service()
	if err != nil {
		return err
	}
	collectRarely()
	if j.Plan.Kind.Timed() {
		runtime.GOMAXPROCS(1) // when many calls end at once, the generator is to have a core
	}
	quick := net.ListenConfig{KeepAlive: -1} // three system calls less for each connection
	listener, err := quick.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	a, err := newAlarm()
	if err != nil {
		return err
	}
	say := sayer(out)
	l := &ledger{alarm: a, plan: j.Plan, first: func(t time.Time) { say(Message{First: &t}) }}
	failed := make(chan error, 3)
	go func() { failed <- a.run() }()
	go func() { failed <- serve(listener, l) }()
	say(Message{Ready: listener.Addr().String()})
	go func() { failed <- obey(in, l, say) }()
	return <-failed
}

// mostMemory is how many bytes a server takes before it collects garbage.
const mostMemory = 512 << 20

// collectRarely has the garbage of a short run lie: a collection would delay calls.
func collectRarely() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(mostMemory)
}

// service returns what serves the protocol.
func (j Job) service() (func(net.Listener, *ledger) error, error) {
	switch j.Protocol {
	case tool.HTTP:
		return serveHTTP, nil
	case tool.GRPC:
		return serveGRPC, nil
	}
	return nil, fmt.Errorf("protocol %q: neither %s nor %s", j.Protocol, tool.HTTP, tool.GRPC)
}

// obey does what the lines of in say until they end.
func obey(in io.Reader, l *ledger, say func(Message)) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		switch lines.Text() {
		case Begin:
			l.begin()
			say(Message{})
		case Report:
			seen := l.report()
			say(Message{Seen: &seen})
		default:
			return fmt.Errorf("%q: neither %s nor %s", lines.Text(), Begin, Report)
		}
	}
	return lines.Err()
}

// sayer returns what prints messages, one at a time. A message that nobody reads is lost:
// the server then ends with its standard input.
func sayer(out io.Writer) func(Message) {
	var mu sync.Mutex
	encoder := json.NewEncoder(out)
	return func(m Message) {
		mu.Lock()
		defer mu.Unlock()
		encoder.Encode(m)
	}
}
