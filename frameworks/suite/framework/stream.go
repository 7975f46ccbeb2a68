package framework

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"sync"
)

// StreamHandler answers the messages of a stream on the server's side. Every adapter
// passes it the messages in their order, and calls End. The zero value is ready to use.
type StreamHandler struct {
	sum    Sum
	member *member // of a stream that has subscribed; nil for others
}

// Handle takes a message and sends its answers: none, one or many. An error ends the
// stream. Handle may change m.Msg, and uses its memory for the next answer,
// so that send must have encoded an answer when it returns. After a message that subscribes
// send is called from another goroutine until End returns, one call at a time.
func (h *StreamHandler) Handle(m EchoMessage, send func(EchoMessage) error) (err error) {
	switch {
	case h.member != nil:
		return errors.New("stream: a subscriber sends no messages")
	case m.Action == ActionSink:
		h.sum.Add(m.Msg)
		return nil
	case m.Action == ActionSum:
		CountHandled()
		return send(EchoMessage{Action: ActionSum, Msg: h.sum.encode()})
	case strings.Contains(m.Action, "/"):
		return h.push(m, send)
	}
	return echoTo(m, send)
}

func echoTo(m EchoMessage, send func(EchoMessage) error) (err error) {
	if m.Msg, err = HandleEcho(m.Action, m.Msg); err != nil {
		return err
	}
	return send(m)
}

// End is called when no more messages come. It returns when send is not called any more.
func (h *StreamHandler) End() {
	if h.member != nil {
		h.member.leave()
	}
}

// push has messages sent that nobody waits for one by one.
func (h *StreamHandler) push(m EchoMessage, send func(EchoMessage) error) error {
	what, of, _ := strings.Cut(m.Action, "/")
	switch what {
	case actionSend:
		return sendAll(m, of, send)
	case actionPublish:
		return publish(m, of)
	case actionSubscribe:
		CountHandled()
		return h.subscribe(m, of, send)
	}
	return echoTo(m, send)
}

// subscribe answers once the stream is a member: who has the answer may have a message
// published at once. Messages wait until the answer is sent.
func (h *StreamHandler) subscribe(m EchoMessage, group string, send func(EchoMessage) error) error {
	joined := groups.join(group)
	if err := send(m); err != nil {
		joined.quit()
		return err
	}
	h.member = joined
	go joined.sendAll(send)
	return nil
}

// sendAll sends a message back as often as its ActionSend says, each time with the next
// number.
func sendAll(m EchoMessage, count string, send func(EchoMessage) error) error {
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return fmt.Errorf("stream: the action %.64q must say how many messages are to be sent", m.Action)
	}
	m.Action = ActionPushed
	for range n {
		CountHandled()
		if err := send(m); err != nil {
			return err
		}
		if len(m.Msg) >= PushedNumber {
			binary.LittleEndian.PutUint64(m.Msg, binary.LittleEndian.Uint64(m.Msg)+1)
		}
	}
	return nil
}

// publish hands a message to the first members of a group.
func publish(m EchoMessage, to string) error {
	count, group, _ := strings.Cut(to, "/")
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return fmt.Errorf("stream: the action %.64q must say to how many subscribers the message goes", m.Action)
	}
	return groups.publish(group, n, EchoMessage{Action: ActionPushed, Msg: bytes.Clone(m.Msg)}) // frameworks may use its memory again
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
	queue  chan EchoMessage
	left   chan struct{} // closed when it leaves
	ended  chan struct{} // closed when it sends no more
}

func (g *groupsByName) join(group string) *member {
	m := &member{groups: g, group: group, queue: make(chan EchoMessage, queued), left: make(chan struct{}), ended: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members[group] = append(g.members[group], m)
	return m
}

// sendAll sends what is published until the member leaves. A stream that cannot send
// leaves its group.
func (m *member) sendAll(send func(EchoMessage) error) {
	defer close(m.ended)
	for {
		select {
		case <-m.left:
			return
		case message := <-m.queue:
			CountHandled()
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
func (g *groupsByName) publish(group string, n int, message EchoMessage) error {
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

// Sum sums up what was received on a stream, in its order.
type Sum struct {
	Messages, Bytes uint64
	CRC             uint32 // CRC-32C (Castagnoli) of all bytes, one message after the other
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Add adds the bytes of the next message.
func (s *Sum) Add(b []byte) {
	s.Messages++
	s.Bytes += uint64(len(b))
	s.CRC = crc32.Update(s.CRC, castagnoli, b)
}

func (s Sum) encode() []byte {
	b := binary.LittleEndian.AppendUint64(nil, s.Messages)
	b = binary.LittleEndian.AppendUint64(b, s.Bytes)
	return binary.LittleEndian.AppendUint32(b, s.CRC)
}

// DecodeSum reads the answer to ActionSum.
func DecodeSum(m EchoMessage) (s Sum, err error) {
	if m.Action != ActionSum || len(m.Msg) != 20 {
		return s, fmt.Errorf("stream: a sum was asked for, and %.64q with %d bytes came", m.Action, len(m.Msg))
	}
	s.Messages, s.Bytes = binary.LittleEndian.Uint64(m.Msg), binary.LittleEndian.Uint64(m.Msg[8:])
	s.CRC = binary.LittleEndian.Uint32(m.Msg[16:])
	return s, nil
}
