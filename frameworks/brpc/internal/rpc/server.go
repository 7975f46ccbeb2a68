package rpc

import (
	"errors"
	"fmt"
	"net"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
)

// Service is a service with its full name. Its methods are in the order of the .proto
// file, which gives hulu their indices.
type Service struct {
	Name    string
	Methods []Method
}

// Method is a method with its handler. One of Unary and Stream is set.
type Method struct {
	Name   string
	Unary  func(*Incoming) (answer proto.Message, attachment []byte, err error)
	Stream func(*Stream) // the stream is closed when it returns
}

// Incoming is a request.
type Incoming struct {
	message    *buffer
	gzip       bool   // the message is compressed
	Attachment []byte // in memory that is not used again
}

// Decode decodes the request's message into m. It may be called once.
func (in *Incoming) Decode(m proto.Message) error {
	if err := decode(in.message, in.gzip, m); err != nil {
		return &Error{CodeRequest, err.Error()}
	}
	return nil
}

// overhead is the memory in bytes of a request beside its own bytes: a goroutine.
const overhead = 4 << 10

// Server serves baidu_std with streams, and hulu, on one port.
type Server struct{ *conns.Server }

// Serve listens on addr and answers until it is closed. Its streams have this window.
func Serve(addr string, window int, services ...Service) (*Server, error) {
	s, err := conns.Serve(addr, func(raw net.Conn) { serve(raw, window, services) })
	if err != nil {
		return nil, fmt.Errorf("brpc: %w", err)
	}
	return &Server{s}, nil
}

// peer is the server's end of a connection.
type peer struct {
	link
	services []Service
}

// serve serves a connection to its end.
func serve(raw net.Conn, window int, services []Service) {
	p := &peer{services: services}
	p.init(raw, window)
	go func() { p.fail(lost(p.out.write())) }()
	p.fail(lost(p.read()))
}

// read handles frames until one cannot be read. Each request has a goroutine of its
// own.
func (p *peer) read() error {
	for {
		h, b, err := p.in.Next()
		if err != nil {
			return err
		}
		switch h.Kind {
		case wire.PRPC:
			err = p.takeRequest(wire.BaiduStd, h, b)
		case wire.HULU:
			err = p.takeRequest(wire.Hulu, h, b)
		case wire.STRM:
			p.out.charge(0)
			err = p.takeStream(h, b)
		}
		if err != nil {
			return err
		}
	}
}

// task is a request that is being handled.
type task struct {
	peer     *peer
	protocol *wire.Protocol
	request  wire.Request
	in       Incoming
	cost     int // in bytes, see outbox.charge
}

// takeRequest handles a request whose meta has been read.
func (p *peer) takeRequest(protocol *wire.Protocol, h wire.Header, b []byte) error {
	r, err := protocol.ParseRequest(b, h.Body)
	if err != nil {
		return err
	}
	t := &task{peer: p, protocol: protocol, request: r, cost: h.Body + overhead}
	p.out.charge(t.cost)
	t.in.message, t.in.gzip = newBuffer(), r.Gzip
	if t.in.message.b, err = p.in.Body(t.in.message.b, h.Body-r.Attachment); err != nil {
		return err
	}
	if r.Gzip {
		t.chargeUnzipped()
	}
	if r.Attachment > 0 {
		if t.in.Attachment, err = p.in.Body(nil, r.Attachment); err != nil {
			return err
		}
	}
	go t.handle()
	return nil
}

// chargeUnzipped adds what the message says that it becomes when it is decompressed, and
// which Decode allows it: a peer's few bytes may become a thousand times as many.
func (t *task) chargeUnzipped() {
	size := wire.UnzippedSize(t.in.message.b, MaxFrame)
	t.cost += size
	t.peer.out.add(size)
}

// handle answers the request, or opens a stream if the request asks for one.
func (t *task) handle() {
	m, err := t.find()
	switch {
	case err != nil:
		t.answer(nil, nil, err)
	case m.Unary != nil:
		t.answer(m.Unary(&t.in))
	case t.request.Stream == nil:
		t.answer(nil, nil, &Error{CodeRequest, "the method is for streams, and the request opens none"})
	default:
		t.stream(m.Stream)
	}
}

// find returns the method that the request names.
func (t *task) find() (Method, error) {
	want, hulu := t.request.Method, t.protocol.Kind == wire.HULU
	for _, s := range t.peer.services {
		if hulu && want.Service == wire.LastName(s.Name) || want.Service == s.Name {
			return s.method(want, hulu)
		}
	}
	return Method{}, &Error{CodeNoService, fmt.Sprintf("there is no service %q", want.Service)}
}

func (s Service) method(want wire.Method, byIndex bool) (Method, error) {
	for i, m := range s.Methods {
		if byIndex && int32(i) == want.Index || m.Name == want.Name {
			return m, nil
		}
	}
	return Method{}, &Error{CodeNoMethod, fmt.Sprintf("service %s has no method %q, number %d", s.Name, want.Name, want.Index)}
}

// answer sends what a handler returned, compressed if the request was.
func (t *task) answer(message proto.Message, attachment []byte, err error) {
	r := wire.Response{ID: t.request.ID, Attachment: len(attachment), Gzip: t.request.Gzip}
	if err != nil {
		message, attachment = nil, nil
		r = refusal(t.request.ID, err)
	}
	t.respond(r, message, attachment, wire.NoStream)
	t.peer.out.discharge(t.cost)
}

// refusal returns the response for an error.
func refusal(id int64, err error) wire.Response {
	var own *Error
	if errors.As(err, &own) {
		return wire.Response{ID: id, Code: own.Code, Text: own.Text}
	}
	return wire.Response{ID: id, Code: CodeInternal, Text: err.Error()}
}

// respond sends the response. If the request asks for a stream, the response is sent
// inside a message of that stream, even if the stream could not be opened: brpc does
// the same.
func (t *task) respond(r wire.Response, message proto.Message, attachment []byte, local int64) {
	buf := newBuffer()
	var err error
	if buf.b, err = t.protocol.AppendResponse(buf.b, r, message); err == nil {
		err = checkFrame(len(buf.b) + len(attachment))
	}
	if err != nil {
		buf.b, attachment = t.appendRefusal(buf.b[:0], err), nil
	}
	if opens := t.request.Stream; opens != nil {
		wrapped := newBuffer()
		response := append(buf.b, attachment...)
		wrapped.b = wire.AppendWrapped(wrapped.b, wire.Ends{Local: local, Remote: opens.GetStreamId()}, response)
		buf.free()
		buf, attachment = wrapped, nil
	}
	t.peer.out.put(frame{buf: buf, tail: attachment}) // fails only if the connection has ended
}

// appendRefusal appends the response for an error. It cannot fail, since the response
// has no message.
func (t *task) appendRefusal(b []byte, err error) []byte {
	b, err = t.protocol.AppendResponse(b, refusal(t.request.ID, err), nil)
	if err != nil {
		panic(err)
	}
	return b
}

// stream opens the stream and has it handled.
func (t *task) stream(handle func(*Stream)) {
	s, err := t.peer.newStream(nil)
	if err != nil {
		return // the connection has ended
	}
	t.in.message.free()
	s.connect(t.request.Stream)
	t.respond(wire.Response{ID: t.request.ID, Stream: s.settings()}, nil, nil, s.ends.Local)
	t.peer.out.discharge(t.cost)
	defer s.Close()
	handle(s)
}
