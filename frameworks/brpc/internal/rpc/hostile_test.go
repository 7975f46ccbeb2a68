package rpc

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/hexed"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
)

// far is the other end of a connection. A test sends and receives its bytes.
type far struct {
	t *testing.T
	net.Conn
}

// scripted returns a client of a server that runs script, and then closes the
// connection.
func scripted(t *testing.T, script func(far)) *Conn {
	near, other := net.Pipe()
	c := newConn(near, wire.BaiduStd, Window)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer other.Close()
		script(far{t, other})
	}()
	t.Cleanup(func() { c.Close(); <-done })
	return c
}

// says sends bytes. The other end may close the connection at any of them.
func (f far) says(text string) { f.Write(hexed.Bytes(text)) }

// hears fails the test unless these bytes are received.
func (f far) hears(text string) {
	f.t.Helper()
	want := hexed.Bytes(text)
	got := make([]byte, len(want))
	f.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := io.ReadFull(f, got)
	require.NoError(f.t, err, "% x", got[:n])
	require.Equal(f.t, want, got, "% x", got)
}

// calling is the request of a client's first call, Echo with an empty message.
const calling = `"PRPC" 00000012 00000012  0a 0e 0a 06 "a.Test" 12 04 "Echo" 20 01`

// A client's call fails soon, whatever the server sends.
func TestHostileServers(t *testing.T) {
	for _, row := range []struct{ about, answer, want string }{
		{"another protocol", `"HTTP/1.1" 20 "400"`, `begins with "HTTP"`},
		{"brpc's other protocol", `"HULU" 02000000 02000000 18 02`, "answers in HULU, want PRPC"},
		{"2 GB", `"PRPC" 80000000 00000004`, "2147483648 bytes"},
		{"the end in the middle of a frame", `"PRPC" 00000010 00000004 12 00 20`, "in the middle of a frame"},
		{"256 MiB that do not come", `"PRPC" 10000000 00000004 12 00 20 01 "abc"`, "in the middle of a frame"},
		{"nothing", ``, "closed the connection"},
		{"the answer to a call that was not made", `"PRPC" 00000004 00000004 12 00 20 05`, "answers call 5, and 1 were made"},
		{"an error that names no call, as brpc-java's", `"PRPC" 0000000b 0000000b 12 07 08 d20f 12 02 "no" 18 00`, "brpc: error 2002: no"},
		{"an answer to nobody", `"PRPC" 00000002 00000002 12 00`, "answers call 0"},
		{"a meta that cannot be decoded", `"PRPC" 00000004 00000004 ffffffff`, "cannot be read"},
		{"a message that cannot be decoded", `"PRPC" 00000006 00000004 12 00 20 01 ffff`, "message cannot be read"},
		{"an attachment larger than the body", `"PRPC" 00000006 00000006 12 00 20 01 28 05`, "5 of the body's 0 bytes"},
		{"an answer that snappy compressed", `"PRPC" 00000006 00000006 12 00 18 01 20 01`, "compresses"},
		{"an answer that gzip did not compress", `"PRPC" 00000008 00000006 12 00 18 02 20 01 ffff`, "compressed message cannot be read"},
		{"an error", `"PRPC" 0000000b 0000000b 12 07 08 d20f 12 02 "no" 20 01`, "error 2002: no"},
	} {
		t.Run(row.about, func(t *testing.T) {
			c := scripted(t, func(f far) { f.hears(calling); f.says(row.answer) })
			ctx := within(t, time.Minute)
			_, err := c.Call(ctx, methodEcho, &protobuf.EchoMessage{}, &protobuf.EchoMessage{}, nil)
			assert.ErrorContains(t, err, row.want)
			assert.NoError(t, ctx.Err(), "it waited for its timeout")
		})
	}
}

// Messages to a stream that is not open are refused, and the connection goes on.
func TestUnopenedStreamAtClient(t *testing.T) {
	c := scripted(t, func(f far) {
		f.hears(calling)
		f.says(`"STRM" 00000009 00000006 08 2a 10 07 18 03 "abc"`) // DATA to 42 from 7
		f.hears(`"STRM" 00000004 00000004 08 07 18 01`)            // RST to 7
		f.says(`"STRM" 0000000a 0000000a 08 2a 10 07 18 04 2a 02 08 00`)
		f.says(`"STRM" 00000006 00000006 08 2a 10 07 18 02`)
		f.says(`"STRM" 00000004 00000004 08 2a 18 01`)
		f.says(`"STRM" 00000000 00000000`)
		f.says(`"PRPC" 00000004 00000004 12 00 20 01`)
	})
	_, err := c.Call(within(t, time.Minute), methodEcho, &protobuf.EchoMessage{}, &protobuf.EchoMessage{}, nil)
	assert.NoError(t, err)
}

// A server closes the connection of a client that breaks the protocol.
func TestHostileClients(t *testing.T) {
	for _, row := range []struct{ about, says string }{
		{"another protocol", `"GET" 20 "/" 20 "HTTP/1.1" 0d0a0d0a`},
		{"2 GB", `"PRPC" 80000000 00000004`},
		{"2 GB of hulu", `"HULU" 00000080 04000000`},
		{"2 GB of a stream", `"STRM" 80000000 00000004`},
		{"a meta that cannot be decoded", `"PRPC" 00000004 00000004 ffffffff`},
		{"a response", `"PRPC" 00000004 00000004 12 00 20 01`},
		{"an attachment larger than the body", `"PRPC" 00000014 00000014  0a 0e 0a 06 "a.Test" 12 04 "Echo" 20 01 28 05`},
		{"a stream's meta that cannot be decoded", `"STRM" 00000004 00000004 ffffffff`},
	} {
		t.Run(row.about, func(t *testing.T) {
			near, other := net.Pipe()
			go serve(other, Window, []Service{service})
			f := far{t, near}
			f.says(row.says)
			f.SetReadDeadline(time.Now().Add(time.Minute))
			n, err := f.Read(make([]byte, 1))
			assert.Zero(t, n)
			assert.Equal(t, io.EOF, err)
		})
	}
}

// A server answers requests that it cannot handle with an error.
func TestServerRefuses(t *testing.T) {
	for _, row := range []struct{ about, says, hears string }{
		{
			"a message to a stream that is not open", `"STRM" 00000009 00000006 08 2a 10 07 18 03 "abc"`,
			`"STRM" 00000004 00000004 08 07 18 01`,
		},
		{
			"a stream from a method that has none: an answer, from no stream",
			`"PRPC" 00000016 00000016  0a 0e 0a 06 "a.Test" 12 04 "Echo" 20 01 42 02 08 07`,
			`"STRM" 0000001f 0000000f 08 07 10 ffffffffffffffffff01 18 03 "PRPC" 00000004 00000004 12 00 20 01`,
		},
	} {
		t.Run(row.about, func(t *testing.T) {
			near, other := net.Pipe()
			defer near.Close()
			go serve(other, Window, []Service{service})
			f := far{t, near}
			f.says(row.says)
			f.hears(row.hears)
		})
	}
}

func TestServerRefusesWhatIsNoMessage(t *testing.T) {
	near, other := net.Pipe()
	defer near.Close()
	go serve(other, Window, []Service{service})
	far{t, near}.says(`"PRPC" 00000014 00000012  0a 0e 0a 06 "a.Test" 12 04 "Echo" 20 01 ffff`)
	h, b, err := wire.NewReader(bufio.NewReader(near), MaxFrame).Next()
	require.NoError(t, err)
	got, err := wire.BaiduStd.ParseResponse(b, h.Body)
	require.NoError(t, err)
	assert.EqualValues(t, 1, got.ID)
	assert.EqualValues(t, CodeRequest, got.Code)
	assert.Contains(t, got.Text, "message cannot be read")
}

// A server holds few requests whose small messages become large ones.
func TestZippedZeros(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled atomic.Int32
		hold := make(chan struct{})
		near, other := net.Pipe()
		go serve(other, Window, []Service{{Name: "a.Test", Methods: []Method{{Name: "Echo", Unary: func(*Incoming) (proto.Message, []byte, error) {
			handled.Add(1)
			<-hold
			return nil, nil, ErrClosed
		}}}}})
		request, err := wire.BaiduStd.AppendRequest(nil, wire.Request{ID: 1, Method: methodEcho, Gzip: true}, &protobuf.EchoMessage{Msg: make([]byte, maxLoad/2)})
		require.NoError(t, err)
		assert.Less(t, len(request), maxLoad/500)
		go near.Write(bytes.Repeat(request, 8))
		synctest.Wait()
		assert.EqualValues(t, 2, handled.Load())
		close(hold)
		near.Close()
	})
}

// A stream of brpc's C++ server, frame by frame.
func TestStreamOfCpp(t *testing.T) {
	for _, row := range []struct{ about, response, remote string }{
		{"the response comes in the stream's first message", `
			"STRM" 00000024 00000008
			08 01 10 00 18 03 20 00        # stream_id 1, source_stream_id 0, DATA, has_continuation
			"PRPC" 00000010 00000010
			12 02 08 00 18 00 20 01        # error_code, compress_type, correlation_id
			42 06 08 00 10 01 18 01        # stream_settings: id 0, need_feedback, writable
		`, "00"},
		{"the response comes by itself", `
			"PRPC" 00000010 00000010
			12 02 08 00 18 00 20 01
			42 06 08 63 10 01 18 01        # id 99
		`, "63"},
	} {
		t.Run(row.about, func(t *testing.T) {
			heard := make(chan struct{})
			c := scripted(t, func(f far) {
				defer close(heard)
				f.hears(`
					"PRPC" 0000001c 0000001c
					0a 10 0a 06 "a.Test" 12 06 "Stream"
					20 01
					42 06 08 01 10 01 18 01    # stream_settings: id 1, need_feedback, writable
				`)
				f.says(row.response)
				f.hears(`"STRM" 0000000a 00000006 08 ` + row.remote + ` 10 01 18 03 0a 02 "hi"`)
				f.says(`
					"STRM" 0000000c 0000000c 08 01 10 ` + row.remote + ` 18 04 20 00 2a 02 08 00 # consumed nothing yet
					"STRM" 0000000c 0000000c 08 01 10 ` + row.remote + ` 18 04 20 00 2a 02 08 04 # all of it
					"STRM" 0000000b 00000008 08 01 10 ` + row.remote + ` 18 03 20 01 0a 03 "a" # a message, of which
					"STRM" 0000000a 00000008 08 01 10 ` + row.remote + ` 18 03 20 00 "bc"      # more comes
				`)
				f.hears(`"STRM" 0000000a 0000000a 08 ` + row.remote + ` 10 01 18 04 2a 02 08 05 # consumed 5 bytes`)
				f.says(`"STRM" 00000006 00000006 08 01 10 ` + row.remote + ` 18 02 # CLOSE`)
			})
			s, err := c.OpenStream(within(t, time.Minute), methodStream)
			require.NoError(t, err)
			require.NoError(t, s.Send(&protobuf.EchoMessage{Action: "hi"}))
			m := new(protobuf.EchoMessage)
			require.NoError(t, s.Recv(m))
			assert.Equal(t, "abc", m.Action)
			assert.Equal(t, io.EOF, s.Recv(m))
			assert.Equal(t, io.EOF, s.Recv(m))
			assert.Equal(t, io.EOF, s.Send(m))
			s.Close()
			<-heard
		})
	}
}

// A client survives broken frames while a stream is opened, and when it is open.
func TestHostileStreams(t *testing.T) {
	const opened = `"PRPC" 0000000e 0000000e 12 02 08 00 20 01 42 06 08 63 10 01 18 01 `
	for _, row := range []struct{ about, says, want string }{
		{"no stream", `"PRPC" 00000004 00000004 12 00 20 01`, "opened none"},
		{"an error", `"PRPC" 0000000b 0000000b 12 07 08 d20f 12 02 "no" 20 01`, "error 2002: no"},
		{"an error in the stream", `
			"STRM" 0000001d 00000006 08 01 10 63 18 03
			"PRPC" 0000000b 0000000b 12 07 08 d20f 12 02 "no" 20 01
		`, "error 2002: no"},
		{"a message before the response", `"STRM" 0000000a 00000006 08 01 10 63 18 03 "hihi"`, "no response: brpc: the connection ended in the middle"},
		{"another protocol before the response", `
			"STRM" 00000012 00000006 08 01 10 63 18 03 "STRM" 00000000 00000000
		`, "it is a frame of STRM"},
		{"feedback for what was not sent", opened + `"STRM" 0000000a 0000000a 08 01 10 63 18 04 2a 02 08 05`, "consumed 5 bytes of a stream on which 0 were sent"},
		{"RST", opened + `"STRM" 00000004 00000004 08 01 18 01`, "no such stream (RST)"},
		{"a message that cannot be decoded", opened + `"STRM" 00000008 00000006 08 01 10 63 18 03 ffff`, "message cannot be read"},
		{"2 GB", opened + `"STRM" 80000000 00000006 08 01 10 63 18 03`, "2147483648 bytes"},
		{"the end in the middle of a message", opened + `"STRM" 00000010 00000006 08 01 10 63 18 03 "abc"`, "in the middle of a frame"},
	} {
		t.Run(row.about, func(t *testing.T) {
			c := scripted(t, func(f far) { io.ReadFull(f, make([]byte, 12+28)); f.says(row.says) })
			ctx := within(t, time.Minute)
			s, err := c.OpenStream(ctx, methodStream)
			if err == nil {
				err = s.Recv(&protobuf.EchoMessage{})
			}
			assert.ErrorContains(t, err, row.want)
			assert.NoError(t, ctx.Err(), "it waited for its timeout")
		})
	}
}

// A sender that ignores the window is stopped before memory is full.
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pair(t, wire.BaiduStd, Service{Name: "a.Test", Methods: []Method{{Name: "Stream", Stream: func(s *Stream) {
			s.mu.Lock()
			s.acked = 1 << 40 // the sender believes that all is consumed
			s.mu.Unlock()
			for s.Send(&protobuf.EchoMessage{Msg: make([]byte, 1<<20)}) == nil {
			}
		}}}})
		s, err := c.OpenStream(t.Context(), methodStream)
		require.NoError(t, err)
		synctest.Wait()
		assert.Less(t, s.unread, maxUnread+2<<20)
		assert.ErrorContains(t, c.out.stopped(), "more to a stream than its reader takes")
	})
}
