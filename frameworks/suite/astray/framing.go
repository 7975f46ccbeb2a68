package astray

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
)

// Framing reads a frame, and returns the index of the byte where the body of a reply begins.
// The body ends with the frame. It must not contain what tells calls apart, such as their
// ids. If a frame is no reply, its body is ignored if it is shorter than 1 KiB.
type Framing func(r *bufio.Reader) (frame []byte, body int, err error)

// Headed is a framing of frames that begin with a header of a fixed size in bytes. Length
// returns how many bytes come after the header, and body where in the frame the body begins.
func Headed(header int, length, body func([]byte) int) Framing {
	return func(r *bufio.Reader) ([]byte, int, error) {
		frame := make([]byte, header)
		if _, err := io.ReadFull(r, frame); err != nil {
			return nil, 0, err
		}
		frame = append(frame, make([]byte, length(frame))...)
		_, err := io.ReadFull(r, frame[header:])
		return frame, min(body(frame), len(frame)), err
	}
}

// At is a body that begins at the same byte in each frame.
func At(i int) func([]byte) int { return func([]byte) int { return i } }

// Big32 is a number of 4 bytes, big endian, at a byte of a header.
func Big32(at int) func([]byte) int {
	return func(b []byte) int { return int(binary.BigEndian.Uint32(b[at:])) }
}

// Little32 is Big32 in the other order.
func Little32(at int) func([]byte) int {
	return func(b []byte) int { return int(binary.LittleEndian.Uint32(b[at:])) }
}

// Plus is n and the sum of the numbers.
func Plus(n int, numbers ...func([]byte) int) func([]byte) int {
	return func(b []byte) int {
		sum := n
		for _, number := range numbers {
			sum += number(b)
		}
		return sum
	}
}

// Last is a body of the last n bytes of a frame.
func Last(n int) func([]byte) int { return func(frame []byte) int { return max(len(frame)-n, 0) } }

// HTTP2 is a framing of HTTP/2. Bodies are those of frames DATA, of a message each.
func HTTP2(r *bufio.Reader) (frame []byte, body int, err error) {
	const header, data = 9, 0
	frame, body, err = Headed(header, func(h []byte) int { return int(binary.BigEndian.Uint32(h) >> 8) }, At(header))(r)
	if err == nil && frame[3] != data {
		body = len(frame)
	}
	return frame, body, err
}

// HTTP1 is a framing of HTTP/1.1 whose replies have a Content-Length.
func HTTP1(r *bufio.Reader) (frame []byte, body int, err error) {
	for line := []byte(nil); len(line) != len("\r\n"); {
		if line, err = r.ReadSlice('\n'); err != nil {
			return nil, 0, err
		}
		frame = append(frame, line...)
	}
	head, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(frame[bytes.IndexByte(frame, '\n')+1:]))).ReadMIMEHeader()
	if err != nil {
		return nil, 0, err
	}
	length, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		return nil, 0, err
	}
	body = len(frame)
	frame = append(frame, make([]byte, length)...)
	_, err = io.ReadFull(r, frame[body:])
	return frame, body, err
}

// Lines is a framing of lines, whose bodies are whole lines.
func Lines(r *bufio.Reader) (frame []byte, body int, err error) {
	line, err := r.ReadBytes('\n')
	return line, 0, err
}

// From is f with bodies that begin later, with the text.
func From(text string, f Framing) Framing {
	return func(r *bufio.Reader) ([]byte, int, error) {
		frame, body, err := f(r)
		if err != nil {
			return nil, 0, err
		}
		if later := bytes.Index(frame[body:], []byte(text)); later >= 0 {
			return frame, body + later, nil
		}
		return frame, len(frame), nil
	}
}

// Announced is a framing of lines that announce a body by its length in bytes, their last
// word, and end both with CR LF. Other lines have no body.
func Announced(words ...string) Framing {
	return func(r *bufio.Reader) ([]byte, int, error) {
		line, err := r.ReadBytes('\n')
		fields := strings.Fields(string(line))
		if err != nil || len(fields) == 0 || !slices.Contains(words, fields[0]) {
			return line, len(line), err
		}
		length, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			return nil, 0, err
		}
		frame := append(line, make([]byte, length+len("\r\n"))...)
		_, err = io.ReadFull(r, frame[len(line):])
		return frame, len(line), err
	}
}
