package footprint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/part"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
)

// The parts, each with the ID of a variant behind it.
const (
	serverPart = "server "
	clientPart = "client "
)

// What the parent and the processes tell each other. A word is followed by its values.
const (
	listening = "listening " // the server: its address
	atRest    = "at rest"    // the parent asks the server for figures
	figuring  = "figures "   // the server: bytes resident, goroutines
	ready     = "ready"      // the client: it can be told to call
	calling   = "call "      // the parent: the address to call
	replied   = "replied"    // the client
	failed    = "failed "    // either: the error
)

// play plays a part until the parent ends it.
func play(playing string, variants []framework.Variant) (exitCode int) {
	for _, v := range variants {
		switch playing {
		case serverPart + v.ID():
			serve(v)
			return 0
		case clientPart + v.ID():
			call(v)
			return 0
		}
	}
	fmt.Fprintf(os.Stderr, "there is no %q\n", playing)
	return 2
}

// serve starts the server in a goroutine that ends, so that a server which never
// listens can be ended, and this package has no goroutine at rest but the main one.
func serve(v framework.Variant) {
	started := make(chan framework.Server, 1)
	go func() {
		s, err := v.Serve("127.0.0.1:0")
		if err != nil {
			part.Say(failed + err.Error())
			return
		}
		part.Say(listening + s.Addr())
		started <- s
	}()
	for line := range part.Heard() {
		if line == atRest {
			now, _ := resident.Own()
			part.Say(fmt.Sprintf("%s%d %d", figuring, now, runtime.NumGoroutine()))
		}
	}
	runtime.KeepAlive(started) // a listener that nobody knows is closed by the collector
}

// call calls the server that it is told, and keeps the connection open.
func call(v framework.Variant) {
	var clients []framework.Client
	part.Say(ready)
	for line := range part.Heard() {
		c, err := echo(v, strings.TrimPrefix(line, calling))
		if err != nil {
			part.Say(failed + err.Error())
			continue
		}
		part.Say(replied)
		clients = append(clients, c)
	}
	runtime.KeepAlive(clients)
}

// A call has a small payload, and may take so long.
const (
	payload  = 64 // bytes
	callTime = 20 * time.Second
)

// echo dials a server and makes a call over the one connection.
func echo(v framework.Variant, addr string) (framework.Client, error) {
	c, err := v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1, Patience: callTime})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	request := framework.EchoMessage{Action: handler.ActionEcho, Msg: bytes.Repeat([]byte("footstep"), payload/8)}
	return c, c.Echo([]framework.EchoMessage{request}, func(_ int, reply framework.EchoMessage) error {
		if !bytes.Equal(reply.Msg, request.Msg) {
			return errors.New("the reply is not what was sent")
		}
		return nil
	})(ctx, 0)
}
