package link

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSubnets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about     string
		n         int
		near, far string
	}{
		{"the first", 0, "198.18.0.1", "198.18.0.2"},
		{"the next", 1, "198.18.0.5", "198.18.0.6"},
		{"the third byte counts", 64, "198.18.1.1", "198.18.1.2"},
		{"the last", subnets - 1, "198.19.255.253", "198.19.255.254"},
		{"then from the start", subnets, "198.18.0.1", "198.18.0.2"},
	} {
		near, far := subnet(c.n)
		assert.Equal(t, c.near, near.String(), c.about)
		assert.Equal(t, c.far, far.String(), c.about)
	}
}

func TestTakenSubnets(t *testing.T) {
	t.Parallel()
	taken := []net.Addr{&net.IPNet{IP: net.IPv4(198, 18, 0, 6), Mask: net.CIDRMask(30, 32)}}
	first, _ := subnet(0)
	second, _ := subnet(1)
	assert.False(t, within(taken, first))
	assert.True(t, within(taken, second), "its other address is taken")
}
