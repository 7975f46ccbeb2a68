package rig

import (
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// agentID is what a process serves that makes a share of the calls, see -clients.
const agentID = "client"

// prepareRequest tells an agent which share of which case it has.
type prepareRequest struct {
	Flags      map[string]string // the suite's, by name
	Case       string            // its name
	Addrs      []string
	Rank, Size int
}

// runRequest tells an agent to make calls.
type runRequest struct {
	At       time.Time
	Calls    int64         // of this agent; of the whole in an open loop
	Duration time.Duration // see loadgen.Config
}

// runReply is what an agent measured.
type runReply struct {
	Result *loadgen.Result
	Error  string // why it ended early
}

// shareOf is what rank has of a whole that is divided among size.
func shareOf(whole, rank, size int) int {
	share := whole / size
	if rank < whole%size {
		share++
	}
	return share
}
