package framework

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestActions(t *testing.T) {
	msg := []byte{0, 0xf0}
	assert.NoError(t, HandleEcho(ActionEcho, msg))
	assert.NoError(t, HandleEcho("", msg))
	assert.ErrorIs(t, HandleEcho(ActionFail, msg), ErrAsked)
	assert.ErrorContains(t, HandleEcho("ech", msg), `rpcbench: not implemented: the action "ech" is not known`)
	assert.Equal(t, []byte{0, 0xf0}, msg)
	assert.NoError(t, HandleEcho(ActionInvert, msg))
	assert.Equal(t, []byte{0xff, 0x0f}, msg)
	assert.ErrorContains(t, HandleEcho("work/steady", msg), `"work/steady" is not known`, "this process was not started with it")
}

func TestSumsComeBack(t *testing.T) {
	var h StreamHandler
	var want Sum
	for _, b := range []string{"a", "", "bc"} {
		want.Add([]byte(b))
		_, answered, err := h.Handle(EchoMessage{Action: ActionSink, Msg: []byte(b)})
		require.NoError(t, err)
		assert.False(t, answered)
	}
	answer, answered, err := h.Handle(EchoMessage{Action: ActionSum})
	require.NoError(t, err)
	assert.True(t, answered)
	got, err := DecodeSum(answer)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = DecodeSum(EchoMessage{Action: ActionSum})
	assert.ErrorContains(t, err, "a sum was asked for")
}
