package nats

import (
	"cmp"
	"net"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// dialTimeout bounds a connect with its handshakes.
const dialTimeout = 10 * time.Second

// dialer keeps the connection that it has opened.
type dialer struct {
	timeout time.Duration
	conn    net.Conn
}

// Dial implements nats.CustomDialer.
func (d *dialer) Dial(network, address string) (c net.Conn, err error) {
	d.conn, err = net.DialTimeout(network, address, d.timeout)
	return d.conn, err
}

// connect opens a connection without reconnecting: with it, calls that are under way when
// the broker goes would wait until their contexts end.
func connect(addr string, s layer.Stack, o framework.DialOptions, d *dialer) (*nats.Conn, error) {
	d.timeout = cmp.Or(o.Patience, dialTimeout)
	options := []nats.Option{
		nats.NoReconnect(), nats.Timeout(d.timeout), nats.SetCustomDialer(d),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // its own prints to the standard error
	}
	if t := s.ClientTLS(o.Handshakes); t != nil {
		options = append(options, nats.Secure(t))
	}
	return nats.Connect("nats://"+addr, options...)
}
