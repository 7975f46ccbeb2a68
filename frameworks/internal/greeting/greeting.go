// Package greeting reads the receive windows that an end of an HTTP/2 connection announces
// when the connection opens. Tests compare them with what was asked of a framework.
package greeting

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Windows are the receive windows in bytes of one end.
type Windows struct{ Stream, Conn int }

// firstWindow is HTTP/2's own window, of streams and of connections.
const firstWindow = 1<<16 - 1

// preface is what a client sends first.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// patience bounds a greeting.
const patience = 10 * time.Second

// Of returns the windows of a server of a variant, and of a client.
func Of(v framework.Variant) (server, client Windows, err error) {
	s, err := v.Serve("127.0.0.1:0")
	if err != nil {
		return server, client, err
	}
	defer s.Close()
	if server, err = ofServer(s.Addr()); err != nil {
		return server, client, err
	}
	known := make(chan struct{})
	defer close(known)
	client, err = ofClient(func(addr string) {
		if c, err := v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1}); err == nil {
			<-known // a client that is closed at once may not answer
			c.Close()
		}
	})
	return server, client, err
}

// ofServer returns the windows of the server at addr.
func ofServer(addr string) (Windows, error) {
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return Windows{}, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, preface); err != nil {
		return Windows{}, err
	}
	return read(c)
}

// ofClient returns the windows of a client that dials the address passed to it.
func ofClient(dial func(addr string)) (Windows, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return Windows{}, err
	}
	defer l.Close()
	go dial(l.Addr().String())
	l.(*net.TCPListener).SetDeadline(time.Now().Add(patience))
	c, err := l.Accept()
	if err != nil {
		return Windows{}, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	if _, err := io.CopyN(io.Discard, c, int64(len(preface))); err != nil {
		return Windows{}, err
	}
	return read(c)
}

// Types of frames, and the setting of a stream's window.
const (
	typeSettings      = 4
	typePing          = 6
	typeWindowUpdate  = 8
	settingWindow     = 4
	flagAck           = 1
	headerLen         = 9
	settingLen        = 6
	pingLen           = 8
	maxLen            = 16 << 10
	reservedBit       = 1 << 31
	streamAt, flagsAt = 5, 4
)

// read sends settings and a ping, and adds up what comes before the answer to the ping.
func read(c net.Conn) (Windows, error) {
	w := Windows{firstWindow, firstWindow}
	greeting := append([]byte{0, 0, 0, typeSettings, 0, 0, 0, 0, 0}, 0, 0, pingLen, typePing, 0, 0, 0, 0, 0)
	if _, err := c.Write(append(greeting, make([]byte, pingLen)...)); err != nil {
		return w, err
	}
	for {
		header := make([]byte, headerLen)
		if _, err := io.ReadFull(c, header); err != nil {
			return w, err
		}
		n := int(header[0])<<16 | int(header[1])<<8 | int(header[2])
		if n > maxLen {
			return w, fmt.Errorf("greeting: a frame of %d bytes", n)
		}
		payload := make([]byte, n)
		if _, err := io.ReadFull(c, payload); err != nil {
			return w, err
		}
		if w.take(header, payload) {
			return w, nil
		}
	}
}

// take takes a frame in. It reports whether that is the answer to the ping.
func (w *Windows) take(header, payload []byte) (last bool) {
	switch ack := header[flagsAt]&flagAck != 0; {
	case header[3] == typePing:
		return ack
	case header[3] == typeSettings && !ack:
		for ; len(payload) >= settingLen; payload = payload[settingLen:] {
			if binary.BigEndian.Uint16(payload) == settingWindow {
				w.Stream = int(binary.BigEndian.Uint32(payload[2:]))
			}
		}
	case header[3] == typeWindowUpdate && binary.BigEndian.Uint32(header[streamAt:]) == 0:
		w.Conn += int(binary.BigEndian.Uint32(payload) &^ reservedBit)
	}
	return false
}
