package address

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNetwork(t *testing.T) {
	for _, c := range []struct{ says, addr, want string }{
		{"a port of this machine is TCP", "127.0.0.1:80", "tcp"},
		{"IPv6 as well", "[::1]:80", "tcp"},
		{"and any port of any address", ":0", "tcp"},
		{"a path is a Unix socket", "/tmp/a/1", "unix"},
		{"even if it looks like a port", "/tmp/127.0.0.1:80", "unix"},
		{"a path that does not begin at the root is none", "tmp/1", "tcp"},
	} {
		t.Run(c.says, func(t *testing.T) { assert.Equal(t, c.want, Network(c.addr)) })
	}
}

// TestServersThatCannotTellTheirPort are given one, and another if that is taken meanwhile.
func TestServersThatCannotTellTheirPort(t *testing.T) {
	var ports []string
	failing := func(times int) func(string) (net.Listener, error) {
		ports = nil
		return func(addr string) (net.Listener, error) {
			if ports = append(ports, addr); len(ports) <= times {
				return nil, errors.New("the port is taken")
			}
			return nil, nil
		}
	}
	_, err := ServeOnFree("127.0.0.1:0", failing(2))
	assert.NoError(t, err)
	assert.Len(t, ports, 3)
	for _, addr := range ports {
		assert.Regexp(t, `^127\.0\.0\.1:[1-9]\d*$`, addr)
	}
	_, err = ServeOnFree("127.0.0.1:0", failing(1000))
	assert.EqualError(t, err, "the port is taken", "of the last try")
	assert.Len(t, ports, portTries)
	_, err = ServeOnFree("nowhere", failing(0))
	assert.ErrorContains(t, err, "missing port")
	assert.Empty(t, ports)
}
