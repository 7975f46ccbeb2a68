package framework

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNetworkOf(t *testing.T) {
	for _, c := range []struct{ says, addr, want string }{
		{"a port of this machine is TCP", "127.0.0.1:80", "tcp"},
		{"IPv6 as well", "[::1]:80", "tcp"},
		{"and any port of any address", ":0", "tcp"},
		{"a path is a Unix socket", "/tmp/a/1", "unix"},
		{"even if it looks like a port", "/tmp/127.0.0.1:80", "unix"},
		{"a path that does not begin at the root is none", "tmp/1", "tcp"},
	} {
		t.Run(c.says, func(t *testing.T) { assert.Equal(t, c.want, NetworkOf(c.addr)) })
	}
}
