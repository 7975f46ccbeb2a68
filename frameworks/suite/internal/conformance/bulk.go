package conformance

import (
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// transferSize is more than what sockets and windows keep.
const transferSize = 4 << 20

// transfers tests what can go wrong with large transfers.
func (s subject) transfers(t tester.T) {
	t.Run("reset", func(t tester.T) { s.noticesAReset(t) })
	if s.streaming {
		t.Run("the server ends it", func(t tester.T) { s.reportsAnEarlyEnd(t) })
		t.Run("the client ends it", func(t tester.T) { s.endsWhatIsGivenUp(t) })
	}
}

// waysToTransfer are modes of Bulk that differ in what the client does. A stream for many
// transfers has no deadline, so that over UDP it ends when QUIC has heard nothing for 30 s.
func (s subject) waysToTransfer() []string {
	if s.streaming && !s.Datagrams {
		return []string{"bytes", "stream"}
	}
	return []string{"bytes"}
}

// noticesAReset has the connection reset when a quarter has come back. Of UDP, which has no
// reset, nothing more comes, and the call ends with its deadline.
func (s subject) noticesAReset(t tester.T) {
	s.skipRacy(t)
	size := min(transferSize, 4*s.large())
	if s.Fits(size) != nil {
		size = s.MaxMessage
	}
	for _, way := range s.waysToTransfer() {
		c, err := s.Dial(s.cutOff(t, int64(size/4)), framework.DialOptions{Conns: 1, Callers: 1, Patience: s.enough})
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		call, err := call.Transfer(t.Context(), s.Target, c, way, size)
		require.NoError(t, err)
		begin := time.Now()
		deadline := s.enough
		if s.Datagrams {
			deadline /= 10
		}
		err = call(tester.Within(t, deadline), 0)
		assert.ErrorContains(t, err, s.ID(), way)
		assert.ErrorContains(t, err, "a transfer of "+strconv.Itoa(size)+" bytes", way)
		assert.Less(t, time.Since(begin), s.enough, way)
	}
}

// cutOff starts a proxy that passes on a number of bytes of the server on each connection,
// and then resets it.
func (s subject) cutOff(t tester.T, after int64) (addr string) {
	if s.Datagrams {
		return s.relayed(t, func(datagram []byte, reply bool, send func([]byte)) {
			if reply && atomic.AddInt64(&after, -int64(len(datagram))) < 0 {
				return
			}
			send(datagram)
		}).Addr()
	}
	return s.proxied(t, func(near, far net.Conn) {
		io.CopyN(near, far, after)
		near.(*net.TCPConn).SetLinger(0)
	})
}

// startTransfer opens a stream for a transfer that a fault ends.
func (s subject) startTransfer(t tester.T, fault func(framework.EchoStream) framework.EchoStream) error {
	c := as[framework.StreamClient](t, s.dial(t, 1))
	stream := fault(s.openStream(t, c, 0))
	begin := time.Now()
	err := call.TransferBy(stream, transferSize)
	assert.Less(t, time.Since(begin), s.enough)
	s.goesOn(t, c)
	return err
}

func (s subject) reportsAnEarlyEnd(t tester.T) {
	err := s.startTransfer(t, func(e framework.EchoStream) framework.EchoStream { return &failing{EchoStream: e} })
	assert.ErrorContains(t, err, handler.ErrAsked.Error())
}

// failing asks the server for an error with its third message.
type failing struct {
	framework.EchoStream
	sent int
}

func (f *failing) Send(m framework.EchoMessage) error {
	if f.sent++; f.sent == 3 {
		m.Action = handler.ActionFail
	}
	return f.EchoStream.Send(m)
}

func (s subject) endsWhatIsGivenUp(t tester.T) {
	err := s.startTransfer(t, func(e framework.EchoStream) framework.EchoStream {
		return &leaving{EchoStream: e, left: make(chan struct{})}
	})
	assert.Error(t, err)
}

// leaving is closed when its third message has come back. It sends most of the others after
// that, because messages that had arrived before may still be received.
type leaving struct {
	framework.EchoStream
	sent, received int
	left           chan struct{}
}

func (l *leaving) Send(m framework.EchoMessage) error {
	if l.sent++; l.sent > 4 {
		<-l.left
	}
	return l.EchoStream.Send(m)
}

func (l *leaving) Recv() (framework.EchoMessage, error) {
	if l.received++; l.received == 3 {
		l.Close()
		close(l.left)
	}
	return l.EchoStream.Recv()
}
