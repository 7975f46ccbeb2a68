package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Network is what lies between client and server: a value of net=. Without any of its
// fields it is the loopback interface. Times and rates count one way, so a round trip
// takes twice as long.
type Network struct {
	Name string
	Line line.Shape // at whose far end the servers are
	Unix bool       // servers listen on Unix sockets
	// Program is the name of a program that passes connections on as a load balancer does.
	Program string
}

// namedNetworks are the networks that have a name of their own. The names of others are
// the words for a line.
func namedNetworks() []Network {
	return []Network{direct(), {Name: "unix", Unix: true}, passing("nginx"), passing("haproxy")}
}

// direct is the network of net=none.
func direct() Network { return Network{Name: "none"} }

// passing is a network by way of a program that passes connections on.
func passing(program string) Network { return Network{Name: "proxy-" + program, Program: program} }

// Linked reports whether the servers are at the far end of a line.
func (n Network) Linked() bool { return n.Line != line.Shape{} }

// Direct reports whether it is the loopback interface.
func (n Network) Direct() bool { return n == Network{Name: n.Name} }

// Places reports whether servers have to be put behind a link or on a Unix socket, which
// only the process that starts them can do.
func (n Network) Places() bool { return n.Linked() || n.Unix }

// Waits reports whether the network delays calls.
func (n Network) Waits() bool { return !n.Direct() && !n.Unix }

// carries says why a variant cannot be measured over the network; "" if it can.
func (n Network) carries(v framework.Variant) string {
	if n.Unix && !v.Unix {
		return v.ID() + " has no Unix sockets here"
	}
	if n.Program != "" && v.Datagrams {
		return v.ID() + " is over UDP, and the proxy passes TCP on"
	}
	return ""
}

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
