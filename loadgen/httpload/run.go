package httpload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
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
	timeout  time.Duration // of a call
	repeated atomic.Int64  // calls whose request was sent several times
}

// worker is what a worker of the run knows of its call.
type worker struct {
	number int64  // of the call
	text   []byte // room for the text of a target
	room   []byte // for a part of a body
	reply  Reply  // the body is kept for Check alone

	traced context.Context // of its calls
	cancel context.CancelFunc
	conns  int          // that the transport chose for the call
	sent   atomic.Int32 // how often its request was
}

// newRun makes a run, and changes cfg for it. Calls have a context of their own, which is not
// over when the run's is, since those in flight are then to end as they would. What has not
// ended when Drain is over ends then, and gives its connection back.
func newRun(ctx context.Context, c *Client, cfg *loadgen.Config) *run {
	r := &run{Client: c, workers: make([]worker, max(cfg.Workers, 0)), timeout: cfg.Timeout}
	cfg.Timeout = min(cfg.Timeout, 0)
	ctx = context.WithoutCancel(ctx)
	for i := range r.workers {
		r.workers[i].begin(ctx)
	}
	if r.config.Targets.Len() > 1 {
		then := cfg.OnCall
		cfg.OnCall = func(worker int, a loadgen.Arrival) {
			r.workers[worker].number = a.Number
			if then != nil {
				then(worker, a)
			}
		}
	}
	if r.config.Check != nil {
		then := cfg.Check
		cfg.Check = func(worker int) error {
			err := r.config.Check(r.workers[worker].reply)
			if err == nil && then != nil {
				err = then(worker)
			}
			return err
		}
	}
	return r
}

// begin makes the context of the worker's calls. Each worker has its own, since a call with a
// timeout locks it. Of HTTP/2 the transport may choose a connection and find it full, so a
// request is not yet sent then; a goroutine of the transport sends it.
func (w *worker) begin(ctx context.Context) {
	w.traced, w.cancel = context.WithCancel(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { w.conns++ },
		WroteHeaders: func() { w.sent.Add(1) },
	}))
}

func (r *run) run(ctx context.Context, cfg loadgen.Config) (res *loadgen.Result, err error) {
	defer func() {
		for i := range r.workers {
			r.workers[i].cancel()
		}
	}()
	names := r.config.Targets.Endpoints()
	if len(names) == 1 {
		res, err = loadgen.Run(ctx, cfg, r.call)
	} else {
		res, err = r.mix(names).Run(ctx, cfg)
	}
	if res != nil {
		r.warn(res)
	}
	return res, err
}

// mix has a part for each endpoint.
func (r *run) mix(names []string) loadgen.Mix {
	m := loadgen.Mix{Pick: func(number int64) int { return int(r.config.Targets.of[r.targetOf(number)]) }}
	for _, name := range names {
		m.Calls = append(m.Calls, loadgen.MixedCall{Name: name, Call: r.call})
	}
	return m
}

func (r *run) targetOf(number int64) int { return int(number % int64(r.config.Targets.Len())) }

func (r *run) warn(res *loadgen.Result) {
	if repeated := r.repeated.Load(); repeated > 0 {
		res.Warnings = append(res.Warnings, fmt.Errorf("%w: %d, since the server closed their connections without a reply, or refused them; it may have seen them twice", ErrRepeated, repeated))
	}
}

// call makes a call. The context is of the run.
func (r *run) call(_ context.Context, id int) error {
	w := &r.workers[id]
	ctx := w.traced
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.timeout)
		defer cancel()
	}
	w.reply.Target = r.targetOf(w.number)
	request, err := r.request(ctx, w)
	if err != nil {
		return err
	}
	w.conns = 0
	w.sent.Store(0)
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
const maxReply = 16 << 20

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
