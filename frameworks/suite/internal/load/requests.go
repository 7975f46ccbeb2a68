package load

import (
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/loadgen"
)

// AgentID is what host.Start is told to serve to get an agent: a process that makes
// a share of the calls (-clients, -ranks).
const AgentID = "client"

// PrepareRequest tells an agent its case, and its share of it.
type PrepareRequest struct {
	Flags      map[string]string // the suite's, by name
	Case       string            // its name
	Addrs      []string
	Rank, Size int
	Certs      *framework.Certificates
}

// RunRequest tells an agent to make calls.
type RunRequest struct {
	At       time.Time     // when they begin
	Calls    int64         // this agent's calls; in an open loop the calls of all agents
	Duration time.Duration // see loadgen.Config
}

// RunReply is what an agent measured.
type RunReply struct {
	Result *loadgen.Result
	Error  string       // why it ended early
	Began  time.Time    // when its calls began
	Used   host.Figures // by its process since then
	Dues   dues         // in an open loop
	Taken  call.Taken   // sizes
}

// errUnprepared says that orders came in the wrong order.
var errUnprepared = errors.New("an order before /prepare")

// shareOf returns rank's part of a whole that is divided among size agents.
func shareOf(whole, rank, size int) int {
	share := whole / size
	if rank < whole%size {
		share++
	}
	return share
}

// OpenRequest tells an agent to open idle connections.
type OpenRequest struct {
	PrepareRequest
	Conns  int
	Server int // process that is held while a pool opens connections; 0: none can be
}

// OpenReply is what came of it, see idle.Connections.
type OpenReply struct {
	Asked int
	Took  time.Duration
	Short string // why there are fewer connections; "" if there are all
}
