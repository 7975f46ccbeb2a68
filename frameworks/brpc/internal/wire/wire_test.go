package wire

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/hexed"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/meta"
)

const limit = 1 << 20

func reader(b []byte) *Reader { return NewReader(bufio.NewReader(bytes.NewReader(b)), limit) }

var (
	hi   = &protobuf.EchoMessage{Action: "echo", Msg: []byte("hi")}
	echo = Method{Service: "rpcbench.Bencher", Name: "Echo"}
)

// The bytes of all frames that we write.
func TestWritten(t *testing.T) {
	ends := Ends{Local: 7, Remote: 9}
	for _, row := range []struct {
		about string
		frame func() ([]byte, error)
		want  string
	}{
		{"a request names the service in full", func() ([]byte, error) {
			return BaiduStd.AppendRequest(nil, Request{ID: 1, Method: echo}, hi)
		}, `
			"PRPC" 00000026 0000001c   # 38 bytes follow, 28 of them meta
			0a 18                      # RpcMeta.request
			0a 10 "rpcbench.Bencher"   #   service_name
			12 04 "Echo"               #   method_name
			20 01                      # correlation_id
			0a 04 "echo" 12 02 "hi"    # EchoMessage
		`},
		{"an attachment counts as body, and comes after the message", func() ([]byte, error) {
			return BaiduStd.AppendRequest(nil, Request{ID: 300, Method: echo, Attachment: 3}, hi)
		}, `
			"PRPC" 0000002c 0000001f   # 31 of meta, 10 of message and the 3 that come
			0a 18 0a 10 "rpcbench.Bencher" 12 04 "Echo"
			20 ac02                    # correlation_id
			28 03                      # attachment_size
			0a 04 "echo" 12 02 "hi"
		`},
		{"a request that opens a stream says how we number it", func() ([]byte, error) {
			settings := &meta.StreamSettings{StreamId: proto.Int64(7), NeedFeedback: true, Writable: true}
			return BaiduStd.AppendRequest(nil, Request{ID: 2, Method: Method{Service: "S", Name: "M"}, Stream: settings}, nil)
		}, `
			"PRPC" 00000012 00000012
			0a 06 0a 01 "S" 12 01 "M"
			20 02
			42 06                      # RpcMeta.stream_settings
			08 07 10 01 18 01          #   stream_id, need_feedback, writable
		`},
		{"a response has its part of the meta even where nothing is in it", func() ([]byte, error) {
			return BaiduStd.AppendResponse(nil, Response{ID: 1}, hi)
		}, `
			"PRPC" 0000000e 00000004
			12 00                      # RpcMeta.response
			20 01
			0a 04 "echo" 12 02 "hi"
		`},
		{"an error has a number and a text", func() ([]byte, error) {
			return BaiduStd.AppendResponse(nil, Response{ID: 1, Code: 1002, Text: "no"}, nil)
		}, `
			"PRPC" 0000000b 0000000b
			12 07 08 ea07 12 02 "no"   # RpcMeta.response: error_code, error_text
			20 01
		`},
		{"hulu is little-endian, has the service's last name and the method's number, even if that is 0", func() ([]byte, error) {
			return Hulu.AppendRequest(nil, Request{ID: 1, Method: Method{Service: "a.Bencher"}}, hi)
		}, `
			"HULU" 17000000 0d000000   # 23 bytes follow, 13 of them meta
			0a 07 "Bencher"            # service_name
			10 00                      # method_index
			20 01                      # correlation_id
			0a 04 "echo" 12 02 "hi"
		`},
		{"hulu's attachment is what comes after the message's length", func() ([]byte, error) {
			return Hulu.AppendRequest(nil, Request{ID: 1, Method: Method{Service: "Bencher", Index: 1}, Attachment: 3}, hi)
		}, `
			"HULU" 1c000000 0f000000
			0a 07 "Bencher" 10 01 20 01
			60 0a                      # user_message_size
			0a 04 "echo" 12 02 "hi"
		`},
		{"a hulu response has its id in zigzag", func() ([]byte, error) {
			return Hulu.AppendResponse(nil, Response{ID: 1}, hi)
		}, `
			"HULU" 0c000000 02000000
			18 02                      # correlation_id
			0a 04 "echo" 12 02 "hi"
		`},
		{"a stream's message", func() ([]byte, error) {
			b, size, err := AppendData(nil, ends, hi)
			assert.Equal(t, 10, size)
			return b, err
		}, `
			"STRM" 00000010 00000006
			08 09                      # stream_id: the receiver's
			10 07                      # source_stream_id: ours
			18 03                      # frame_type: DATA
			0a 04 "echo" 12 02 "hi"
		`},
		{"a stream id of 0 is written, as it is required", func() ([]byte, error) {
			return AppendClose(nil, Ends{}), nil
		}, `"STRM" 00000006 00000006  08 00 10 00 18 02`},
		{"the end of a stream", func() ([]byte, error) { return AppendClose(nil, ends), nil }, `
			"STRM" 00000006 00000006  08 09 10 07 18 02
		`},
		{"no such stream: there is no source", func() ([]byte, error) { return AppendReset(nil, 9), nil }, `
			"STRM" 00000004 00000004  08 09 18 01
		`},
		{"feedback", func() ([]byte, error) { return AppendFeedback(nil, ends, 1024), nil }, `
			"STRM" 0000000b 0000000b
			08 09 10 07 18 04
			2a 03 08 8008              # feedback: consumed_size
		`},
		{"a stream's first message is the response", func() ([]byte, error) { return AppendWrapped(nil, ends, []byte("PRPC")), nil }, `
			"STRM" 0000000a 00000006  08 09 10 07 18 03  "PRPC"
		`},
	} {
		t.Run(row.about, func(t *testing.T) {
			got, err := row.frame()
			require.NoError(t, err)
			want := hexed.Bytes(row.want)
			assert.Equal(t, want, got, "% x\n% x", want, got)
		})
	}
}

// Frames of brpc's C++ can be read. It also writes fields that are zero, and some that
// we never set.
func TestReadFromCpp(t *testing.T) {
	for _, row := range []struct {
		about string
		frame string
		want  any // as parsed
		body  string
	}{
		{"a response", `
			"PRPC" 0000001d 00000012
			12 02 08 00                # response: error_code 0
			18 00                      # compress_type
			20 01                      # correlation_id
			28 03                      # attachment_size
			50 00 58 00                # content_type, checksum_type
			62 02 0000                 # checksum_value
			0a 04 "echo" 12 00 "abc"
		`, Response{ID: 1, Attachment: 3}, "\n\x04echo\x12\x00abc"},
		{"a response with an error in a text that is not UTF-8", `
			"PRPC" 0000000b 0000000b
			12 07 08 d10f 12 02 b4ed   # error_code 2001
			20 01
		`, Response{ID: 1, Code: 2001, Text: "\xb4\xed"}, ""},
		{"a request with trace ids and fields of users", `
			"PRPC" 00000020 00000020
			0a 0e 0a 01 "S" 12 01 "M" 18 05 20 06 28 07 30 08
			18 00 20 01
			4a 06 0a 01 "k" 12 01 "v"  # user_fields
			58 00
			68 00
		`, Request{ID: 1, Method: Method{Service: "S", Name: "M"}}, ""},
		{"a hulu response", `
			"HULU" 0f000000 09000000
			08 00 18 d804 20 00 40 03  # error_code, correlation_id, compress_type, user_message_size
			12 01 "a" "xyz"
		`, nil, "\x12\x01axyz"},
	} {
		t.Run(row.about, func(t *testing.T) {
			r := reader(hexed.Bytes(row.frame))
			h, b, err := r.Next()
			require.NoError(t, err)
			switch want := row.want.(type) {
			case Response:
				got, err := BaiduStd.ParseResponse(b, h.Body)
				require.NoError(t, err)
				assert.Equal(t, want, got)
			case Request:
				got, err := BaiduStd.ParseRequest(b, h.Body)
				require.NoError(t, err)
				assert.Equal(t, want, got)
			default:
				got, err := Hulu.ParseResponse(b, h.Body)
				require.NoError(t, err)
				assert.Equal(t, Response{ID: 300, Attachment: 3}, got)
			}
			body, err := r.Body(nil, h.Body)
			require.NoError(t, err)
			assert.Equal(t, row.body, string(body))
			_, _, err = r.Next()
			assert.Equal(t, io.EOF, err)
		})
	}
}

// Both ends understand each other.
func TestRequestsComeThrough(t *testing.T) {
	for _, p := range []*Protocol{BaiduStd, Hulu} {
		for _, attachment := range []int{0, 1, 1000} {
			want := Request{ID: 1 << 40, Method: Method{Service: "Bencher", Index: 1}, Attachment: attachment}
			if p == BaiduStd {
				want.Method = Method{Service: "rpcbench.Bencher", Name: "Message"}
			}
			b, err := p.AppendRequest(nil, want, hi)
			require.NoError(t, err)
			h, m, err := reader(append(b, make([]byte, attachment)...)).Next()
			require.NoError(t, err)
			got, err := p.ParseRequest(m, h.Body)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			assert.Equal(t, proto.Size(hi)+attachment, h.Body)
		}
	}
}

func TestBadFrames(t *testing.T) {
	for _, row := range []struct{ about, frame, want string }{
		{"another protocol", `"HTTP/1.1" "400BadRequest"`, `a frame begins with "HTTP", want PRPC, STRM or HULU`},
		{"2 GB", `"PRPC" 80000000 00000004`, "it has 2147483648 bytes, more than the limit of 1048576"},
		{"2 GB of hulu", `"HULU" 00000080 04000000`, "it has 2147483648 bytes"},
		{"a meta larger than the frame", `"STRM" 00000004 00000005`, "more than the frame"},
		{"a meta of 64 KiB and a byte", `"PRPC" 00020000 00010001`, "the limit of 65536"},
		{"half a header", `"PRPC" 0000`, "ended in the middle of a frame"},
		{"half a meta", `"PRPC" 00000004 00000004 0802`, "ended in the middle of a frame"},
	} {
		_, _, err := reader(hexed.Bytes(row.frame)).Next()
		assert.ErrorContains(t, err, row.want, row.about)
	}
}

func TestBadMetas(t *testing.T) {
	for _, row := range []struct{ about, meta, want string }{
		{"no protobuf", "ff", "cannot be read"},
		{"no request", "20 01", "names no method"},
		{"an attachment larger than the body", "0a 00 28 0b", "11 of the body's 10 bytes"},
		{"an attachment smaller than nothing", "0a 00 28 ffffffffffffffffff01", "-1 of the body's 10 bytes"},
		{"compressed by snappy", "0a 00 18 01", "compresses"},
	} {
		_, err := BaiduStd.ParseRequest(hexed.Bytes(row.meta), 10)
		assert.ErrorContains(t, err, row.want, row.about)
	}
	_, err := Hulu.ParseResponse(hexed.Bytes("20 02"), 10) // compress_type
	assert.ErrorContains(t, err, "which hulu has not here")
	_, err = Hulu.ParseResponse(hexed.Bytes("40 0b"), 10) // user_message_size
	assert.ErrorContains(t, err, "-1 of the body's 10 bytes")
}

// growth is how many times what has arrived package frames allocates.
const growth = 8

// Memory is allocated as bytes arrive, not for the length in a header.
func TestBodyIsBelievedLittleByLittle(t *testing.T) {
	for _, arrived := range []int{0, firstRead - 1, firstRead, 2 * firstRead} {
		header := make([]byte, HeaderLen, HeaderLen+arrived)
		Header{PRPC, 0, 200 << 20}.put(header)
		r := NewReader(bufio.NewReader(bytes.NewReader(header[:HeaderLen+arrived])), 256<<20)
		h, _, err := r.Next()
		require.NoError(t, err)
		b, err := r.Body(nil, h.Body)
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.LessOrEqual(t, cap(b), max(firstRead, growth*arrived), "%d bytes arrived", arrived)
	}
}

func TestBodyIsReadInParts(t *testing.T) {
	b := hexed.Bytes(`"PRPC" 00000006 00000000 "abcdef" "PRPC" 00000001 00000000 "x"`)
	r := reader(b)
	h, _, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, 6, h.Body)
	part, err := r.Body([]byte("-"), 2)
	require.NoError(t, err)
	assert.Equal(t, "-ab", string(part))
	_, err = r.Body(nil, 5)
	assert.ErrorContains(t, err, "asks for 5 bytes of a body that has 4")
	_, _, err = r.Next() // skips the rest
	require.NoError(t, err)
	part, err = r.Body(nil, 1)
	require.NoError(t, err)
	assert.Equal(t, "x", string(part))
}

// FuzzReader: no frame makes the reader panic or allocate too much memory.
func FuzzReader(f *testing.F) {
	settings := &meta.StreamSettings{StreamId: proto.Int64(7), NeedFeedback: true}
	for _, p := range []*Protocol{BaiduStd, Hulu} {
		request, err := p.AppendRequest(nil, Request{ID: 1, Method: echo, Stream: settings}, hi)
		require.NoError(f, err)
		response, err := p.AppendResponse(request, Response{ID: 1, Code: 5, Text: "no", Stream: settings}, hi)
		require.NoError(f, err)
		f.Add(request)
		f.Add(response)
		f.Add(AppendWrapped(nil, Ends{1, 2}, response))
	}
	data, _, err := AppendData(nil, Ends{1, 2}, hi)
	require.NoError(f, err)
	f.Add(AppendReset(AppendFeedback(AppendClose(data, Ends{1, 2}), Ends{1, 2}, 3), 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := reader(b)
		for {
			h, m, err := r.Next()
			if err != nil {
				return
			}
			assert.LessOrEqual(t, h.Meta+h.Body, limit)
			parseAll(t, h, m)
			body, err := r.Body(nil, h.Body)
			assert.LessOrEqual(t, cap(body), max(firstRead, growth*len(b)))
			if err != nil {
				return
			}
		}
	})
}

// parseAll parses a meta in all ways. If it can be parsed, writing and parsing it again
// must give the same.
func parseAll(t *testing.T, h Header, m []byte) {
	ParseStream(m)
	for _, p := range []*Protocol{BaiduStd, Hulu} {
		p.ParseResponse(m, h.Body)
		r, err := p.ParseRequest(m, h.Body)
		if err != nil || r.Attachment == 0 {
			continue
		}
		assert.LessOrEqual(t, r.Attachment, h.Body)
		b, err := p.AppendRequest(nil, r, nil)
		require.NoError(t, err)
		size := int(p.Kind.order().Uint32(b[8:]))
		again, err := p.ParseRequest(b[HeaderLen:HeaderLen+size], r.Attachment)
		require.NoError(t, err)
		assert.Equal(t, r.Method, again.Method)
		assert.Equal(t, r.ID, again.ID)
	}
}
