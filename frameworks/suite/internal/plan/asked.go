package plan

import (
	"fmt"
	"math"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Asked is how many connections a case opens to all its servers together.
type Asked struct{ Least, Most int }

// anyMore is the Most without a bound.
const anyMore = math.MaxInt

// Asked returns how many connections a case opens when this many clients share its
// callers and connections. Each client has one at least.
func (c Case) Asked(clients int) Asked {
	switch {
	case c.Sharing == framework.Short: // they are closed after their calls
		return Asked{0, c.Workers * c.Servers}
	case c.Sharing == framework.Pooled && c.Streamed:
		return Asked{c.streaming(clients), anyMore}
	case c.Sharing == framework.Pooled:
		return Asked{clients, c.Workers * c.Servers}
	}
	n := max(c.Conns/clients, 1) * clients * c.Servers
	return Asked{n, n}
}

// streaming is how many connections streams have at least where calls have a pool. They
// may have others than calls, which end with them.
func (c Case) streaming(clients int) int {
	if c.Endless || c.Streams > 0 { // they stay open
		return clients
	}
	return 0
}

// String is the number, or from the least to the most.
func (a Asked) String() string {
	switch a.Most {
	case a.Least:
		return fmt.Sprint(a.Most)
	case anyMore:
		return fmt.Sprintf("%d or more", a.Least)
	}
	return fmt.Sprintf("%d to %d", a.Least, a.Most)
}
