package rig

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/loadgen"
)

func TestCallsThatAnOverloadSheds(t *testing.T) {
	wrong := measured{}
	wrong.Result = &loadgen.Result{ErrorKinds: []loadgen.ErrorKind{{Text: "context deadline exceeded"}, {Text: string(errWrongReply)}}}
	late := measured{}
	late.Result = &loadgen.Result{ErrorKinds: wrong.ErrorKinds[:1]}
	r := &round{sheds: true}
	assert.True(t, r.shed(late, nil), "calls time out")
	assert.False(t, r.shed(wrong, nil), "a wrong reply is a failure at any load")
	assert.False(t, r.shed(late, errStuck))
	assert.False(t, new(round).shed(late, nil), "not below the capacity")
}
