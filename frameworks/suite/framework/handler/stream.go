package handler

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// Stream answers the messages of one stream. The server of an adapter passes it the messages
// in their order to Handle, and calls End after the last one. The zero Stream is ready to use.
type Stream struct {
	sum    ask.Sum
	member *member // of a stream that has subscribed; nil for others
}

// Handle takes a message and sends its answers: none, one or many. An error ends the
// stream. Handle may change m.Msg, and uses its memory for the next answer,
// so that send must have encoded an answer when it returns. After a message that subscribes
// send is called from another goroutine until End returns, one call at a time.
func (h *Stream) Handle(m framework.EchoMessage, send func(framework.EchoMessage) error) (err error) {
	switch {
	case h.member != nil:
		return errors.New("stream: a subscriber sends no messages")
	case m.Action == ActionSink:
		h.sum.Add(m.Msg)
		return nil
	case m.Action == ActionSum:
		count.Call()
		return send(framework.EchoMessage{Action: ActionSum, Msg: h.sum.Encode()})
	case strings.Contains(m.Action, "/"):
		return h.push(m, send)
	}
	return echoTo(m, send)
}

func echoTo(m framework.EchoMessage, send func(framework.EchoMessage) error) (err error) {
	if m.Msg, err = Echo(m.Action, m.Msg); err != nil {
		return err
	}
	return send(m)
}

// End is called when no more messages come. It returns when send is not called any more.
func (h *Stream) End() {
	if h.member != nil {
		h.member.leave()
	}
}

// push has messages sent that nobody waits for one by one.
func (h *Stream) push(m framework.EchoMessage, send func(framework.EchoMessage) error) error {
	asked, err := ask.ReadPushed(m.Action)
	if err != nil {
		return err
	}
	switch asked.Kind {
	case ask.Sends:
		return sendAll(m, asked.N, send)
	case ask.Publishes: // frameworks may use the memory of a message again
		return groups.publish(asked.Group, asked.N, framework.EchoMessage{Action: ActionPushed, Msg: bytes.Clone(m.Msg)})
	case ask.Subscribes:
		count.Call()
		return h.subscribe(m, asked.Group, send)
	}
	return echoTo(m, send)
}

// subscribe answers once the stream is a member: who has the answer may have a message
// published at once. Messages wait until the answer is sent.
func (h *Stream) subscribe(m framework.EchoMessage, group string, send func(framework.EchoMessage) error) error {
	joined := groups.join(group)
	if err := send(m); err != nil {
		joined.quit()
		return err
	}
	h.member = joined
	go joined.sendAll(send)
	return nil
}

// sendAll sends a message back n times, each time with the next number.
func sendAll(m framework.EchoMessage, n int, send func(framework.EchoMessage) error) error {
	m.Action = ActionPushed
	for range n {
		count.Call()
		if err := send(m); err != nil {
			return err
		}
		if len(m.Msg) >= ask.Number {
			binary.LittleEndian.PutUint64(m.Msg, binary.LittleEndian.Uint64(m.Msg)+1)
		}
	}
	return nil
}

// groups has the groups of this process. It is a package variable for the same reason as
// serving.
var groups = groupsByName{members: map[string][]*member{}}

// groupsByName are groups of streams, each of which receives what is published to its group.
type groupsByName struct {
	mu      sync.Mutex
	members map[string][]*member // in the order in which they have joined
}

// queued is how many messages wait for a member before publishers do.
const queued = 16

// member is a stream of a group. A goroutine of its own sends the messages, so that a slow
// member holds up others only when its queue is full.
type member struct {
	groups *groupsByName
	group  string
	queue  chan framework.EchoMessage
	left   chan struct{} // closed when it leaves
	ended  chan struct{} // closed when it sends no more
}

func (g *groupsByName) join(group string) *member {
	m := &member{groups: g, group: group, queue: make(chan framework.EchoMessage, queued), left: make(chan struct{}), ended: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members[group] = append(g.members[group], m)
	return m
}

// sendAll sends what is published until the member leaves. A stream that cannot send
// leaves its group.
func (m *member) sendAll(send func(framework.EchoMessage) error) {
	defer close(m.ended)
	for {
		select {
		case <-m.left:
			return
		case message := <-m.queue:
			count.Call()
			if send(message) != nil {
				m.quit()
				return
			}
		}
	}
}

// leave drops what waits to be sent.
func (m *member) leave() {
	m.quit()
	<-m.ended
}

// quit takes the member from its group. A copy of the others is made, since publishers read
// the list.
func (m *member) quit() {
	m.groups.mu.Lock()
	defer m.groups.mu.Unlock()
	var others []*member
	for _, other := range m.groups.members[m.group] {
		if other != m {
			others = append(others, other)
		}
	}
	if len(others) == len(m.groups.members[m.group]) {
		return // it has left before
	}
	close(m.left)
	if m.groups.members[m.group] = others; others == nil {
		delete(m.groups.members, m.group)
	}
}

// publish waits until the queue of each of the first n members has taken the message.
func (g *groupsByName) publish(group string, n int, message framework.EchoMessage) error {
	g.mu.Lock()
	list := g.members[group]
	g.mu.Unlock()
	if len(list) < n {
		return fmt.Errorf("stream: a message for %d subscribers, of which there are %d", n, len(list))
	}
	for _, m := range list[:n] {
		select {
		case m.queue <- message:
		case <-m.left:
			return errors.New("stream: a subscriber left while a message was published")
		}
	}
	return nil
}
