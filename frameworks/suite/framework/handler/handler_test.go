package handler

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

func TestActions(t *testing.T) {
	for _, c := range []struct {
		about, action string
		reply         []byte
		say           string
	}{
		{"the payload comes back", ActionEcho, []byte{0, 0xf0}, ""},
		{"and without an action", "", []byte{0, 0xf0}, ""},
		{"its bits inverted", ask.Invert, []byte{0xff, 0x0f}, ""},
		{"an error that was asked for", ActionFail, nil, ErrAsked.Error()},
		{"an action that there is not", "ech", nil, `rpcbench: not implemented: the action "ech" is not known`},
		{"work that this process was not started with", "work/steady", nil, `"work/steady" is not known`},
		{"a reply of another size", ask.Reply(3, ActionEcho), ask.PartOf([]byte{0, 0xf0}, 3), ""},
		{"a reply of no bytes", ask.Reply(0, ActionEcho), []byte{}, ""},
		{"a reply after work", ask.Reply(3, ask.Work("steady")), nil, `"work/steady" is not known`},
		{"a reply without its size", "reply/", nil, `"reply/" is not known`},
		{"a reply of fewer bytes than none", "reply/-1", nil, `"reply/-1" is not known`},
		{"a reply larger than any", "reply/1073741825", nil, `"reply/1073741825" is not known`},
	} {
		reply, err := Echo(c.action, []byte{0, 0xf0})
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
	ServeWork("counted", func() error { calls++; return nil })
	defer func() { serving.action = "" }()
	reply, err := Echo(ask.Reply(5, ask.Work("counted")), []byte("request"))
	require.NoError(t, err)
	assert.Len(t, reply, 5)
	assert.Equal(t, 1, calls)
}

func TestReplyToIsWhatTheHandlerReplies(t *testing.T) {
	seen := map[string]bool{}
	for _, action := range []string{ActionEcho, ask.Reply(8, ActionEcho), ask.Reply(5000, ActionEcho)} {
		for _, msg := range []string{"", "a", "abc", "abcdefgh"} {
			reply, err := Echo(action, []byte(msg))
			require.NoError(t, err)
			assert.Equal(t, string(reply), string(ask.ReplyTo(action, []byte(msg))), "%s of %q", action, msg)
			if msg != "abcdefgh" { // its reply is that of its first three bytes
				assert.False(t, seen[string(reply)], "%s of %q: two requests have the same reply", action, msg)
			}
			seen[string(reply)] = true
		}
	}
}

// TestForeignTextInErrors: what a client sends is shown in part, since each call may fail.
func TestForeignTextInErrors(t *testing.T) {
	_, err := Echo(strings.Repeat("x\n", 1<<20), nil)
	assert.ErrorIs(t, err, ErrNotImplemented)
	assert.Less(t, len(err.Error()), 400)
}

// TestActionsThatAlter compares what is said of actions with what Echo does.
func TestActionsThatAlter(t *testing.T) {
	for _, action := range []string{ActionEcho, "", ask.Invert, ask.Reply(1, ActionEcho)} {
		reply, err := Echo(action, []byte("two"))
		require.NoError(t, err)
		assert.Equal(t, string(reply) != "two", Alters(action), "%q", action)
	}
}
