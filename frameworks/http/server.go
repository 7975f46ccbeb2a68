package http

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func serve[E, Q, R any](addr string, s setup, k kind[E, Q, R]) (framework.Server, error) {
	z := newZipper(s.layers)
	mux := http.NewServeMux()
	mux.Handle("POST "+methodEcho, unary(k.Codec, k.media, z, k.HandleEcho))
	mux.Handle("POST "+methodMessage, unary(k.Codec, k.media, z, k.HandleMessage))
	return s.Serve(addr, traced(serves(returning(mux, s.layers), s.layers.Chain), s.layers), s.layers.ServerTLS(), nil)
}

// traced returns a handler with spans, if the layers have them.
func traced(h http.Handler, stack layer.Stack) http.Handler {
	if !stack.Has(layer.OTel) {
		return h
	}
	return otelhttp.NewHandler(h, "rpcbench", otelhttp.WithTracerProvider(tracing.Provider()), otelhttp.WithPropagators(tracing.Propagator()))
}

// unary returns the handler of a method. An error of handle is the text of a reply.
func unary[Q, R any](codec dynamic.Codec, media string, z *zipper, handle func(*Q) (*R, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		req := new(Q)
		body, err := z.read(r.Header, r.Body)
		if err == nil {
			err = codec.Unmarshal(body, req)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reply, err := handle(req)
		if err == nil {
			body, err = codec.Marshal(reply)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", media)
		w.Write(z.zip(w.Header(), body)) // an error means that the client has gone
	}
}
