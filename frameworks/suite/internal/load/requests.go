package load

import (
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
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
	Certs      *layer.Certificates
	Build      *builds.Build // of the agent; nil for that of the process which starts it
}

// RunRequest tells an agent to make calls.
type RunRequest struct {
	At       time.Time     // when they begin
	Calls    int64         // this agent's calls
	Duration time.Duration // see loadgen.Config
	Own      *Own          // nil for calls as those of the case
}

// Own says how a run is made that is not as its case says. All but the rate are as in
// loadgen.Config, of all agents together.
type Own struct {
	Agents                            int     // the first of them that make the calls
	Rate                              float64 // calls per second, in an open loop; 0 for a closed one
	Workers                           int
	Timeout, MaxLag, Interval, Warmup time.Duration
}

// RunReply is what an agent measured.
type RunReply struct {
	Result *loadgen.Result
	Error  string       // why it ended early
	Began  time.Time    // when its calls began
	Used   host.Figures // by its process since then
	Dues   dues         // in an open loop
	Taken  call.Taken   // sizes
	// Repeated is how many attempts there were beyond the first of each call; nil with -retry=none.
	Repeated *int64
}

// StepRequest asks for a batch of a run under way, or for what was measured if there is none.
// It says how the run goes on.
type StepRequest struct {
	Batch int
	Verdict
}

// Verdict ends a run of agents. Its zero value lets it go on.
type Verdict struct {
	End   time.Duration // no call is due from then on, after the start of the run; 0 for none
	Fails bool          // no more calls are sent
}

// StepReply is a batch, or what was measured.
type StepReply struct {
	Batch *loadgen.Progress
	Done  *RunReply
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
