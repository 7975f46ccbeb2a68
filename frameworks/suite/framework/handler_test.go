package framework

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestActions(t *testing.T) {
	for _, c := range []struct {
		about, action string
		reply         []byte
		say           string
	}{
		{"the payload comes back", ActionEcho, []byte{0, 0xf0}, ""},
		{"and without an action", "", []byte{0, 0xf0}, ""},
		{"its bits inverted", ActionInvert, []byte{0xff, 0x0f}, ""},
		{"an error that was asked for", ActionFail, nil, ErrAsked.Error()},
		{"an action that there is not", "ech", nil, `rpcbench: not implemented: the action "ech" is not known`},
		{"work that this process was not started with", "work/steady", nil, `"work/steady" is not known`},
		{"a reply of another size", ActionReply(3, ActionEcho), sequenceOf(0xf003)[0xf000:0xf003], ""},
		{"a reply of no bytes", ActionReply(0, ActionEcho), []byte{}, ""},
		{"a reply after work", ActionReply(3, ActionWork("steady")), nil, `"work/steady" is not known`},
		{"a reply without its size", "reply/", nil, `"reply/" is not known`},
		{"a reply of fewer bytes than none", "reply/-1", nil, `"reply/-1" is not known`},
		{"a reply larger than any", "reply/1073741825", nil, `"reply/1073741825" is not known`},
	} {
		reply, err := HandleEcho(c.action, []byte{0, 0xf0})
		if c.say != "" {
			assert.ErrorContains(t, err, c.say, c.about)
			continue
		}
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.reply, reply, c.about)
	}
}

func TestRepliesOfAnotherSizeAfterWork(t *testing.T) {
	var calls int
	ServeWork("counted", Work{Do: func() error { calls++; return nil }})
	defer func() { serving.action = "" }()
	reply, err := HandleEcho(ActionReply(5, ActionWork("counted")), []byte("request"))
	require.NoError(t, err)
	assert.Len(t, reply, 5)
	assert.Equal(t, 1, calls)
}

func TestReplyToIsWhatTheHandlerReplies(t *testing.T) {
	seen := map[string]bool{}
	for _, action := range []string{ActionEcho, ActionReply(8, ActionEcho), ActionReply(5000, ActionEcho)} {
		for _, msg := range []string{"", "a", "abc", "abcdefgh"} {
			reply, err := HandleEcho(action, []byte(msg))
			require.NoError(t, err)
			assert.Equal(t, string(reply), string(ReplyTo(EchoMessage{Action: action, Msg: []byte(msg)})), "%s of %q", action, msg)
			if msg != "abcdefgh" { // its reply is that of its first three bytes
				assert.False(t, seen[string(reply)], "%s of %q: two requests have the same reply", action, msg)
			}
			seen[string(reply)] = true
		}
	}
}

func TestTheSequenceIsSplitMix64(t *testing.T) {
	assert.Equal(t, "afcd1d7b39a820e2", hex.EncodeToString(splitMix(8)), "its first number is e220a8397b1dcdaf")
	assert.Equal(t, splitMix(100)[:50], splitMix(50)[:50], "a longer one begins alike")
}
