package wire

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/meta"
)

// Protocol is an encoding of calls.
type Protocol struct {
	// Kind is the kind of the protocol's frames.
	Kind Kind

	request       func(Request, int) proto.Message
	response      func(Response, int) proto.Message
	parseRequest  func([]byte, int) (Request, error)
	parseResponse func([]byte, int) (Response, error)
}

// The protocols.
var (
	BaiduStd = &Protocol{PRPC, stdRequest, stdResponse, parseStdRequest, parseStdResponse}
	Hulu     = &Protocol{HULU, huluRequest, huluResponse, parseHuluRequest, parseHuluResponse}
)

// Request is a request without its message.
type Request struct {
	ID         int64 // the response has the same
	Method     Method
	Attachment int                  // bytes after the message
	Stream     *meta.StreamSettings // of the stream to be opened; nil for ordinary calls, and always in hulu
	Gzip       bool                 // the message is compressed; never in hulu
}

// Method names a method. Baidu_std sends the service's full name and the method's
// name, hulu the last part of the service's name and the method's index.
type Method struct {
	Service string
	Name    string
	Index   int32 // from 0
}

// LastName returns what follows the last dot of a service's name.
func LastName(service string) string { return service[strings.LastIndexByte(service, '.')+1:] }

// Response is a response without its message.
type Response struct {
	ID         int64
	Code       int32  // one of brpc's error numbers, 0 for success
	Text       string // the error's text
	Attachment int
	Stream     *meta.StreamSettings // of the stream that was opened; nil for ordinary calls
	Gzip       bool                 // the message is compressed; never in hulu
}

// AppendRequest appends the frame of a request. The caller sends the attachment after
// it.
func (p *Protocol) AppendRequest(b []byte, r Request, message proto.Message) ([]byte, error) {
	return appendFrame(b, p.Kind, p.request(r, sizeOf(r.Attachment, message)), message, r.Gzip, r.Attachment)
}

// AppendResponse appends the frame of a response, whose message may be nil. The caller
// sends the attachment after it.
func (p *Protocol) AppendResponse(b []byte, r Response, message proto.Message) ([]byte, error) {
	return appendFrame(b, p.Kind, p.response(r, sizeOf(r.Attachment, message)), message, r.Gzip, r.Attachment)
}

// sizeOf returns the length in bytes of a message that an attachment follows. Only
// hulu needs it.
func sizeOf(attachment int, message proto.Message) int {
	if attachment == 0 || message == nil {
		return 0
	}
	return proto.Size(message)
}

// ParseRequest reads the meta of a request; body is the length of what follows.
func (p *Protocol) ParseRequest(b []byte, body int) (Request, error) {
	r, err := p.parseRequest(b, body)
	if err == nil {
		err = checkAttachment(r.Attachment, body)
	}
	return r, err
}

// ParseResponse reads the meta of a response; body is the length of what follows.
func (p *Protocol) ParseResponse(b []byte, body int) (Response, error) {
	r, err := p.parseResponse(b, body)
	if err == nil {
		err = checkAttachment(r.Attachment, body)
	}
	return r, err
}

func checkAttachment(n, body int) error {
	if n < 0 || n > body {
		return fmt.Errorf("brpc: a meta says that the attachment has %d of the body's %d bytes", n, body)
	}
	return nil
}

var (
	errCompressed = errors.New("brpc: the peer compresses by something other than gzip")
	errHuluZipped = errors.New("brpc: the peer compresses, which hulu has not here")
	errNoRequest  = errors.New("brpc: a request's meta names no method")
)

func unmarshal(b []byte, m proto.Message) error {
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("brpc: a frame's meta cannot be read: %w", err)
	}
	return nil
}

func stdRequest(r Request, _ int) proto.Message {
	return &meta.RpcMeta{
		Request:       &meta.RpcRequestMeta{ServiceName: r.Method.Service, MethodName: r.Method.Name},
		CorrelationId: r.ID, AttachmentSize: int32(r.Attachment), StreamSettings: r.Stream, CompressType: compressType(r.Gzip),
	}
}

func stdResponse(r Response, _ int) proto.Message {
	return &meta.RpcMeta{
		Response:      &meta.RpcResponseMeta{ErrorCode: r.Code, ErrorText: r.Text},
		CorrelationId: r.ID, AttachmentSize: int32(r.Attachment), StreamSettings: r.Stream, CompressType: compressType(r.Gzip),
	}
}

func parseStdRequest(b []byte, _ int) (Request, error) {
	var m meta.RpcMeta
	if err := unmarshal(b, &m); err != nil {
		return Request{}, err
	}
	if m.Request == nil {
		return Request{}, errNoRequest
	}
	gzip, err := zipped(m.CompressType)
	method := Method{Service: m.Request.ServiceName, Name: m.Request.MethodName}
	return Request{m.CorrelationId, method, int(m.AttachmentSize), m.StreamSettings, gzip}, err
}

func parseStdResponse(b []byte, _ int) (Response, error) {
	var m meta.RpcMeta
	if err := unmarshal(b, &m); err != nil {
		return Response{}, err
	}
	gzip, err := zipped(m.CompressType)
	said := m.GetResponse()
	return Response{m.CorrelationId, said.GetErrorCode(), said.GetErrorText(), int(m.AttachmentSize), m.StreamSettings, gzip}, err
}

// messageSize returns the field by which hulu says that an attachment follows.
func messageSize(attachment, size int) *int32 {
	if attachment == 0 {
		return nil
	}
	return proto.Int32(int32(size))
}

func attachmentAfter(messageSize *int32, body int) int {
	if messageSize == nil {
		return 0
	}
	return body - int(*messageSize)
}

func huluRequest(r Request, size int) proto.Message {
	return &meta.HuluRpcRequestMeta{
		ServiceName: LastName(r.Method.Service), MethodIndex: &r.Method.Index,
		CorrelationId: r.ID, UserMessageSize: messageSize(r.Attachment, size),
	}
}

func huluResponse(r Response, size int) proto.Message {
	return &meta.HuluRpcResponseMeta{
		ErrorCode: r.Code, ErrorText: r.Text,
		CorrelationId: r.ID, UserMessageSize: messageSize(r.Attachment, size),
	}
}

func parseHuluRequest(b []byte, body int) (Request, error) {
	var m meta.HuluRpcRequestMeta
	if err := unmarshal(b, &m); err != nil {
		return Request{}, err
	}
	if m.MethodIndex == nil {
		return Request{}, errNoRequest
	}
	if m.CompressType != 0 {
		return Request{}, errHuluZipped
	}
	method := Method{Service: m.ServiceName, Index: *m.MethodIndex}
	return Request{m.CorrelationId, method, attachmentAfter(m.UserMessageSize, body), nil, false}, nil
}

func parseHuluResponse(b []byte, body int) (Response, error) {
	var m meta.HuluRpcResponseMeta
	if err := unmarshal(b, &m); err != nil {
		return Response{}, err
	}
	if m.CompressType != 0 {
		return Response{}, errHuluZipped
	}
	return Response{m.CorrelationId, m.ErrorCode, m.ErrorText, attachmentAfter(m.UserMessageSize, body), nil, false}, nil
}
