package storm

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
)

// Each calls do with the numbers from 0 to many-1, some of them at a time.
func Each(many, some int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range some {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < many; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// Intruders makes connections without a right token to a serving side, and returns how many of
// them were accepted. header is that of the token. It makes 200 at a time, and 50 under the race
// detector, where a handshake takes ten times as long.
func Intruders(addr, header string, many int) int {
	var accepted atomic.Int64
	atATime := 200
	if race.Enabled {
		atATime = 50
	}
	Each(many, atATime, func(i int) {
		if intrude(addr, header, i) == nil {
			accepted.Add(1)
		}
	})
	return int(accepted.Load())
}

// intrude makes a connection of one of five kinds. The error is about connecting: how the
// connection ends does not matter.
func intrude(addr, header string, i int) error {
	c, err := net.DialTimeout("tcp", addr, 10*time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	secured := tls.Client(c, &tls.Config{InsecureSkipVerify: true}) // it sends no secret
	switch i % 5 {
	case 0: // closed at once
	case 1:
		io.WriteString(c, strings.Repeat("garbage", 100))
	case 2: // half a record, and silence
		c.Write([]byte{22, 3, 1, 2, 0})
		time.Sleep(listening)
	case 3:
		begin(secured, "GET /machine HTTP/1.1\r\nHost: x\r\nRpcb", i%100 == 3)
	case 4:
		fmt.Fprintf(secured, "GET /machine HTTP/1.1\r\nHost: x\r\n%s: wrong\r\n\r\n", header)
	}
	return nil
}

// begin sends a part of a header, at once or byte by byte.
func begin(w io.Writer, text string, slowly bool) {
	if !slowly {
		io.WriteString(w, text)
		return
	}
	for i := range text {
		io.WriteString(w, text[i:i+1])
		time.Sleep(listening)
	}
}
