package rpc

import (
	"bufio"
	"net"
	"runtime"
	"slices"
	"sync"
)

const (
	// ioBuffer is the size in bytes of read and write buffers.
	ioBuffer = 64 << 10
	// maxLoad is what a server holds for a connection, in bytes, before it stops
	// reading from it: brpc's socket_max_unwritten_bytes.
	maxLoad = 64 << 20
)

// frame is one that is to be written.
type frame struct {
	call int64 // the request's id, by which it can be withdrawn; 0: it cannot
	buf  *buffer
	tail []byte // written after buf, not copied: it may not change
}

func (f frame) size() int { return len(f.buf.b) + len(f.tail) }

// outbox writes the frames of a connection. All that is queued while it writes
// leaves together.
type outbox struct {
	conn net.Conn
	wake chan struct{} // has an element when there is work

	mu      sync.Mutex
	changed sync.Cond // load or err has
	queue   []frame
	load    int   // bytes queued, and of requests that are being handled
	err     error // why nothing more is written, nil while it is
}

func (o *outbox) init(conn net.Conn) {
	o.conn, o.wake = conn, make(chan struct{}, 1)
	o.changed.L = &o.mu
}

// put queues f, and frees its buffer when it has been written or never will be.
func (o *outbox) put(f frame) error {
	o.mu.Lock()
	if o.err != nil {
		o.mu.Unlock()
		f.buf.free()
		return o.err
	}
	o.queue = append(o.queue, f)
	o.load += f.size()
	first := len(o.queue) == 1
	o.mu.Unlock()
	if first {
		o.rouse()
	}
	return nil
}

// queued is how many frames wait.
func (o *outbox) queued() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}

// withdraw takes a request out of the queue, if it is still there.
func (o *outbox) withdraw(call int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.queue, func(f frame) bool { return f.call == call }); i >= 0 {
		o.load -= o.queue[i].size()
		o.queue = slices.Delete(o.queue, i, i+1)
	}
}

// charge accounts for n bytes that a peer has us hold. It waits while they are
// too many, unless the connection has ended.
func (o *outbox) charge(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.load > maxLoad && o.err == nil {
		o.changed.Wait()
	}
	o.load += n
}

// discharge is the way back from charge.
func (o *outbox) discharge(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.load -= n
	o.changed.Signal()
}

func (o *outbox) rouse() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// write writes until the outbox is stopped or writing fails, and returns why.
// Before it looks it lets those run who are about to queue.
func (o *outbox) write() error {
	w := bufio.NewWriterSize(o.conn, ioBuffer)
	var batch []frame
	for range o.wake {
		runtime.Gosched()
		for batch = o.take(batch); len(batch) > 0; batch = o.take(batch) {
			o.discharge(writeAll(w, batch))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if err := o.stopped(); err != nil {
			return err
		}
	}
	return nil
}

// writeAll leaves errors to Flush, and returns how many bytes it took.
func writeAll(w *bufio.Writer, batch []frame) (n int) {
	for _, f := range batch {
		n += f.size()
		w.Write(f.buf.b)
		w.Write(f.tail)
		f.buf.free()
	}
	return n
}

// take returns the queue and leaves the room of used in its place.
func (o *outbox) take(used []frame) []frame {
	clear(used)
	o.mu.Lock()
	defer o.mu.Unlock()
	batch := o.queue
	o.queue = used[:0]
	return batch
}

func (o *outbox) stopped() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// stop closes the connection. Only the first reason counts, for which it
// returns true.
func (o *outbox) stop(reason error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return false
	}
	o.err, o.queue = reason, nil
	o.changed.Broadcast()
	o.conn.Close()
	o.rouse()
	return true
}
