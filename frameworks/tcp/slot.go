package tcp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// slot is a worker's place for a connection.
type slot struct {
	dialer *dialer
	busy   atomic.Bool // a call uses it
	conn   *conn       // nil until the first call and after a failed one

	// Most contexts serve many calls, so a context is watched once and not by
	// every call. The fields below are the watch; mu orders it with the ends of
	// calls.
	mu          sync.Mutex
	done        <-chan struct{} // identifies the watched context; nil if none is watched
	stop        func() bool     // ends the watch
	calling     bool            // done may interrupt the call under way
	interrupted bool            // done has interrupted it
}

// call sends payload and returns the reply. If the slot is busy, because its worker
// calls through two Echos at once, the call opens a connection for itself.
func (s *slot) call(ctx context.Context, payload []byte) ([]byte, error) {
	if err := checkSize(len(payload)); err != nil {
		return nil, err
	}
	if !s.busy.CompareAndSwap(false, true) {
		extra := &slot{dialer: s.dialer}
		defer extra.drop()
		return extra.exchange(ctx, payload)
	}
	defer s.busy.Store(false)
	return s.exchange(ctx, payload)
}

// exchange is call for the caller that has the slot. It drops the connection of a
// failed call, on which the reply might still come.
func (s *slot) exchange(ctx context.Context, payload []byte) ([]byte, error) {
	if err := s.dial(ctx); err != nil {
		return nil, err
	}
	s.watch(ctx)
	err := ctx.Err() // the context may have ended before it is watched
	var reply []byte
	broken := false
	if err == nil {
		reply, err = s.conn.exchange(payload)
		broken = err != nil
	}
	if s.unwatch() || broken {
		s.drop()
	}
	if err != nil {
		return nil, reason(ctx, err)
	}
	return reply, nil
}

// dial opens the slot's connection if it has none.
func (s *slot) dial(ctx context.Context) error {
	if s.conn != nil {
		return nil
	}
	c, err := s.dialer.connect(ctx)
	s.conn = c
	return err
}

// drop closes the slot's connection and ends its watch.
func (s *slot) drop() {
	s.watchDone(context.Background())
	if s.conn != nil {
		s.dialer.drop(s.conn)
		s.conn = nil
	}
}

// watch has the end of ctx interrupt the next call. It costs nothing for a context
// that cannot end.
func (s *slot) watch(ctx context.Context) {
	if ctx.Done() == nil && s.done == nil {
		return
	}
	s.watchDone(ctx)
	s.mu.Lock()
	s.calling = true
	s.mu.Unlock()
}

// unwatch undoes watch, and reports whether the call was interrupted.
func (s *slot) unwatch() bool {
	if s.done == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	interrupted := s.interrupted
	s.calling, s.interrupted = false, false
	return interrupted
}

// watchDone watches ctx instead of the previous context. Contexts are compared by
// their channels, since a context itself may not be comparable.
func (s *slot) watchDone(ctx context.Context) {
	done := ctx.Done()
	if done == s.done {
		return
	}
	if s.stop != nil {
		s.stop()
	}
	s.mu.Lock()
	s.done, s.stop = done, nil
	s.mu.Unlock()
	if done != nil {
		s.stop = context.AfterFunc(ctx, func() { s.interrupt(done) })
	}
}

// interrupt makes the call under way fail if it was made with the context of done.
func (s *slot) interrupt(done <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calling && s.done == done {
		s.interrupted = true
		s.conn.SetDeadline(time.Unix(1, 0))
	}
}
