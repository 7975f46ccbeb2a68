package rig

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// echoAlone is a closed loop of Echo.
func echoAlone(*Settings) []*plan.Benchmark {
	return []*plan.Benchmark{{Name: "Echo", Cases: func(o *plan.Options, t plan.Target) []plan.Leaf {
		return call.ClosedLoops(o, call.EchoOf(t, o.Sizes.Values[0]))
	}}}
}

// A client process finds the case by its whole name, with the parent's flags.
func TestAgentsFindTheirCase(t *testing.T) {
	tuned := framework.Variant{Keys: framework.Keys{Framework: "a", Transport: "t", Codec: "c", Profile: "tuned"}}
	plain := tuned
	plain.Profile = ""
	find := finder(Table{Frameworks: []framework.Variant{tuned, plain}}, echoAlone)
	const name = "BenchmarkEcho/framework=a/transport=t/codec=c/size=3B/conc=7"
	c, err := find(load.PrepareRequest{Case: name, Flags: map[string]string{"size": "3B", "conc": "7"}})
	require.NoError(t, err)
	assert.Empty(t, c.Profile, "the other one's name goes on")
	assert.Equal(t, name, c.Name())
	c, err = find(load.PrepareRequest{Case: name + "/profile=tuned", Flags: map[string]string{"size": "3B", "conc": "7"}})
	require.NoError(t, err)
	assert.Equal(t, "tuned", c.Profile)
	_, err = find(load.PrepareRequest{Case: name})
	assert.ErrorContains(t, err, "no case", "of the default sizes")
}
