package tars

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TarsGo would be waited for until the timeouts of a start and of a first call.
func TestIPv6IsRefusedAtOnce(t *testing.T) {
	const say = "tars: TarsGo takes no addresses of IPv6, such as ::1"
	_, err := serve("[::1]:0", plainly)
	assert.EqualError(t, err, say)
	_, err = dial("[::1]:1", plainly, framework.DialOptions{Conns: 1})
	assert.EqualError(t, err, say)
}
