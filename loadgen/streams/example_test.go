package streams_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/streams"
)

// connection is a stream over TCP: messages of 64 bytes that begin with their number.
type connection struct {
	net.Conn
	out, in [64]byte // Send and Recv run beside each other
}

func (c *connection) Send(number uint64) error {
	binary.BigEndian.PutUint64(c.out[:], number)
	_, err := c.Write(c.out[:])
	return err
}

func (c *connection) Recv() (number uint64, err error) {
	_, err = io.ReadFull(c, c.in[:])
	return binary.BigEndian.Uint64(c.in[:]), err
}

// How long does it take until a message over one of 10 connections is echoed, at
// 1,000 messages a second? A real server runs in a process of its own.
func Example_tcp() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	go echo(listener)

	var list []streams.Stream
	for range 10 {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		defer conn.Close() // ends Recv, and with it what the Load has running
		list = append(list, &connection{Conn: conn})
	}
	load, err := streams.New(streams.Config{}, list...)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := load.Run(context.Background(), loadgen.Config{
		Schedule: loadgen.Poisson(1000, 1),
		Duration: time.Second / 2,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK == res.Due, res.Duplicates, res.Unknown)
	fmt.Println(res.Blocked.Quantile(.5) <= res.Service.Quantile(.99)) // what flow control took is part of service
	// Output:
	// true 0 0
	// true
}

// echo sends back what it gets.
func echo(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			io.Copy(conn, conn)
		}()
	}
}
