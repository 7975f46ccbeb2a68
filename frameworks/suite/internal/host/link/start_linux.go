package link

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// open makes the far end's namespace and starts the process that carries.
func open(c Config) (l *Link, err error) {
	if os.Getenv(envEntered) == "" {
		return nil, errors.New("Enter has to be called first")
	}
	l = &Link{shape: c.Shape}
	if l.near, l.far, err = freeSubnet(int(rand.Uint32() % subnets)); err != nil {
		return nil, err
	}
	if l.namespace, err = newNamespace(); err != nil {
		return nil, err
	}
	if err = l.start(c); err != nil {
		l.namespace.Close()
		return nil, err
	}
	return l, nil
}

// start starts the process that carries: this binary, executed again.
func (l *Link) start(c Config) error {
	cmd, err := self.Command(context.Background())
	if err != nil {
		return err
	}
	answers, answersEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	defer answersEnd.Close()
	text, err := json.Marshal(order{c.Shape, l.near, l.far, c.Buffers})
	if err != nil {
		return err
	}
	printed := &l.printed
	cmd.Env = append(environ.Child(os.Environ()), envOrder+"="+string(text), "GODEBUG=asyncpreemptoff=1")
	cmd.ExtraFiles = []*os.File{l.namespace, answersEnd}
	cmd.Stdout, cmd.Stderr = printed, printed
	if l.ask, err = cmd.StdinPipe(); err != nil {
		return err
	}
	wait, err := c.Begin(cmd)
	if err != nil {
		return errors.Join(err, answers.Close())
	}
	l.carrier, l.answers, l.done = cmd.Process, answers, make(chan struct{})
	go func() {
		l.err = wait()
		close(l.done)
	}()
	answersEnd.Close()
	l.read = reader(answers)
	if err := l.read(new(Counts)); err != nil {
		_ = l.Cut()
		<-l.done // the reason is in what it said before
		if said := printed.String(); said != "" {
			err = errors.New(said)
		}
		return errors.Join(err, answers.Close())
	}
	return nil
}

// reader reads one answer after the other.
func reader(answers *os.File) func(*Counts) error {
	lines := json.NewDecoder(bufio.NewReader(answers))
	return func(c *Counts) error {
		_ = answers.SetReadDeadline(time.Now().Add(answerTimeout)) // a pipe takes it
		return lines.Decode(c)
	}
}

// Inside calls start in the namespace, so that a process that it starts runs there, and
// a socket that it opens is there. For a nil Link, that is this process's own namespace.
func (l *Link) Inside(start func() error) error {
	if l == nil {
		return start()
	}
	return inside(l.namespace, start)
}
