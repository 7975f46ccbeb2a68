package jkrpc

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestRequestOnTheWire compares a request with the RpcRequest that jkrpc's own clients
// in other languages send.
func TestRequestOnTheWire(t *testing.T) {
	var got, contentType string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got, contentType = string(b), r.Header.Get("Content-Type")
	}))
	defer s.Close()
	_, err := dial(s.Listener.Addr().String(), framework.DialOptions{Callers: 1})
	assert.ErrorContains(t, err, "jkrpc: reply: unexpected end of JSON input")
	assert.JSONEq(t, `{"clazz":"rpcbench.Bencher","methodSignature":"echo","args":[{"Action":"echo","Msg":null}],"version":0,"id":1}`, got)
	assert.Equal(t, "application/json", contentType)
}

func TestReplies(t *testing.T) {
	for _, c := range []struct{ about, reply, err string }{
		{"the value is the message", `{"requestId":1,"value":{"action":"echo","msg":"AQI="}}`, ""},
		{"an exception says what the handler threw", `{"requestId":1,"exception":{"message":"outside","cause":{"message":"in between","cause":{"message":"inside"}}}}`, "jkrpc: outside: in between: inside"},
		{"a method that there is not may have no exception", `{"requestId":1}`, "neither a value nor an exception"},
		{"another's reply", `{"requestId":2,"value":{}}`, "the reply to request 2 came for request 1"},
		{"no JSON", `<html>`, "jkrpc: reply: invalid character"},
		{"cut off", `{"requestId":1,"value":{`, "jkrpc: reply: unexpected end"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(c.reply)) }))
			defer s.Close()
			reply, err := call(t.Context(), &client{url: s.URL, largest: 1 << 20}, methodEcho, new(plain.EchoMessage))
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, &plain.EchoMessage{Action: "echo", Msg: []byte{1, 2}}, reply)
		})
	}
}

func TestAStatusIsAnError(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	_, err := call(t.Context(), &client{url: s.URL, largest: 1 << 20}, methodEcho, new(plain.EchoMessage))
	assert.EqualError(t, err, "jkrpc: 404 Not Found")
}

// endless is a body that ends when nobody reads it any more. It notes how much was read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, bytes.Repeat([]byte{' '}, len(p))), nil
}

func TestEndlessBodies(t *testing.T) {
	request := new(endless)
	w := httptest.NewRecorder()
	answer(w, httptest.NewRequestWithContext(t.Context(), "POST", "/", request), 1<<20)
	assert.Equal(t, http.StatusBadRequest, w.Code)
	assert.LessOrEqual(t, request.read, 1<<20+1, "one byte more tells that there is more")

	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, new(endless)) }))
	defer s.Close()
	_, err := call(t.Context(), &client{url: s.URL, largest: 1 << 20}, methodEcho, new(plain.EchoMessage))
	assert.EqualError(t, err, "jkrpc: a reply is over the largest, 1048576 bytes")
}
