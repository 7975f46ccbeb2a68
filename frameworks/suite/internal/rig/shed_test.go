package rig

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
)

func TestCallsThatAnOverloadSheds(t *testing.T) {
	wrong := load.Measured{}
	wrong.Result = &loadgen.Result{ErrorKinds: []loadgen.ErrorKind{{Text: "context deadline exceeded"}, {Text: string(call.ErrWrongReply)}}}
	late := load.Measured{}
	late.Result = &loadgen.Result{ErrorKinds: wrong.ErrorKinds[:1]}
	r := &Round{Sheds: true}
	assert.True(t, r.shed(late, nil), "calls time out")
	assert.False(t, r.shed(wrong, nil), "a wrong reply is a failure at any load")
	assert.False(t, r.shed(late, load.ErrStuck))
	assert.False(t, new(Round).shed(late, nil), "not below the capacity")
}
