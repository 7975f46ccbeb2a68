package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Network is what lies between client and server: a value of net=. Without a line or a
// proxy it is the loopback interface. Times and rates count one way, so a round trip
// takes twice as long.
type Network struct {
	Name  string
	Line  line.Shape    // at whose far end the servers are
	Proxy time.Duration // how long a proxy holds back what it passes on
}

// namedNetworks are those that are no line of words.
func namedNetworks() []Network {
	return []Network{direct(), {Name: "proxy-1ms", Proxy: time.Millisecond}}
}

// direct is the network of net=none.
func direct() Network { return Network{Name: "none"} }

// Linked reports whether the servers are at the far end of a line.
func (n Network) Linked() bool { return n.Line != line.Shape{} }

// Direct reports whether nothing lies between.
func (n Network) Direct() bool { return !n.Linked() && n.Proxy == 0 }

// RoundTrip is what the network adds to a round trip of a small call, in the mean.
func (n Network) RoundTrip() time.Duration { return n.Line.RoundTrip() + 2*n.Proxy }

func readNetwork(name string) (Network, error) {
	var names []string
	for _, n := range namedNetworks() {
		if n.Name == name {
			return n, nil
		}
		names = append(names, n.Name)
	}
	shape, err := line.Read(name)
	if unknown, ok := errors.AsType[*line.ErrUnknown](err); ok {
		return Network{}, fmt.Errorf("%w%s", err, Instead(unknown.Word, slices.Concat(names, line.Words(), line.Modes())))
	}
	return Network{Name: name, Line: shape}, err
}

// Reach is which networks a benchmark is measured over.
type Reach int

const (
	Direct  Reach = iota // no network but the loopback interface
	Linked               // links as well
	Proxied              // links and proxies
)

// takes says why a benchmark is not measured over a network.
func (b *Benchmark) takes(n Network) error {
	switch {
	case n.Direct(), n.Linked() && b.Reach >= Linked, n.Proxy > 0 && b.Reach == Proxied:
		return nil
	case b.Unreached != "":
		return errors.New(b.Unreached)
	case n.Proxy > 0 && b.Reach == Linked:
		return errors.New("a proxy splits TCP, which shows no network to streams and transfers")
	}
	return errors.New("it is measured with net=none only")
}
