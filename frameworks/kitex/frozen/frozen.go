// Package frozen adapts releases of kitex that today's adapter does not compile with. It
// has today's protobuf over a pool and over shared connections, with the same keys, options
// and messages, so that its lines compare with those of today's, and the pool of an article
// of that time. It is a module of its own, because a binary has one version of kitex.
package frozen

import (
	"time"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/connpool"
	"github.com/cloudwego/kitex/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Variants lists the pool, the shared connections, and the pool of the article.
func Variants() []framework.Variant {
	recommended := variant(pool)
	recommended.Recommended = true
	return []framework.Variant{recommended, variant(mux), variant(idle10)}
}

// setup is a connection model, and the options for it.
type setup struct {
	name    string
	profile string
	about   string
	rank    framework.Rank
	sharing framework.Sharing
	server  []server.Option
	client  func(framework.DialOptions) kitexclient.Option
	// callLimit is how long a call may take. By default that is a second, and zero ends a
	// call at once.
	callLimit time.Duration
	// dialLimit bounds each connect; 0 for dialTimeout.
	dialLimit time.Duration
}

// forever is longer than any call.
const forever = 24 * time.Hour

const aboutPool = "kitex's default protocol for protobuf, TTHeaderFramed, over a pool of long connections"

// pool keeps a connection for each caller, so that none is closed between calls.
var pool = setup{
	name:    "pool",
	about:   aboutPool,
	sharing: framework.Pooled,
	client:  func(o framework.DialOptions) kitexclient.Option { return longConnections(o.Callers) },

	callLimit: forever,
}

// mux ends calls after ten seconds. In v0.0.3 those under way do not notice that their
// connection is lost, before another call needs it.
var mux = setup{
	name:    "mux",
	about:   "TTHeaderFramed over shared connections; a call whose connection is lost waits up to 10 s",
	rank:    framework.Beside,
	sharing: framework.Mux,
	server:  []server.Option{server.WithMuxTransport()},
	client:  func(o framework.DialOptions) kitexclient.Option { return kitexclient.WithMuxConnection(o.Conns) },

	callLimit: 10 * time.Second,
}

// idle10 has the pool of the article whose long tail frameworks/ARTICLE.md is about.
var idle10 = setup{
	name:    "pool",
	profile: "idle10",
	about:   aboutPool + "; ten of them stay open, as in the article of August 2021, and calls beyond these open a connection each",
	rank:    framework.Beside,
	sharing: framework.Pooled,
	client:  func(framework.DialOptions) kitexclient.Option { return longConnections(10) },

	callLimit: forever,
}

func longConnections(idle int) kitexclient.Option {
	return kitexclient.WithLongConnection(connpool.IdleConfig{
		MaxIdlePerAddress: idle,
		MaxIdleGlobal:     1 << 20,
		MaxIdleTimeout:    time.Minute, // as in kitex's default pool
	})
}

// announced is what a few damaged bytes of a reply can do, as with today's adapter.
const announced = "the client allocates what a reply announces, which can be gigabytes"

func variant(s setup) framework.Variant {
	v := framework.Variant{
		Keys:        framework.Keys{Framework: "kitex", Transport: s.name, Codec: "protobuf", Profile: s.profile},
		About:       "the adapter is that of old releases, without streams; " + s.about + "; " + announced,
		Modules:     []string{"github.com/cloudwego/kitex", "github.com/cloudwego/netpoll", "google.golang.org/protobuf"},
		Rank:        s.rank,
		Connections: framework.Connections{Sharing: s.sharing},
		Limits:      framework.Limits{Announced: announced},
		Unknown:     unknown,
		Serve:       func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:        func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
	if s.callLimit < forever {
		v.CallLimit = s.callLimit
	}
	return v
}
