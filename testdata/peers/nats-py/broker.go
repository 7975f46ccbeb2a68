// A broker of NATS at a port, run in the module frameworks/nats. It ends with its input.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	port, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	// As frameworks/PROTOCOL.md says, its limits are raised.
	broker, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, NoLog: true, MaxPayload: 64 << 20, MaxPending: 1 << 30})
	if err != nil {
		panic(err)
	}
	go broker.Start()
	if !broker.ReadyForConnections(10 * time.Second) {
		panic("it does not listen")
	}
	fmt.Println("listening")
	io.Copy(io.Discard, os.Stdin)
	broker.Shutdown()
}
