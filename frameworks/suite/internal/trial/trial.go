// Package trial makes the first calls to a server that a user has given, and says what it does
// instead of answering.
package trial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Failure is the error of a server given by -server that is not there or answers wrongly.
// Unlike other errors before the first case, it is no mistake of the command line.
type Failure struct{ error }

// Unwrap returns the error itself.
func (f *Failure) Unwrap() error { return f.error }

// Server tries a target's server, and then the first selected case of each feature, all
// at once, so that a server that never answers takes no longer than one case. It removes
// from the plan what the server says that it lacks. Anything else that goes wrong is an
// error.
func Server(s *load.Settings, p *plan.Plan, t plan.Target) error {
	cases := p.Trials(t)
	if len(cases) == 0 {
		return nil
	}
	if err := Greet(s, t); err != nil {
		return err
	}
	errs := make([]error, len(cases))
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { errs[i] = Case(s, c) })
	}
	wg.Wait()
	for i, c := range cases {
		switch {
		case t.NotImplemented(errs[i]):
			p.LeaveOutFeature(c.Feature(), errs[i])
		case errs[i] != nil:
			return &Failure{foreign.Error(fmt.Errorf("%s: %w", c.Feature(), errs[i]))}
		}
	}
	return nil
}

// Greet makes the first calls to a given server. The error says what it does instead of
// answering.
func Greet(s *load.Settings, t plan.Target) error {
	try, heard := tryConnect, overhear
	if t.Datagrams {
		try, heard = tryQUIC, func(load.Settings, plan.Target) string { return "" }
	}
	err := try(t.Given, s.Watchdog)
	if err == nil {
		if err = bounded(s, func() error { return greet(s, t) }); err != nil && !errors.As(err, new(*wrongAnswer)) {
			err = fmt.Errorf("%w%s", err, heard(*s, t))
		}
	}
	if err != nil {
		return &Failure{foreign.Error(fmt.Errorf("%s: %w", t.Place(), err))}
	}
	return nil
}

// tryConnect opens a connection and closes it, because some frameworks do not say why they have
// no connection.
func tryConnect(addr string, patience time.Duration) error {
	c, err := net.DialTimeout("tcp", addr, patience)
	switch {
	case err == nil:
		return c.Close()
	case remote.NobodyListens(err):
		return fmt.Errorf("nobody listens there: %w", err)
	}
	return fmt.Errorf("no connection: %w", err)
}

// wrongAnswer is an error that needs no more explanation.
type wrongAnswer struct{ error }

// greet makes an ordinary call, and one that has to fail. A server that only sends back what
// it is sent would pass for one of several protocols otherwise.
func greet(s *load.Settings, t plan.Target) error {
	l, err := load.NewLocal(s, call.EchoCase(t), []string{t.Given}, 1, 1)
	switch {
	case t.NotImplemented(err): // what comes beside it, such as a broker's greeting, tells no more
		return &wrongAnswer{fmt.Errorf("it has no Echo: %w", err)}
	case err != nil:
		return err
	}
	defer l.Close()
	if t.Kind == framework.Bare {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.Patience)
	defer cancel()
	ignore := func(int, framework.EchoMessage) error { return nil }
	err = l.Client.Echo([]framework.EchoMessage{{Action: handler.ActionFail}}, ignore)(ctx, 0)
	switch {
	case err == nil:
		return &wrongAnswer{errors.New("it answers a request that has to fail, Echo with the action fail, as any other: is it an echo server? See frameworks/PROTOCOL.md")}
	case !strings.Contains(err.Error(), handler.ErrAsked.Error()):
		return &wrongAnswer{fmt.Errorf("asked for the error %q, it answers %w", handler.ErrAsked, err)}
	}
	return nil
}

// trialCalls is how many calls of a case are tried, one after the other: enough to compare
// every field of the bench message, and to have one-way messages acknowledged. trialTime
// bounds them where a call takes long.
const (
	trialCalls = 40
	trialTime  = time.Second
)

// trialSize is the most bytes that a trial sends in a call: a large payload shows no more
// of a feature, and the trials of all features share a link.
const trialSize = 256 << 10

// trialOf returns a case of the same feature whose calls need no more time than -watchdog.
func trialOf(c plan.Case) plan.Case {
	l := call.LeafOf(c)
	l.Patience = 0
	c.Size, c.Sizes, c.Leaf = min(c.Size, trialSize), nil, l
	return c
}

// Case makes calls of one caller. It returns in time even if the server or the framework's
// client hangs.
func Case(s *load.Settings, c plan.Case) error {
	return bounded(s, func() error {
		l, err := load.NewLocal(s, trialOf(c), []string{c.Given}, 1, 1)
		if err != nil {
			return err
		}
		defer l.Close()
		begin := time.Now()
		for calls := 0; err == nil && calls < trialCalls && time.Since(begin) < trialTime; calls++ {
			err = l.CallOnce(0)
		}
		return err
	})
}

// bounded returns an error if f takes longer than the watchdog allows.
func bounded(s *load.Settings, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(s.Watchdog + time.Second): // the second lets the watchdog end the calls first, whose error says more
		return fmt.Errorf("no answer within %v", s.Watchdog)
	}
}

// GreetAt is Greet of a variant's server at addr, with this watchdog.
func GreetAt(v framework.Variant, addr string, watchdog time.Duration) error {
	return Greet(&load.Settings{Watchdog: watchdog, Calls: 1}, plan.Target{Variant: v, Given: addr})
}
