package suite

import (
	"net"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The values of lost.
const (
	lostAway   = "away"   // to a server in the client's process
	lostBeside = "beside" // the same, at an address that has the right port
	lostOne    = "one"    // all but one to the server
)

// strays are variants whose clients have other connections than they are asked for. Of
// each there is one that is ranked, and one that is not.
func strays() (list []framework.Variant) {
	for _, lost := range []string{lostAway, lostBeside, lostOne} {
		t := tiny{name: "stray", lost: lost}
		ranked := framework.Variant{Keys: framework.Keys{Framework: "stray" + lost, Transport: "tcp", Codec: "gob"}, Serve: t.serve, Dial: t.dial}
		beside := ranked
		beside.Framework, beside.Rank = "unranked"+ranked.Framework, framework.Beside
		list = append(list, ranked, beside)
	}
	return list
}

// stray changes where a client dials, and how often.
func (t tiny) stray(addr string, o framework.DialOptions) (string, framework.DialOptions) {
	at := "127.0.0.1:0"
	switch t.lost {
	case "":
		return addr, o
	case lostOne:
		o.Conns = max(o.Conns-1, 1)
		return addr, o
	case lostBeside:
		_, port, _ := net.SplitHostPort(addr)
		at = "127.0.0.2:" + port
	}
	s, err := tiny{}.serve(at)
	if err != nil { // a client before this one has it
		return at, o
	}
	return s.Addr(), o
}
