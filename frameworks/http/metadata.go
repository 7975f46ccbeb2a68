package http

import (
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries has the limit of net/http's server, DefaultMaxHeaderBytes, and leaves room for
// other headers. Values of headers have no control characters.
func carries() metadata.Means {
	return metadata.Means{
		By: "headers of requests and replies, set and read by hand", Text: true,
		Most:  http.DefaultMaxHeaderBytes - 4<<10,
		Added: 32, // as HTTP/2 counts them; HTTP/1 adds 4
	}
}

// send adds entries to the headers of a request.
func send(h http.Header, e metadata.Entries) {
	for name, value := range e.All() {
		h.Set(name, value)
	}
}

// returning returns a handler that sends metadata back, if the layers have it.
func returning(h http.Handler, stack layer.Stack) http.Handler {
	if stack.Metadata.Entries == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := w.Header()
		for name, values := range r.Header {
			if metadata.Own(name) {
				reply[name] = values
			}
		}
		h.ServeHTTP(w, r)
	})
}
