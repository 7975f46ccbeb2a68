package suite

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pipe is a stream within this process. Its fault makes of a message what
// arrives at the server.
type pipe struct {
	server  StreamHandler
	answers chan EchoMessage
	fault   func(EchoMessage) []EchoMessage
}

func (p *pipe) Send(m EchoMessage) error {
	m.Msg = append([]byte(nil), m.Msg...)
	for _, m := range p.fault(m) {
		answer, ok, err := p.server.Handle(m)
		if err != nil {
			return err
		}
		if ok {
			p.answers <- answer
		}
	}
	return nil
}

// Recv ends the stream when nothing comes: a lost message shall not stop a test.
func (p *pipe) Recv() (EchoMessage, error) {
	select {
	case m := <-p.answers:
		return m, nil
	case <-time.After(2 * time.Second):
		return EchoMessage{}, io.EOF
	}
}

func (p *pipe) CloseSend() error { return nil }
func (p *pipe) Close() error     { return nil }

// pipeClient opens pipes.
type pipeClient struct {
	Client
	fault func(EchoMessage) []EchoMessage
}

func (c pipeClient) OpenStream(context.Context, int) (EchoStream, error) {
	return &pipe{answers: make(chan EchoMessage, 1000), fault: c.fault}, nil
}

// faulty lets messages through, and the fiftieth is changed. It is given that
// one and the one after it.
func faulty(change func(fiftieth, next EchoMessage) []EchoMessage) func(EchoMessage) []EchoMessage {
	n, held := 0, EchoMessage{}
	return func(m EchoMessage) []EchoMessage {
		switch n++; n {
		case 50:
			held = m
			return nil
		case 51:
			return change(held, m)
		default:
			return []EchoMessage{m}
		}
	}
}

func TestOneWayNoticesFaults(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(a, b EchoMessage) []EchoMessage
		say    string
	}{
		{"all arrive", func(a, b EchoMessage) []EchoMessage { return []EchoMessage{a, b} }, ""},
		{"one is lost", func(a, b EchoMessage) []EchoMessage { return []EchoMessage{b} }, "63 messages with 4032 bytes"},
		{"one comes twice", func(a, b EchoMessage) []EchoMessage { return []EchoMessage{a, b, b} }, "65 messages with 4160 bytes"},
		{"one overtakes another", func(a, b EchoMessage) []EchoMessage { return []EchoMessage{b, a} }, "arrived in their order"},
		{"a byte is changed", func(a, b EchoMessage) []EchoMessage { a.Msg[40]++; return []EchoMessage{a, b} }, "arrived in their order"},
	} {
		t.Run(c.about, func(t *testing.T) {
			j, err := prepareOneWay(t.Context(), pipeClient{fault: faulty(c.change)}, leaf{workers: 1, size: 64})
			require.NoError(t, err)
			errs := callTimes(t, j, 2*ackEvery)
			if c.say == "" {
				assert.NoError(t, errs)
			} else {
				assert.ErrorContains(t, errs, c.say)
			}
		})
	}
}

func TestPingPongNoticesFaults(t *testing.T) {
	for _, c := range []struct {
		about string
		fault func(EchoMessage) []EchoMessage
		say   string
	}{
		{"all is well", func(m EchoMessage) []EchoMessage { return []EchoMessage{m} }, ""},
		{"it is lost", func(EchoMessage) []EchoMessage { return nil }, "EOF"},
		{"it comes twice", func(m EchoMessage) []EchoMessage { return []EchoMessage{m, m} }, "not the one just sent"},
		{"it is cut", func(m EchoMessage) []EchoMessage { m.Msg = m.Msg[1:]; return []EchoMessage{m} }, "a message of 63 bytes"},
	} {
		t.Run(c.about, func(t *testing.T) {
			j, err := preparePingPong(t.Context(), pipeClient{fault: c.fault}, leaf{workers: 1, size: 64})
			require.NoError(t, err)
			errs := callTimes(t, j, 2)
			if c.say == "" {
				assert.NoError(t, errs)
			} else {
				assert.ErrorContains(t, errs, c.say)
			}
		})
	}
}

func callTimes(t *testing.T, j job, n int) (errs error) {
	for range n {
		errs = errors.Join(errs, j.call(t.Context(), 0))
	}
	return errs
}

func TestTransfersAreCompared(t *testing.T) {
	was := env.chunkSize
	env.chunkSize = 64
	defer func() { env.chunkSize = was }()
	for _, c := range []struct {
		about   string
		prepare func(context.Context, Client, leaf) (job, error)
		change  func(a, b EchoMessage) []EchoMessage
		intact  bool
	}{
		{"a continued stream", prepareContinued, func(a, b EchoMessage) []EchoMessage { return []EchoMessage{a, b} }, true},
		{"a stream of its own", prepareOpened, func(a, b EchoMessage) []EchoMessage { return []EchoMessage{a, b} }, true},
		{"one way", prepareSunk, func(a, b EchoMessage) []EchoMessage { return []EchoMessage{a, b} }, true},
		{"one way, a byte is changed", prepareSunk, func(a, b EchoMessage) []EchoMessage { a.Msg[40]++; return []EchoMessage{a, b} }, false},
		{"chunks change places", prepareContinued, func(a, b EchoMessage) []EchoMessage { return []EchoMessage{b, a} }, false},
		{"a byte is changed", prepareOpened, func(a, b EchoMessage) []EchoMessage { a.Msg[40]++; return []EchoMessage{a, b} }, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			j, err := c.prepare(t.Context(), pipeClient{fault: faulty(c.change)}, leaf{workers: 1, size: 100 * 64})
			require.NoError(t, err)
			require.NoError(t, j.call(t.Context(), 0))
			if c.intact {
				require.NoError(t, j.call(t.Context(), 0), "what came before is not part of it: warm-up is not checked")
			}
			assert.Equal(t, c.intact, j.check(0) == nil)
		})
	}
}
