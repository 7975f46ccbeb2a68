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
	// maxLoad is how many bytes a server holds for a connection before it stops
	// reading from it: brpc's socket_max_unwritten_bytes.
	maxLoad = 64 << 20
)

// frame is a frame to be written.
type frame struct {
	call int64 // the id of a request that may be withdrawn; 0 for other frames
	buf  *buffer
	tail []byte // written after buf; it is not copied, so it must not change
}

func (f frame) size() int { return len(f.buf.b) + len(f.tail) }

// outbox writes the frames of a connection. Frames that are queued while it writes
// are written together.
type outbox struct {
	conn net.Conn
	wake chan struct{} // has an element when there is work

	mu      sync.Mutex
	changed sync.Cond // signals changes of load and err
	queue   []frame
	load    int   // bytes of queued frames and of requests that are being handled
	err     error // why nothing more is written; nil while the outbox works
}

func (o *outbox) init(conn net.Conn) {
	o.conn, o.wake = conn, make(chan struct{}, 1)
	o.changed.L = &o.mu
}

// put queues f. The outbox frees the buffer, even if f is never written.
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

// queued returns how many frames wait.
func (o *outbox) queued() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}

// withdraw removes a request from the queue, if it is still there.
func (o *outbox) withdraw(call int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.queue, func(f frame) bool { return f.call == call }); i >= 0 {
		o.load -= o.queue[i].size()
		o.queue = slices.Delete(o.queue, i, i+1)
	}
}

// charge adds n bytes, which this end holds for the peer, to the load. While the load
// is too high it waits, unless the connection has ended.
func (o *outbox) charge(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.load > maxLoad && o.err == nil {
		o.changed.Wait()
	}
	o.load += n
}

// add is charge without waiting, for more bytes of a request that is charged already: to
// wait could be to wait for that request itself.
func (o *outbox) add(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.load += n
}

// discharge takes n bytes from the load.
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

// write writes until the outbox is stopped or writing fails, and returns why. Before
// it takes the queue it yields, so that more frames are queued and written together.
func (o *outbox) write() error {
	w := bufio.NewWriterSize(o.conn, ioBuffer)
	var batch []frame
	for {
		<-o.wake
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
}

// writeAll writes a batch and returns its bytes. Flush returns its errors.
func writeAll(w *bufio.Writer, batch []frame) (n int) {
	for _, f := range batch {
		n += f.size()
		w.Write(f.buf.b)
		w.Write(f.tail)
		f.buf.free()
	}
	return n
}

// take returns the queue, and makes used the new, empty queue.
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

// stop closes the connection. Only the first reason counts; stop reports whether this
// was the first.
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
