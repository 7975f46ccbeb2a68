package plan

import (
	"errors"
	"fmt"
	"time"
)

// Network is what lies between client and server: a value of net=. Without a
// link or a proxy it is the loopback interface. Delay and Proxy count one way, so
// a round trip takes twice as long.
type Network struct {
	Name  string
	Delay time.Duration // of a link, at whose far end the servers are
	Rate  int64         // of a link, in bits per second
	Proxy time.Duration // how long a proxy holds back what it passes on
}

// allNetworks are all there are.
func allNetworks() []Network {
	return []Network{
		{Name: "none"},
		{Name: "delay-1ms", Delay: time.Millisecond},
		{Name: "delay-10ms", Delay: 10 * time.Millisecond},
		{Name: "rate-1gbit", Rate: 1e9},
		{Name: "proxy-1ms", Proxy: time.Millisecond},
	}
}

// Linked reports whether the servers are at the far end of a link.
func (n Network) Linked() bool { return n.Delay != 0 || n.Rate != 0 }

// Direct reports whether nothing lies between.
func (n Network) Direct() bool { return !n.Linked() && n.Proxy == 0 }

func readNetwork(name string) (Network, error) {
	var names []string
	for _, n := range allNetworks() {
		if n.Name == name {
			return n, nil
		}
		names = append(names, n.Name)
	}
	return Network{}, fmt.Errorf("unknown %q%s", name, Instead(name, names))
}

// Reach is which networks a benchmark is measured over.
type Reach int

const (
	Direct  Reach = iota // no network but the loopback interface
	Linked               // links as well
	Proxied              // links and proxies
)

// takes says why a benchmark is not measured over a network.
func (r Reach) takes(n Network) error {
	switch {
	case n.Direct(), n.Linked() && r >= Linked, n.Proxy > 0 && r == Proxied:
		return nil
	case n.Proxy > 0 && r == Linked:
		return errors.New("a proxy splits TCP, which shows no network to streams and transfers")
	}
	return errors.New("it is measured with net=none only")
}
