package tester

import (
	"context"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// Waits are streams whose server waits, and which the client ends.
type Waits struct {
	Client framework.StreamClient
	Within time.Duration // in which what has ended must return, even on a busy machine
	// Answers says that the server echoes, and waits while nobody receives its answers.
	// Otherwise it waits all the time.
	Answers bool
}

// opener is what tests of streams need of a *testing.T.
type opener interface {
	require.TestingT
	Context() context.Context
}

// soon is after how long a stream is ended.
const soon = 200 * time.Millisecond

// End opens streams, leaves them waiting for the server, and ends each by its deadline, by its
// context and by Close. All that waits must then return.
func (w Waits) End(t opener) {
	for about, use := range w.uses() {
		w.ends(t, about+", ended by its deadline", use, byDeadline, func(framework.EchoStream, func()) {})
		w.ends(t, about+", ended by its context", use, context.WithCancel, func(_ framework.EchoStream, cancel func()) { cancel() })
		w.ends(t, about+", ended by Close", use, context.WithCancel, func(s framework.EchoStream, _ func()) { s.Close() })
	}
}

func byDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, soon)
}

// uses are what a client does on a stream until its server waits.
func (w Waits) uses() map[string]func(framework.EchoStream) {
	uses := map[string]func(framework.EchoStream){
		"no message sent": func(framework.EchoStream) {},
		"a message sent that has no answer": func(s framework.EchoStream) {
			s.Send(framework.EchoMessage{Action: handler.ActionSink, Msg: []byte("sunk")})
		},
	}
	if w.Answers {
		uses["a message sent and answered"] = echo
		uses["more sent than is received"] = flood
	}
	return uses
}

// echo sends a message and receives the answer. If it cannot, Recv fails later, too.
func echo(s framework.EchoStream) {
	if s.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: []byte("echoed")}) == nil {
		s.Recv()
	}
}

// flood sends more than the buffers and windows of most frameworks take.
func flood(s framework.EchoStream) {
	part := make([]byte, 256<<10)
	for range 64 {
		if s.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: part}) != nil {
			return
		}
	}
}

// ends ends a stream, and wants an error of Recv soon after.
func (w Waits) ends(t opener, about string, use func(framework.EchoStream), within func(context.Context) (context.Context, context.CancelFunc), end func(framework.EchoStream, func())) {
	ctx, cancel := within(t.Context())
	defer cancel()
	opened, ended := make(chan framework.EchoStream, 1), make(chan error, 1)
	go func() {
		s, err := w.Client.OpenStream(ctx, 0)
		if err == nil {
			opened <- s
			use(s)
			err = drained(s)
			s.Close()
		}
		ended <- err
	}()
	time.AfterFunc(soon, func() {
		select {
		case s := <-opened:
			end(s, cancel)
		case <-ctx.Done():
		}
	})
	select {
	case err := <-ended:
		assert.Error(t, err, "%s: Recv said nothing of it", about)
	case <-time.After(soon + w.Within):
		require.Fail(t, about+": a stream was still waiting for its server "+w.Within.String()+" after its end")
	}
}

// drained receives until an error comes.
func drained(s framework.EchoStream) (err error) {
	for err == nil {
		_, err = s.Recv()
	}
	return err
}
