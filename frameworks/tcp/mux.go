package tcp

import (
	"bufio"
	"net"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
)

// reply is a payload, or an error instead.
type reply struct {
	payload []byte
	err     error
}

// muxConn is a connection with many requests at once. Callers queue frames for its
// writer, and its reader sends them the replies.
type muxConn struct {
	conn   net.Conn
	wake   chan struct{} // holds an element when the writer has work
	broken atomic.Bool   // err is set

	mu      sync.Mutex
	err     error // why the connection failed; nil while it works
	id      uint64
	queue   []frame                 // frames that the writer has not taken yet
	waiting map[uint64]chan<- reply // by the request's id
}

// works reports whether c was dialed and has not failed.
func (c *muxConn) works() bool { return c != nil && !c.broken.Load() }

// send queues payload and has the reply sent to replies. The payload must not change
// while the connection is open, because it is copied only when it is written.
func (c *muxConn) send(payload []byte, replies chan<- reply) (id uint64, err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return 0, c.err
	}
	c.id++
	id = c.id
	c.waiting[id] = replies
	c.queue = append(c.queue, frame{id, payload})
	first := len(c.queue) == 1
	c.mu.Unlock()
	if first {
		c.wakeWriter()
	}
	return id, nil
}

func (c *muxConn) wakeWriter() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// claim removes and returns the channel for the reply to id; nil if no call waits for
// it. The goroutine that claims a channel must send the reply.
func (c *muxConn) claim(id uint64) chan<- reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	replies := c.waiting[id]
	delete(c.waiting, id)
	return replies
}

// write writes what callers queue. All frames in the queue, and those that are queued
// while it copies them, leave in one system call. Before it takes the queue it yields,
// so that more callers queue: with 100 callers that saves a third of the work.
func (c *muxConn) write() {
	w := bufio.NewWriterSize(c.conn, muxBuffer)
	var batch []frame
	for range c.wake {
		runtime.Gosched()
		for batch = c.take(batch); len(batch) > 0; batch = c.take(batch) {
			for _, f := range batch {
				writeFrame(w, f) // Flush returns its error
			}
		}
		if err := w.Flush(); err != nil {
			c.fail(lost(err))
		}
		if c.broken.Load() {
			return
		}
	}
}

// take returns the queue, and makes used the new, empty queue.
func (c *muxConn) take(used []frame) []frame {
	clear(used)
	c.mu.Lock()
	defer c.mu.Unlock()
	batch := c.queue
	c.queue = used[:0]
	return batch
}

func (c *muxConn) read() {
	r := bufio.NewReaderSize(c.conn, muxBuffer)
	var m frames.Memory
	for {
		f, err := readFrame(r, &m, nil)
		if err != nil {
			c.fail(lost(err))
			return
		}
		if replies := c.claim(f.id); replies != nil {
			replies <- reply{payload: f.payload}
		}
	}
}

// fail closes the connection and sends the reason to all calls that wait. Only the
// first reason counts.
func (c *muxConn) fail(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = reason
	c.broken.Store(true)
	bare(c.conn).Close()
	for _, replies := range c.waiting {
		replies <- reply{err: reason}
	}
	c.waiting, c.queue = nil, nil
	c.wakeWriter() // the writer then ends
}
