package tars

import (
	"fmt"
	"net"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is how both sides are configured.
type setup struct {
	profile, about string
	noDelay        bool // turn Nagle's algorithm off on the server
	layers         layer.Stack
}

const about = "servants come from a configuration file and have direct endpoints; the code is written by hand, as tars2go would write it; a tag is one byte, so fields 271, 272 and 280 have the tags 200 to 202; TarsGo's limits of 10 MiB a package and 3 s a call are lifted"

var (
	plainly = setup{about: about}
	tuned   = setup{"tuned", about + "; the server has tcpnodelay=true, where TarsGo leaves Nagle's algorithm on", true, layer.Stack{}}
)

// split splits an address into host and port. It refuses IPv6: TarsGo splits its list of
// endpoints at each colon, and would be waited for in vain.
func split(addr string) (name, port string, err error) {
	name, port, err = net.SplitHostPort(addr)
	if err == nil && strings.Contains(name, ":") {
		err = fmt.Errorf("tars: TarsGo takes no addresses of IPv6, such as %s", name)
	}
	return name, port, err
}
