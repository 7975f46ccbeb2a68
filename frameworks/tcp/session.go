package tcp

import (
	"io"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
)

// Session echoes the frames of a connection, for a poller that hands over data as it
// arrives. The zero value is ready to use, by one goroutine.
type Session struct {
	frame   []byte // what has arrived of a frame that earlier data began
	longest int    // the length of the longest such frame, in bytes
}

// Echo writes the frames to w that data ends, those that it holds whole with one write.
// As in echo, a frame is written when all of it is there. The beginning of the next frame
// is copied, since pollers use the memory of data again.
func (s *Session) Echo(w io.Writer, data []byte) error {
	data, err := s.finish(w, data)
	if err != nil || len(data) == 0 {
		return err
	}
	n, err := whole(data)
	if err != nil {
		return err
	}
	if n > 0 {
		if _, err := w.Write(data[:n]); err != nil {
			return err
		}
	}
	if n < len(data) {
		_, err = s.take(data[n:])
	}
	return err
}

// finish writes the frame that earlier data began, if data ends it, and returns the rest of
// data.
func (s *Session) finish(w io.Writer, data []byte) ([]byte, error) {
	if len(s.frame) == 0 {
		return data, nil
	}
	rest, err := s.take(data)
	if err != nil || !s.complete() {
		return nil, err
	}
	count.Call()
	_, err = w.Write(s.frame)
	s.longest = max(s.longest, len(s.frame))
	s.frame = kept(s.frame)[:0]
	return rest, err
}

// take moves bytes of the frame from data, and returns the rest of data.
func (s *Session) take(data []byte) ([]byte, error) {
	header := s.frame
	if len(header) == 0 {
		header = data
	}
	if len(header) < headerLen {
		data = s.move(data, headerLen)
		if header = s.frame; len(header) < headerLen {
			return nil, nil
		}
	}
	n, err := Payload(header)
	if err != nil {
		return nil, err
	}
	return s.move(data, headerLen+n), nil
}

// move moves data to the frame until that has n bytes. The frame grows as frames.Memory lets
// it.
func (s *Session) move(data []byte, n int) []byte {
	part := max(0, min(n-len(s.frame), len(data)))
	if end := len(s.frame) + part; end > cap(s.frame) {
		s.frame = append(make([]byte, 0, frames.Room(n, end, max(firstRead, s.longest))), s.frame...)
	}
	s.frame = append(s.frame, data[:part]...)
	return data[part:]
}

// complete reports whether all of the frame is there.
func (s *Session) complete() bool {
	if len(s.frame) < headerLen {
		return false
	}
	_, n := parseHeader(s.frame)
	return len(s.frame) == headerLen+n
}

// whole returns the length of the frames that are whole in data, and counts them.
func whole(data []byte) (end int, err error) {
	for len(data)-end >= headerLen {
		n, err := Payload(data[end:])
		if err != nil {
			return 0, err
		}
		if len(data)-end < headerLen+n {
			break
		}
		end += headerLen + n
		count.Call()
	}
	return end, nil
}

// HeaderLen is the length in bytes of a frame's header, for pollers that wait for all of a
// frame.
const HeaderLen = headerLen

// Payload returns the length in bytes of the payload that follows a header, or an error for
// one over MaxMessage.
func Payload(header []byte) (int, error) {
	_, n := parseHeader(header)
	return n, checkSize(n)
}
