package tcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

func TestFrame(t *testing.T) {
	for _, test := range []struct {
		name  string
		frame frame
		wire  string
	}{
		{"empty", frame{0, nil}, "\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"short", frame{1, []byte("abc")}, "\x00\x00\x00\x03" + "\x00\x00\x00\x00\x00\x00\x00\x01" + "abc"},
		{"large id", frame{1<<64 - 1, []byte("x")}, "\x00\x00\x00\x01" + "\xff\xff\xff\xff\xff\xff\xff\xff" + "x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var wire bytes.Buffer
			w := bufio.NewWriter(&wire)
			require.NoError(t, writeFrame(w, test.frame))
			require.NoError(t, w.Flush())
			assert.Equal(t, test.wire, wire.String())

			f, err := readFrame(bufio.NewReader(iotest.OneByteReader(&wire)), new(frames.Memory), nil)
			require.NoError(t, err)
			assert.Equal(t, test.frame.id, f.id)
			assert.NotNil(t, f.payload)
			assert.Equal(t, string(test.frame.payload), string(f.payload))
		})
	}
}

func TestReadFrameErrors(t *testing.T) {
	head := func(n byte) string { return string([]byte{n, 0, 0, 2}) + "12345678" }
	for _, test := range []struct{ name, wire, want string }{
		{"nothing", "", "EOF"},
		{"part of a header", "\x00\x00", "EOF"},
		{"part of a payload", head(0) + "a", "unexpected EOF"},
		{"over the limit", head(0xff), "over MaxMessage"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := readFrame(bufio.NewReader(strings.NewReader(test.wire)), new(frames.Memory), nil)
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestReadFrameReusesBuffer(t *testing.T) {
	wire := string(appendHeader(nil, frame{1, make([]byte, 3)})) + "abc"
	for _, test := range []struct {
		name   string
		buf    []byte
		reused bool
	}{
		{"none", nil, false},
		{"too small", make([]byte, 2), false},
		{"large enough", make([]byte, 3), true},
		{"of enough capacity", make([]byte, 0, 8), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := readFrame(bufio.NewReader(strings.NewReader(wire)), new(frames.Memory), test.buf)
			require.NoError(t, err)
			assert.Equal(t, "abc", string(f.payload))
			reused := cap(test.buf) > 0 && &test.buf[:1][0] == &f.payload[0]
			assert.Equal(t, test.reused, reused)
		})
	}
}

// A header alone, which may claim anything, costs the memory of the first step.
func TestMemoryOfAPayloadThatDoesNotArrive(t *testing.T) {
	header := appendHeader(nil, frame{1, make([]byte, MaxMessage)})
	for about, read := range map[string]func(c net.Conn) (frame, error){
		"calls":  func(c net.Conn) (frame, error) { return readFrame(bufio.NewReader(c), new(frames.Memory), nil) },
		"stream": func(c net.Conn) (frame, error) { s := source{conn: c, r: bufio.NewReader(c)}; return s.next(nil) },
	} {
		here, there := net.Pipe()
		go func() {
			there.Write(append(header, "abc"...))
			there.Close()
		}()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(here)
		runtime.ReadMemStats(&after)
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF, about)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*firstRead), about)
	}
}

func TestBuffered(t *testing.T) {
	whole := string(appendHeader(nil, frame{1, make([]byte, 3)})) + "abc"
	for _, test := range []struct {
		name, next string
		want       bool
	}{
		{"nothing", "", false},
		{"part of a header", whole[:headerLen-1], false},
		{"a header only", whole[:headerLen], false},
		{"part of a payload", whole[:len(whole)-1], false},
		{"a frame", whole, true},
		{"a frame and more", whole + "x", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := bufio.NewReader(strings.NewReader(whole + test.next))
			_, err := readFrame(r, new(frames.Memory), nil) // fills the buffer
			require.NoError(t, err)
			assert.Equal(t, test.want, buffered(r))
		})
	}
}

// each runs a test over both transports with a server and a client of two
// connections.
func each(t *testing.T, test func(t *testing.T, s framework.Server, c framework.Client)) {
	for _, v := range Variants() {
		t.Run(v.Transport, func(t *testing.T) {
			s, err := v.Serve("127.0.0.1:0")
			require.NoError(t, err)
			defer s.Close()
			c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 2, Callers: 100})
			require.NoError(t, err)
			defer c.Close()
			test(t, s, c)
		})
	}
}

func requests(n, size int) []framework.EchoMessage {
	out := make([]framework.EchoMessage, n)
	for i := range out {
		out[i] = framework.EchoMessage{Action: handler.ActionEcho, Msg: make([]byte, size)}
		for j := range out[i].Msg {
			out[i].Msg[j] = byte(rand.Uint32())
		}
	}
	return out
}

func checker(requests []framework.EchoMessage) framework.EchoCheck {
	return func(worker int, reply framework.EchoMessage) error {
		want := requests[worker]
		if reply.Action != want.Action || !bytes.Equal(reply.Msg, want.Msg) {
			return errors.New("the reply differs from the request")
		}
		return nil
	}
}

func TestEcho(t *testing.T) {
	for _, size := range []int{0, 1, 1 << 10, connBuffer - headerLen, muxBuffer, 1 << 20} {
		each(t, func(t *testing.T, _ framework.Server, c framework.Client) {
			reqs := requests(20, size)
			call := c.Echo(reqs, checker(reqs))
			var wg sync.WaitGroup
			for w := range reqs {
				wg.Go(func() {
					for range 5 {
						assert.NoError(t, call(t.Context(), w), "size %d", size)
					}
				})
			}
			wg.Wait()
		})
	}
}

// Two Echos have workers with the same numbers. Each call gets its own reply.
func TestTwoEchosAtOnce(t *testing.T) {
	each(t, func(t *testing.T, _ framework.Server, c framework.Client) {
		var wg sync.WaitGroup
		for range 2 {
			reqs := requests(4, 100)
			call := c.Echo(reqs, checker(reqs))
			for w := range reqs {
				wg.Go(func() {
					for range 200 {
						assert.NoError(t, call(context.Background(), w))
					}
				})
			}
		}
		wg.Wait()
	})
}

func TestTooLarge(t *testing.T) {
	each(t, func(t *testing.T, _ framework.Server, c framework.Client) {
		reqs := []framework.EchoMessage{{Msg: make([]byte, MaxMessage+1)}}
		err := c.Echo(reqs, checker(reqs))(t.Context(), 0)
		assert.ErrorContains(t, err, "MaxMessage")
		reqs = requests(1, 10)
		assert.NoError(t, c.Echo(reqs, checker(reqs))(t.Context(), 0), "the connection is still good")
	})
}

// When a context has ended a call, its reply is not taken for the reply to the worker's
// next call.
func TestContextEnds(t *testing.T) {
	each(t, func(t *testing.T, _ framework.Server, c framework.Client) {
		reqs := requests(10, 1<<16)
		call := c.Echo(reqs, checker(reqs))
		var wg sync.WaitGroup
		for w := range reqs {
			wg.Go(func() {
				for i := range 100 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*10*time.Microsecond)
					if err := call(ctx, w); err != nil {
						assert.ErrorIs(t, err, context.DeadlineExceeded)
					}
					cancel()
				}
				assert.NoError(t, call(t.Context(), w))
			})
		}
		wg.Wait()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, call(ended, 0), context.Canceled)
		assert.ErrorIs(t, call(ended, 0), context.Canceled)
	})
}

// A context that ends between calls does not close the connection.
func TestContextEndsBetweenCalls(t *testing.T) {
	s, err := serve("127.0.0.1:0", connBuffer, setup{})
	require.NoError(t, err)
	defer s.Close()
	c, err := dialConn(s.Addr(), framework.DialOptions{}, setup{})
	require.NoError(t, err)
	defer c.Close()
	slot := c.(*connClient).workers(1)[0]
	before := slot.conn
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := slot.call(ctx, []byte("x"))
		require.NoError(t, err)
		cancel()
		time.Sleep(5 * time.Millisecond) // lets context.AfterFunc run
		_, err = slot.call(ctx, []byte("x"))
		require.ErrorIs(t, err, context.Canceled)
	}
	_, err = slot.call(context.Background(), []byte("x"))
	require.NoError(t, err)
	assert.Same(t, before, slot.conn)
}

// silent is a server that reads and never answers.
func silent(t *testing.T) *conns.Server {
	s, err := conns.Serve("127.0.0.1:0", func(c net.Conn) { io.Copy(io.Discard, c) })
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSilentServer(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Transport, func(t *testing.T) {
			s := silent(t)
			c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
			require.NoError(t, err)
			reqs := requests(1, 10)
			call := c.Echo(reqs, checker(reqs))
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			assert.ErrorIs(t, call(ctx, 0), context.DeadlineExceeded)

			failed := make(chan error)
			go func() { failed <- call(context.Background(), 0) }()
			time.Sleep(20 * time.Millisecond)
			require.NoError(t, c.Close())
			assert.Error(t, <-failed, "a call under way when the client is closed")
			assert.Equal(t, errClosed, call(t.Context(), 0))
		})
	}
}

func TestServerDiesAndComesBack(t *testing.T) {
	for _, v := range Variants() {
		t.Run(v.Transport, func(t *testing.T) {
			s, err := v.Serve("127.0.0.1:0")
			require.NoError(t, err)
			c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
			require.NoError(t, err)
			defer c.Close()
			reqs := requests(1, 10)
			call := c.Echo(reqs, checker(reqs))
			require.NoError(t, call(t.Context(), 0))

			require.NoError(t, s.Close())
			for range 3 {
				assert.ErrorContains(t, call(t.Context(), 0), "tcp: no connection")
			}
			s, err = v.Serve(s.Addr())
			require.NoError(t, err)
			defer s.Close()
			assert.NoError(t, call(t.Context(), 0))
		})
	}
}

// With a background context a call allocates only its reply.
func TestAllocations(t *testing.T) {
	each(t, func(t *testing.T, _ framework.Server, c framework.Client) {
		reqs := requests(1, 100)
		call := c.Echo(reqs, checker(reqs))
		allocs := testing.AllocsPerRun(1000, func() {
			assert.NoError(t, call(context.Background(), 0))
		})
		assert.LessOrEqual(t, allocs, 2.0) // assert allocates once
	})
}
