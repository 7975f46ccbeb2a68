package push

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/loadgen/carrier"
)

// in receives the messages of a stream.
type in struct {
	lane   *lane
	stream framework.EchoStream
	index  int    // of the receivers of the lane
	number int    // of all
	seq    uint64 // of the push that the next message is of
	got    int    // messages of it

	mu       sync.Mutex
	run      *run // nil between runs
	recorder carrier.Recorder
}

// receive receives until the stream ends.
func (i *in) receive() {
	for {
		m, err := i.stream.Recv()
		if err != nil {
			i.lane.load.end(err)
			return
		}
		p := i.next()
		if p == nil {
			i.lane.load.end(unasked(m))
			return
		}
		if err := i.inOrder(p, m); err != nil {
			i.lane.load.end(err)
			return
		}
		i.take(p, i.compare(m))
	}
}

// next is the push that a message is of; nil if none is under way. Those that go to fewer
// receivers are passed over.
func (i *in) next() *push {
	for ; i.seq < i.lane.tail.Load(); i.seq++ {
		if p := i.lane.slot(i.seq); p.goesTo(i.seq, i.index) {
			return p
		}
	}
	return nil
}

// inOrder returns an error unless the message has the number that is expected.
func (i *in) inOrder(p *push, m framework.EchoMessage) error {
	if len(m.Msg) < ask.Number {
		return nil
	}
	got, want := binary.LittleEndian.Uint64(m.Msg), p.number+uint64(i.got)
	switch {
	case got > want:
		return fmt.Errorf("stream: message %d came, want %d: messages were lost or have overtaken others", got, want)
	case got < want:
		return fmt.Errorf("stream: message %d came, want %d: messages were doubled, or were overtaken by others", got, want)
	}
	return nil
}

var errOther = errors.New("stream: the message that came back is not what was sent")

// compare compares a message with what was sent, without the number, which another goroutine
// may be changing.
func (i *in) compare(m framework.EchoMessage) error {
	want, from := i.lane.msg, 0
	if len(m.Msg) != len(want) || m.Action != handler.ActionPushed {
		return errOther
	}
	if len(want) >= ask.Number {
		from = ask.Number
	}
	if !i.lane.load.Equal(i.number, m.Msg[from:], want[from:]) {
		return errOther
	}
	return nil
}

// take counts a message. The slot of the push may be used again when its last message was
// taken.
func (i *in) take(p *push, wrong error) {
	each := 1
	if !i.lane.fans {
		each = p.messages
	}
	if i.got++; i.got == each {
		i.got = 0
		i.seq++
	}
	waited := p.waited
	r := i.tell(p, wrong)
	if p.left.Add(-1) > 0 {
		return
	}
	if r != nil {
		r.open.Add(-1)
	}
	if waited {
		i.lane.done <- struct{}{}
	}
}

// tell tells the run of a push about a message; nil if it counts in none.
func (i *in) tell(p *push, wrong error) *run {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.run == nil || p.run != i.run.id {
		return nil
	}
	i.run.tell(i, p, wrong)
	return i.run
}

// join has messages count in r from now on; in none if that is nil.
func (i *in) join(r *run) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.run != nil && i.run.ledger != nil {
		i.recorder.Close(i.run.ledger)
	}
	i.run = r
}
