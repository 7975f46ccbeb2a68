package rpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// Conn is the client's end of a connection, which calls and streams share. It does
// not reconnect.
type Conn struct {
	link
	protocol *wire.Protocol
	gzip     bool      // messages of calls are compressed, and those of their answers
	boxes    sync.Pool // *mailbox

	mu      sync.Mutex
	id      int64 // of the last call
	waiting map[int64]*call
	err     error // why no more calls are made; nil while they are
}

// call is a call that waits for its reply. The goroutine that removes it from
// Conn.waiting ends it.
type call struct {
	settle func(reply)
	forget func() bool // stops watching the context; nil if it is not watched
	stream *Stream     // the stream that the reply opens; nil for ordinary calls
}

func (w *call) end(r reply) {
	if w.forget != nil {
		w.forget()
	}
	w.settle(r)
}

// reply is a response, or an error instead.
type reply struct {
	message    *buffer // nil if there is an error
	gzip       bool    // it is compressed
	attachment []byte
	err        error
}

// Compress has gzip compress the messages of later calls and of their answers. Attachments
// and streams pass as they are.
func (c *Conn) Compress() { c.gzip = true }

// Dial opens a connection to the server at addr, host:port. Its streams have this window.
func Dial(addr string, p *wire.Protocol, window int) (*Conn, error) {
	raw, err := conns.Dial(addr)
	if err != nil {
		return nil, fmt.Errorf("brpc: no connection: %w", err)
	}
	return newConn(raw, p, window), nil
}

func newConn(raw net.Conn, p *wire.Protocol, window int) *Conn {
	c := &Conn{protocol: p, waiting: make(map[int64]*call)}
	c.boxes.New = newMailbox
	c.init(raw, window)
	go func() { c.fail(lost(c.out.write())) }()
	go func() { c.fail(lost(c.read())) }()
	return c
}

// Close closes the connection. Calls and streams under way fail with ErrClosed.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	return nil
}

// fail ends the connection with all its calls and streams.
func (c *Conn) fail(reason error) {
	c.link.fail(reason)
	reason = c.out.stopped() // the first reason, if there are several
	c.mu.Lock()
	waiting := c.waiting
	c.waiting, c.err = nil, reason
	c.mu.Unlock()
	for _, w := range waiting {
		w.end(reply{err: reason})
	}
}

// Call calls a method and reads its answer into answer. The attachment is sent after
// the message, and must not change before the connection ends. Call returns the
// attachment of the answer.
func (c *Conn) Call(ctx context.Context, m wire.Method, request, answer proto.Message, attachment []byte) ([]byte, error) {
	r, err := c.exchange(ctx, wire.Request{Method: m}, request, attachment, nil)
	if err != nil {
		return nil, err
	}
	return r.attachment, decode(r.message, r.gzip, answer)
}

// mailbox receives the reply of a synchronous call.
type mailbox struct {
	replies chan reply // of capacity 1; empty between calls
	put     func(reply)
}

func newMailbox() any {
	b := &mailbox{replies: make(chan reply, 1)}
	b.put = func(r reply) { b.replies <- r }
	return b
}

// exchange sends a request and waits for the reply, or for the end of ctx.
func (c *Conn) exchange(ctx context.Context, r wire.Request, request proto.Message, attachment []byte, s *Stream) (reply, error) {
	box := c.boxes.Get().(*mailbox)
	defer c.boxes.Put(box)
	id, err := c.send(r, request, attachment, &call{settle: box.put, stream: s})
	if err != nil {
		return reply{}, err
	}
	select {
	case got := <-box.replies:
		return got, got.err
	case <-ctx.Done():
		if c.withdraw(id) {
			return reply{}, ended(ctx)
		}
		got := <-box.replies // the reading goroutine has claimed the call and sends the reply
		return got, got.err
	}
}

// Go is the asynchronous Call, without attachments. It calls done when answer holds
// the answer, when the call has failed, or when ctx has ended.
func (c *Conn) Go(ctx context.Context, m wire.Method, request, answer proto.Message, done func(error)) {
	w := &call{settle: func(r reply) {
		if r.err == nil {
			r.err = decode(r.message, r.gzip, answer)
		}
		done(r.err)
	}}
	if err := c.start(ctx, m, request, w); err != nil {
		done(err)
	}
}

func (c *Conn) start(ctx context.Context, m wire.Method, request proto.Message, w *call) error {
	if ctx.Done() == nil {
		_, err := c.send(wire.Request{Method: m}, request, nil, w)
		return err
	}
	var id int64
	sent := make(chan struct{})
	w.forget = context.AfterFunc(ctx, func() {
		<-sent
		if c.withdraw(id) {
			w.settle(reply{err: ended(ctx)})
		}
	})
	id, err := c.send(wire.Request{Method: m}, request, nil, w)
	close(sent)
	if err != nil {
		w.forget()
	}
	return err
}

// send sends a request, for whose reply w waits. If it returns an error, w is not
// settled.
func (c *Conn) send(r wire.Request, request proto.Message, attachment []byte, w *call) (int64, error) {
	var err error
	if r.ID, err = c.enter(w); err != nil {
		return 0, err
	}
	r.Attachment, r.Gzip = len(attachment), c.gzip && request != nil
	buf := newBuffer()
	if buf.b, err = c.protocol.AppendRequest(buf.b, r, request); err == nil {
		err = checkFrame(len(buf.b) + len(attachment))
	}
	if err != nil {
		buf.free()
	} else {
		err = c.out.put(frame{call: r.ID, buf: buf, tail: attachment})
	}
	if err != nil && c.claim(r.ID) == nil {
		return r.ID, nil // fail settles the call with the connection's error
	}
	return r.ID, err
}

// enter adds a call to those that wait, and returns its id.
func (c *Conn) enter(w *call) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	c.id++
	c.waiting[c.id] = w
	return c.id, nil
}

// claim removes a call from those that wait and returns it; nil if it does not wait.
func (c *Conn) claim(id int64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.waiting[id]
	delete(c.waiting, id)
	return w
}

// withdraw claims a call, and removes its request if that has not been sent yet. It
// reports whether the call was still waiting.
func (c *Conn) withdraw(id int64) bool {
	if c.claim(id) == nil {
		return false
	}
	c.out.withdraw(id)
	return true
}

// read handles frames until one cannot be read.
func (c *Conn) read() error {
	for {
		h, b, err := c.in.Next()
		if err != nil {
			return err
		}
		switch h.Kind {
		case c.protocol.Kind:
			err = c.takeResponse(c.in, h, b)
		case wire.STRM:
			err = c.takeStream(h, b)
		default:
			err = fmt.Errorf("brpc: the server answers in %s, want %s", h.Kind, c.protocol.Kind)
		}
		if err != nil {
			return err
		}
	}
}

// takeResponse handles a response whose meta has been read.
func (c *Conn) takeResponse(in *wire.Reader, h wire.Header, b []byte) error {
	r, err := c.protocol.ParseResponse(b, h.Body)
	if err != nil {
		return err
	}
	if r.ID == 0 && r.Code != 0 {
		return c.refuse(&Error{r.Code, r.Text})
	}
	if err := c.issued(r.ID); err != nil {
		return err
	}
	got, err := readReply(in, r, h.Body)
	if err != nil {
		return err
	}
	w := c.claim(r.ID)
	if w == nil { // the call has ended
		got.drop()
		return nil
	}
	switch {
	case w.stream == nil || got.err != nil:
	case r.Stream == nil:
		got.drop()
		got = reply{err: errNotOpened}
	default:
		w.stream.response = nil
		w.stream.connect(r.Stream)
	}
	w.end(got)
	return nil
}

var errNotOpened = errors.New("brpc: the server answered the call that opens a stream, and opened none")

// refuse handles an error response without the id of a call, such as brpc-java sends
// for an unknown method. If a single call waits, the error is that call's. If several
// wait it cannot be assigned, and refuse returns an error.
func (c *Conn) refuse(err *Error) error {
	c.mu.Lock()
	if n := len(c.waiting); n != 1 {
		c.mu.Unlock()
		return fmt.Errorf("brpc: the server does not say to which of %d calls it answers: %w", n, err)
	}
	waiting := c.waiting
	c.waiting = make(map[int64]*call)
	c.mu.Unlock()
	for _, w := range waiting {
		w.end(reply{err: err})
	}
	return nil
}

// issued returns an error for an id that no call has had.
func (c *Conn) issued(id int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id <= 0 || id > c.id {
		return fmt.Errorf("brpc: the server answers call %d, and %d were made", id, c.id)
	}
	return nil
}

// readReply reads the body of a response.
func readReply(in *wire.Reader, r wire.Response, body int) (got reply, err error) {
	if r.Code != 0 {
		return reply{err: &Error{r.Code, r.Text}}, nil
	}
	got.message, got.gzip = newBuffer(), r.Gzip
	if got.message.b, err = in.Body(got.message.b, body-r.Attachment); err == nil && r.Attachment > 0 {
		got.attachment, err = in.Body(nil, r.Attachment)
	}
	return got, err
}

func (r reply) drop() {
	if r.message != nil {
		r.message.free()
	}
}

// OpenStream calls the method that opens a stream, with an empty message, and
// returns the stream, which ctx ends.
func (c *Conn) OpenStream(ctx context.Context, m wire.Method) (*Stream, error) {
	s, err := c.newStream(c.takeWrapped)
	if err != nil {
		return nil, err
	}
	r, err := c.exchange(ctx, wire.Request{Method: m, Stream: s.settings()}, nil, nil, s)
	if err != nil {
		s.Close()
		return nil, err
	}
	r.drop()
	s.endWith(ctx)
	return s, nil
}

// takeWrapped handles the first message of a stream that is being opened. It contains
// the response: brpc's servers send it in this way.
func (c *Conn) takeWrapped(buf *buffer) error {
	defer buf.free()
	in := wire.NewReader(bufio.NewReader(bytes.NewReader(buf.b)), MaxFrame)
	h, b, err := in.Next()
	if err == nil && h.Kind != c.protocol.Kind {
		err = fmt.Errorf("it is a frame of %s", h.Kind)
	}
	if err != nil {
		return fmt.Errorf("brpc: the first message of a stream is no response: %w", err)
	}
	return c.takeResponse(in, h, b)
}
