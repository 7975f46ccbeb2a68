package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// given is a server that was running already, and will be when this process
// has ended: the value of -server.
type given struct{ addr string }

// errGiven is what cannot be had of such a server.
var errGiven = fmt.Errorf("the server was not started by this process: %w", errors.ErrUnsupported)

func (g given) Addr() string                                               { return g.addr }
func (g given) Ready() host.Ready                                          { return host.Ready{Addr: g.addr} }
func (g given) Done() <-chan struct{}                                      { return nil }
func (g given) Err() error                                                 { return nil }
func (g given) Stop() error                                                { return nil }
func (g given) Kill()                                                      {}
func (g given) Pause() error                                               { return errGiven }
func (g given) Resume() error                                              { return errGiven }
func (g given) CPU() (time.Duration, error)                                { return 0, errGiven }
func (g given) Figures(context.Context) (host.Figures, error)              { return host.Figures{}, errGiven }
func (g given) ResetPeak(context.Context) error                            { return errGiven }
func (g given) StartProfile(context.Context, string) error                 { return errGiven }
func (g given) StopProfile(_ context.Context, _ string, _ io.Writer) error { return errGiven }

// target is a variant, and where its server is.
type target struct {
	framework.Variant
	given string // host:port of a server that is not ours, see -server; "" for none
}

func targets(variants []framework.Variant) (list []target) {
	for _, v := range variants {
		list = append(list, target{Variant: v})
	}
	return list
}

// givenList is the flag -server. It may be repeated, and one value may hold
// several, separated by commas.
type givenList []string

func (l *givenList) String() string { return strings.Join(*l, ",") }

// Set implements flag.Value. An empty value adds nothing.
func (l *givenList) Set(value string) error {
	if value != "" {
		*l = append(*l, strings.Split(value, ",")...)
	}
	return nil
}

// parseGiven has the variants of -server measured, and these alone.
func (f *flags) parseGiven(all []framework.Variant) (err error) {
	if err = f.checkGiven(); err != nil || len(f.given) == 0 {
		return err
	}
	f.variants, f.lacks = nil, map[string]string{}
	for _, value := range f.given {
		v, err := parseServer(value, all)
		if err != nil {
			return fmt.Errorf("-server=%s: %w", value, err)
		}
		if slices.ContainsFunc(f.variants, func(w target) bool { return w.ID() == v.ID() }) {
			return fmt.Errorf("-server=%s: %s has a server already; measure one after the other", value, v.ID())
		}
		f.variants = append(f.variants, v)
	}
	return nil
}

// checkGiven refuses what goes with our own servers only.
func (f *flags) checkGiven() error {
	switch {
	case f.peer != "" && strings.ContainsAny(f.peer, "/=, \t\n"):
		return fmt.Errorf("-peer=%s: must be a name without any of / = , and space", f.peer)
	case len(f.given) == 0 && f.peer != "":
		return fmt.Errorf("-peer=%s names the servers of -server: give both", f.peer)
	case len(f.given) == 0:
		return nil
	case f.framework != "" || f.set != "all":
		return errors.New("-server says what is measured: leave -framework and -set out")
	case slices.ContainsFunc(f.networks, network.linked):
		return errors.New("-net puts servers that this process starts behind a link: leave it or -server out")
	case f.fault != "" || f.pprof || f.profiles.wanted():
		return errors.New("-fault, -pprof and profiles of the server need a server that this process starts: leave them or -server out")
	}
	return nil
}

// parseServer reads VARIANT@HOST:PORT.
func parseServer(value string, all []framework.Variant) (target, error) {
	key, addr, found := strings.Cut(value, "@")
	if _, port, err := net.SplitHostPort(addr); !found || err != nil || port == "" {
		return target{}, errors.New("must be VARIANT@HOST:PORT, as in framework=tcp/transport=mux@127.0.0.1:7000")
	}
	v, err := oneVariant(all, key)
	return target{v, addr}, err
}

// oneVariant is the variant whose ID is key, or the one whose ID begins with
// the keys in it.
func oneVariant(all []framework.Variant, key string) (framework.Variant, error) {
	var matches []framework.Variant
	for _, v := range all {
		if v.ID() == key {
			return v, nil
		}
		if strings.HasPrefix(v.ID(), key+"/") {
			matches = append(matches, v)
		}
	}
	switch len(matches) {
	case 0:
		return framework.Variant{}, fmt.Errorf("%q is not the first keys of any variant: there are %s", key, idsOf(all))
	case 1:
		return matches[0], nil
	default:
		return framework.Variant{}, fmt.Errorf("%q is the first keys of several variants, add some: %s", key, idsOf(matches))
	}
}

func idsOf(list []framework.Variant) string {
	var ids []string
	for _, v := range list {
		ids = append(ids, v.ID())
	}
	return strings.Join(ids, ", ")
}

// place says which server of which variant an error is about.
func (v target) place() string {
	if v.given == "" {
		return v.ID()
	}
	return v.ID() + " at " + v.given
}

// tryGiven makes calls of each kind to the servers of -server, before anything
// is measured. What a server cannot do is left out from then on, and a server
// that can do nothing of what was asked is an error.
func (e *environment) tryGiven() error {
	for _, v := range e.variants {
		if v.given == "" {
			continue
		}
		if err := e.tryServer(v); err != nil {
			return err
		}
	}
	return nil
}

// tryServer tries the first case of each kind that is selected, all at once:
// a server that never answers takes no longer than one.
func (e *environment) tryServer(v target) (failed error) {
	cases := e.kinds(v)
	errs := make([]error, len(cases))
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { errs[i] = c.try() })
	}
	wg.Wait()
	can := len(cases) == 0
	for i, c := range cases {
		if errs[i] == nil {
			can = true
			continue
		}
		e.lacks[c.kind()] = strings.ReplaceAll(errs[i].Error(), "\n", " ")
		failed = cmp.Or(failed, fmt.Errorf("%s: %w", v.place(), errs[i]))
	}
	if can {
		return nil
	}
	return failed
}

// kinds is the first case of each kind that is selected of a variant.
func (e *environment) kinds(v target) (cases []benchCase) {
	for _, c := range e.selected {
		known := slices.ContainsFunc(cases, func(other benchCase) bool { return other.kind() == c.kind() })
		if c.v.ID() == v.ID() && !known {
			cases = append(cases, c)
		}
	}
	return cases
}

// left are the kinds of cases that are left out, with the reasons.
func (f *flags) left() (list []string) {
	for _, kind := range slices.Sorted(maps.Keys(f.lacks)) {
		list = append(list, kind+": "+f.lacks[kind])
	}
	return list
}

// kind is what a server may have no handlers for: a suite, or a mode of it.
func (c benchCase) kind() string {
	kind := c.suite.name
	for _, key := range strings.Split(c.keys(), "/") {
		if strings.HasPrefix(key, "mode=") {
			kind += "/" + key
		}
	}
	return kind + " of " + c.v.place()
}

// try makes the calls of one caller for a moment. It ends in time, whatever
// the server and the framework's client do.
func (c benchCase) try() error {
	done := make(chan error, 1)
	go func() {
		l, err := newLocal(c, []string{c.v.given}, 1, 1)
		if err == nil {
			l.close()
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(env.watchdog + time.Second): // calls end by themselves, with more to tell
		return fmt.Errorf("no answer within %v", env.watchdog)
	}
}
