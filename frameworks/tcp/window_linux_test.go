package tcp

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// TestWindows transfers until the kernel has seen what segments are like, and reads the
// windows back that it advertises on both sides.
func TestWindows(t *testing.T) {
	for _, v := range Variants() {
		for _, bytes := range []int{16 << 10, 64 << 10, 100_000, 1 << 20, 4 << 20} {
			t.Run(fmt.Sprintf("%s/%d", v.Transport, bytes), func(t *testing.T) {
				if err := v.Windows.Check(bytes); err != nil {
					t.Skip(err)
				}
				s, err := v.Windows.With(bytes).Serve("127.0.0.1:0")
				require.NoError(t, err)
				defer s.Close()
				c, err := v.Windows.With(bytes).Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
				require.NoError(t, err)
				defer c.Close()
				reqs := requests(1, 2*bytes)
				call := c.Echo(reqs, checker(reqs))
				assert.Eventually(t, func() bool {
					for range 4 {
						require.NoError(t, call(t.Context(), 0))
					}
					own, peer := suitetest.Windows(t, s.Addr())
					return near(bytes, own) && near(bytes, peer)
				}, 10*time.Second, lastKeep)
			})
		}
	}
}

// near reports whether the kernel advertises a window, which it may round to a part of a
// segment.
func near(want int, got int64) bool { return got <= int64(want)*101/100 && got >= int64(want)*95/100 }

func TestWindowsOfTheKernel(t *testing.T) {
	err := window(4<<20).short("send", 200<<10)
	assert.EqualError(t, err, "the kernel gives a send buffer of 204800 bytes, less than the window of 4194304 bytes: raise net.core.rmem_max and net.core.wmem_max, or run as root")
}
