// Package tars adapts TarsGo over TCP.
package tars

import (
	"fmt"
	"net"
	"strings"

	messages "github.com/rpcbench/rpcbench/codecs/rpc/tars"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// MaxMessage is the largest echo payload in bytes: TarsGo's own limit, 10 MiB
// for a package, is lifted on both sides.
const MaxMessage = 64 << 20

// maxPackage leaves room for what surrounds a payload.
const maxPackage = MaxMessage + 64<<10

// servant is the object that both sides name.
const servant = "Rpcbench.Bencher.BencherObj"

// Names of the methods.
const (
	methodEcho    = "echo"
	methodMessage = "message"
	methodUnknown = "unknown"
)

const announced = "TarsGo allocates the bytes in a packet by the length that is written before them, up to 2 GiB"

const about = "servants come from a configuration file and have direct endpoints; the code is written by hand, as tars2go would write it; a tag is one byte, so fields 271, 272 and 280 have the tags 200 to 202; TarsGo's limits of 10 MiB a package and 3 s a call are lifted"

// setup is how both sides are configured.
type setup struct {
	profile, about string
	noDelay        bool // turn Nagle's algorithm off on the server
}

var (
	plainly = setup{about: about}
	tuned   = setup{"tuned", about + "; the server has tcpnodelay=true, where TarsGo leaves Nagle's algorithm on", true}
)

// Variants lists TarsGo with its defaults, and without Nagle's algorithm, which its
// servers use by default.
func Variants() []framework.Variant {
	recommended := variant(plainly)
	recommended.Recommended = true
	return []framework.Variant{recommended, variant(tuned)}
}

// variant has no DialAll: TarsGo tells servers apart only by their hosts, and of two
// servers on a host it calls only the first.
//
// It has no layers. TarsGo has TLS (endpoints of ssl), but verifies the address of a server
// and not a name, and reads the certificates of all clients of a process once.
func variant(s setup) framework.Variant {
	return framework.Variant{
		Keys:    framework.Keys{Framework: "tars", Transport: "tcp", Codec: "tars", Profile: s.profile},
		About:   s.about + "; " + announced,
		Modules: []string{"github.com/TarsCloud/TarsGo"},
		Limits:  framework.Limits{Announced: announced, MaxMessage: MaxMessage},
		Races:   framework.Races{Calls: "TarsGo notes the time of the last call, and the proxy of a connection, without a lock"},
		Unknown: framework.Says("func mismatch"),
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:    dial,
	}
}

// split splits an address into host and port. It refuses IPv6: TarsGo splits its list of
// endpoints at each colon, and would be waited for in vain.
func split(addr string) (name, port string, err error) {
	name, port, err = net.SplitHostPort(addr)
	if err == nil && strings.Contains(name, ":") {
		err = fmt.Errorf("tars: TarsGo takes no addresses of IPv6, such as %s", name)
	}
	return name, port, err
}

// kind handles the messages.
var kind = native.Kind[messages.EchoMessage, messages.BenchMessage]{
	Set: func(e *messages.EchoMessage, m framework.EchoMessage) { e.Action, e.Msg = m.Action, m.Msg },
	Get: func(e *messages.EchoMessage) framework.EchoMessage {
		return framework.EchoMessage{Action: e.Action, Msg: e.Msg}
	},
	Answer: func(b *messages.BenchMessage) {
		b.Field1, b.Field2 = framework.AnswerField1, framework.AnswerField2
	},
	Answered: func(b *messages.BenchMessage) (string, int32) { return b.Field1, b.Field2 },
}
