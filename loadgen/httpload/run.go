package httpload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/inturn"
)

// ErrRepeated is a warning: a server closed connections that were in use before, without a
// reply to the next request, or refused a request over HTTP/2, and the transport sent it again.
// The server may have seen such a request twice. Its call counts as one, from when it was due to
// the reply.
var ErrRepeated = errors.New("requests were sent again")

// run is a run of a client.
type run struct {
	*Client
	workers  []worker
	repeated atomic.Int64 // calls whose request was sent several times
}

// worker is what a worker of the run knows of its call.
type worker struct {
	text  []byte       // room for the text of a target
	room  []byte       // for a part of a body
	reply Reply        // the body is kept for Check alone
	conns int          // that the transport chose for the call
	sent  atomic.Int32 // how often its request was
}

func newRun(c *Client, workers int) *run {
	return &run{Client: c, workers: make([]worker, max(workers, 0))}
}

func (r *run) run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	targets := r.config.Targets
	calls := inturn.Calls{
		Targets: targets.Len(), Parts: targets.Endpoints(), PartOf: func(target int) int { return int(targets.of[target]) },
		Call: r.call, Context: r.traced,
	}
	if r.config.Check != nil {
		calls.Check = func(worker, _ int) error { return r.config.Check(r.workers[worker].reply) }
	}
	res, err := calls.Run(ctx, cfg)
	if res != nil {
		r.warn(res)
	}
	return res, err
}

// traced counts how often the transport chooses a connection for a call, and how often it sends
// the request. Over HTTP/2 it may choose one that is full and then another, and has sent the
// request once. A goroutine of the transport sends it, so that count is atomic.
func (r *run) traced(ctx context.Context, id int) context.Context {
	w := &r.workers[id]
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { w.conns++ },
		WroteHeaders: func() { w.sent.Add(1) },
	})
}

func (r *run) warn(res *loadgen.Result) {
	if repeated := r.repeated.Load(); repeated > 0 {
		res.Warnings = append(res.Warnings, fmt.Errorf("%w: %d, since the server closed their connections without a reply, or refused them; it may have seen them twice", ErrRepeated, repeated))
	}
}

// call makes a call.
func (r *run) call(ctx context.Context, id, target int) error {
	w := &r.workers[id]
	w.reply.Target, w.conns = target, 0
	w.sent.Store(0)
	request, err := r.request(ctx, w)
	if err != nil {
		return err
	}
	response, err := r.transports[id%len(r.transports)].RoundTrip(request)
	if w.conns > 1 && w.sent.Load() > 1 {
		r.repeated.Add(1)
	}
	if err != nil {
		return reason(err)
	}
	return r.read(w, response)
}

// request returns the request of the worker's target.
func (r *run) request(ctx context.Context, w *worker) (*http.Request, error) {
	if r.requests != nil {
		return withBody(r.requests[w.reply.Target].WithContext(ctx), r.config.Targets.list[w.reply.Target].Body), nil
	}
	one, err := r.config.Targets.at(w.reply.Target, &w.text)
	if err != nil {
		return nil, err
	}
	return withBody(one.request(one.url, r.config.Header).WithContext(ctx), one.Body), nil
}

// reason says why a call failed, without what differs from call to call.
func reason(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no reply within the timeout: %w", err)
	}
	return err
}

// read reads the whole reply.
func (r *run) read(w *worker, response *http.Response) error {
	defer response.Body.Close()
	w.reply.Status, w.reply.Header = response.StatusCode, response.Header
	if err := r.readBody(w, response.Body); err != nil {
		return fmt.Errorf("in the body of the reply: %w", reason(err))
	}
	if !r.right(response.StatusCode) {
		return statusError(response)
	}
	return nil
}

func (r *run) right(status int) bool {
	if r.config.Status != nil {
		return r.config.Status(status)
	}
	return status >= 200 && status <= 299
}

func statusError(response *http.Response) error {
	if to := response.Header.Get("Location"); to != "" {
		return fmt.Errorf("status %s, to %s", response.Status, to)
	}
	return fmt.Errorf("status %s", response.Status)
}

// maxReply is the longest body that is kept for Check.
const maxReply = 4 << 20

// readBody reads a body to its end, and keeps it if there is a Check.
func (r *run) readBody(w *worker, body io.Reader) error {
	if w.room == nil {
		w.room = make([]byte, 4<<10)
	}
	w.reply.Body = w.reply.Body[:0]
	for {
		n, err := body.Read(w.room)
		if r.config.Check != nil {
			w.reply.Body = append(w.reply.Body, w.room[:n]...)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(w.reply.Body) > maxReply:
			return fmt.Errorf("more than %d MiB, which are too many to be checked", maxReply>>20)
		}
	}
}
