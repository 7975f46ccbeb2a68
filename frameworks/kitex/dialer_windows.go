package kitex

import (
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/gonet"
)

// newDialer returns the dialer that kitex itself has on this system.
func newDialer() remote.Dialer { return gonet.NewDialer() }
