package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
)

// network is what lies between the load and the servers, a value of net=.
// Where it is neither a link nor a proxy, it is the loopback interface.
type network struct {
	name  string
	link  link.Shape    // of a link, at whose far end the servers are
	proxy time.Duration // how long a proxy holds back what it passes on, each way
}

// networks are all there are. As with a proxy, so with a link: a delay is that
// of each way, and a round trip takes twice as long.
var networks = []network{
	{name: "none"},
	{name: "delay-1ms", link: link.Shape{Delay: time.Millisecond}},
	{name: "delay-10ms", link: link.Shape{Delay: 10 * time.Millisecond}},
	{name: "rate-1gbit", link: link.Shape{Rate: 1e9}},
	{name: "proxy-1ms", proxy: time.Millisecond},
}

func (n network) linked() bool { return n.link != link.Shape{} }

func (n network) direct() bool { return !n.linked() && n.proxy == 0 }

func parseNetwork(name string) (network, error) {
	var names []string
	for _, n := range networks {
		if n.name == name {
			return n, nil
		}
		names = append(names, n.name)
	}
	return network{}, fmt.Errorf("unknown %q: there are %s", name, strings.Join(names, ", "))
}

// takes says why a suite cannot be run over a network.
func (s *suite) takes(n network) error {
	switch {
	case n.direct(), n.linked() && s.linked, n.proxy > 0 && s.proxied:
		return nil
	case n.proxy > 0 && s.linked:
		return errors.New("a proxy splits TCP, which shows no network to streams and transfers")
	}
	return errors.New("it is measured with net=none only")
}

// over are the networks that a suite is run over.
func (s *suite) over(f *flags) (list []network) {
	for _, n := range f.networks {
		if s.takes(n) == nil {
			list = append(list, n)
		}
	}
	return list
}

// reach makes the links that -net asks for, one for all servers. What cannot be
// had is skipped, which skipped says.
func (e *environment) reach(c Config) {
	e.links, e.proxy = map[string]*link.Link{}, c.Proxy
	e.networks = slices.DeleteFunc(slices.Clone(e.networks), func(n network) bool {
		err := e.open(n)
		if err != nil {
			e.skip(fmt.Sprintf("net=%s: %v", n.name, err))
		}
		return err != nil
	})
}

func (e *environment) open(n network) (err error) {
	if n.linked() {
		e.links[n.name], err = link.New(n.link)
	}
	if n.proxy > 0 && e.proxy == nil {
		err = errors.New("there is no Config.Proxy")
	}
	return err
}

// skip notes a row, or many, that there is not, for the header.
func (e *environment) skip(why string) {
	if !slices.Contains(e.skipped, why) {
		e.skipped = append(e.skipped, why)
	}
}

// absent is what there is no row of, and why.
func (e *environment) absent() []string { return slices.Concat(e.skipped, e.left()) }
