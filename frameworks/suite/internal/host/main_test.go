package host

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
)

// envHelper names the helper that the test binary runs instead of tests.
const envHelper = "RPCBENCH_TEST_HELPER"

// helpers are programs that tests start as processes. Each returns its exit code.
var helpers = map[string]func() int{}

func TestMain(m *testing.M) {
	if Serving() == "fails and explains" {
		code := Serve(startTestServer, nil)
		time.Sleep(300 * time.Millisecond)
		fmt.Println("by another server")
		os.Exit(code)
	}
	if Serving() != "" {
		os.Exit(Serve(startTestServer, map[string]string{"example.com/echo": "v1.2.3"}))
	}
	if name := os.Getenv(envHelper); name != "" {
		os.Exit(helpers[name]())
	}
	os.Exit(m.Run())
}

// startTestServer starts the server that id names.
func startTestServer(id, arg string) (Server, error) {
	switch id {
	case "exits":
		fmt.Println("words before the exit")
		os.Exit(3)
	case "panics":
		panic("no server today")
	case "fails", "fails and explains":
		return nil, errors.New("the port is taken")
	case "never starts":
		fmt.Println("still thinking")
		select {}
	case "talks":
		for range 10_000 {
			fmt.Println("a framework's log line that nobody wants to see")
		}
		fmt.Println("the last line")
	}
	l, err := net.Listen("tcp", ListenAddr())
	if err != nil {
		return nil, err
	}
	s := testServer{l, id == "hangs at the close", arg}
	go s.serve()
	if id == "counts" {
		return countingServer{s, new(int64)}, nil
	}
	if id == "many" {
		return manyServer{s}, nil
	}
	return s, nil
}

// testServer does what a line of text says, and then answers it.
type testServer struct {
	net.Listener
	hangs bool
	arg   string
}

// countingServer counts the readings as if they were calls.
type countingServer struct {
	testServer
	calls *int64
}

func (s countingServer) Handled() int64 { *s.calls++; return *s.calls }

// Spans are two for each call.
func (s countingServer) Spans() int64 { return 2 * *s.calls }

// manyServer tells how many addresses it should have.
type manyServer struct{ testServer }

func (s manyServer) Addrs() []string { return []string{s.Addr(), fmt.Sprintf("of %d", Addrs())} }

func (s testServer) Addr() string { return s.Listener.Addr().String() }

func (s testServer) Close() error {
	if s.hangs {
		select {}
	}
	return s.Listener.Close()
}

func (s testServer) serve() {
	for {
		c, err := s.Accept()
		if err != nil {
			return
		}
		go s.answer(c)
	}
}

func (s testServer) answer(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		command, argument, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.Atoi(argument)
		switch command {
		case "die":
			fmt.Fprintln(os.Stderr, "words before the death")
			os.Exit(n)
		case "burn": // milliseconds of CPU time
			for until := process.OwnCPU() + time.Duration(n)*time.Millisecond; process.OwnCPU() < until; {
			}
		case "arg":
			fmt.Fprintf(c, "%s, and in the environment %q\n", s.arg, os.Getenv(envArg))
			continue
		case "environment": // the value of a variable
			fmt.Fprintf(c, "%q\n", os.Getenv(argument))
			continue
		case "secret":
			fmt.Fprintf(c, "%q\n", os.Getenv(envSecret))
			continue
		case "keep": // KiB, and as much garbage
			keptKiB = make([][1 << 10]byte, n)
			for i := range keptKiB {
				keptKiB[i][0], garbage = 1, make([]byte, 1<<10)
			}
		case "allocate": // objects
			for range n {
				kept = new([64]byte)
			}
		}
		fmt.Fprintln(c, lines.Text())
	}
}

var (
	kept    *[64]byte
	keptKiB [][1 << 10]byte
	garbage []byte
)
