package jkrpc

import "encoding/json"

// MaxMessage is the largest echo payload in bytes that both sides accept.
const MaxMessage = 256 << 20

// maxBody is the largest request or reply in bytes: a payload in base64, which makes it a
// third longer, with room for the rest of the JSON.
const maxBody = MaxMessage + MaxMessage/2

// Names of the service and its methods.
const (
	service       = "rpcbench.Bencher"
	methodEcho    = "echo"
	methodMessage = "message"
	methodUnknown = "unknown"
)

// request is an RpcRequest.
type request[A any] struct {
	Class       string         `json:"clazz"`
	Method      string         `json:"methodSignature"` // the name is enough
	Args        []A            `json:"args"`
	Version     int            `json:"version"`
	ID          int64          `json:"id"`
	Attachments map[string]any `json:"attachments,omitempty"`
}

// response is an RpcResponse.
type response[M any] struct {
	RequestID int64      `json:"requestId"`
	Value     *M         `json:"value"`
	Exception *exception `json:"exception,omitempty"`
}

// exception is a Java exception. An exception of a handler is the cause of another one.
type exception struct {
	Message string     `json:"message"`
	Cause   *exception `json:"cause,omitempty"`
}

// Error joins the messages, the outermost first.
func (e *exception) Error() string {
	text := "jkrpc: " + e.Message
	for e = e.Cause; e != nil; e = e.Cause {
		text += ": " + e.Message
	}
	return text
}

// rawRequest is a request whose arguments are not decoded yet.
type rawRequest = request[json.RawMessage]
