package proxy

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"time"
)

// Try starts a program before a server of its own, and sends it a message. The error says
// what keeps this machine from it. c.Server is ignored.
func Try(c Config) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.Copy(conn, conn) //nolint:errcheck // the client notices
			conn.Close()
		}
	}()
	c.Server = l.Addr().String()
	p, err := Start(c)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := pass(p.Addr()); err != nil {
		return fmt.Errorf("%s passes nothing on: %w", c.Program, cmp.Or(p.Err(), err))
	}
	return nil
}

// pass sends a message through a proxy to a server that sends it back.
func pass(addr string) error {
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte{1}); err != nil {
		return err
	}
	_, err = io.ReadFull(conn, make([]byte, 1))
	return err
}
