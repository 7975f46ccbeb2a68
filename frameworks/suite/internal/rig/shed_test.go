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
	r := &Round{Excuse: "beyond the capacity"}
	assert.True(t, r.excused(late, nil), "calls time out")
	assert.False(t, r.excused(wrong, nil), "a wrong reply is a failure at any load")
	assert.False(t, r.excused(late, load.ErrStuck))
	assert.False(t, new(Round).excused(late, nil), "not below the capacity")
}
