package loadgen

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	echoSize   = 1 << 10
	envEcho    = "LOADGEN_TEST_ECHO" // set: this process is an echo server
	echoPinned = "pinned"
	envSpin    = "LOADGEN_TEST_SPIN" // set: this process uses a CPU for a while
)

func TestMain(m *testing.M) {
	if role := os.Getenv(envEcho); role != "" {
		serveEcho(role)
	}
	if os.Getenv(envSpin) != "" {
		spin(10 * time.Second)
	}
	sideBySide()
	os.Exit(m.Run())
}

// sideBySide has eight tests run at once where -parallel does not say how many. Package
// testing has one for each CPU, but some of these wait for real time.
func sideBySide() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		flag.Set("test.parallel", "8")
	}
}

// serveEcho echoes frames of echoSize until its standard input ends. If the client is
// pinned to one of several CPUs, the server takes CPU 0. It executes itself again for
// that, since a Go process cannot move all its threads.
func serveEcho(role string) {
	if role == "start" && pinnedParent() {
		runtime.LockOSThread()
		var set unix.CPUSet
		set.Set(0)
		if unix.SchedSetaffinity(0, &set) == nil {
			os.Setenv(envEcho, echoPinned)
			os.Setenv("GOMAXPROCS", "1")
			syscall.Exec(os.Args[0], os.Args, os.Environ())
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		conn, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go func() {
			buf := make([]byte, echoSize)
			for {
				if _, err := io.ReadFull(conn, buf); err != nil {
					return
				}
				conn.Write(buf)
			}
		}()
	}
}

func pinnedParent() bool {
	var set unix.CPUSet
	return unix.SchedGetaffinity(0, &set) == nil && set.Count() == 1 && !set.IsSet(0)
}

func startEchoServer(b *testing.B) (addr string) {
	addr, _ = startEcho(b)
	return addr
}

func startEcho(b testing.TB) (addr string, server *os.Process) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envEcho+"=start")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); cmd.Wait() })
	addr, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(addr), cmd.Process
}

// echoCall is a call with one connection a worker.
func echoCall(b testing.TB, addr string, workers int) Call {
	conns := make([]net.Conn, workers)
	bufs := make([][]byte, workers)
	for i := range conns {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		conns[i], bufs[i] = conn, make([]byte, echoSize)
	}
	return func(_ context.Context, w int) error {
		if _, err := conns[w].Write(bufs[w]); err != nil {
			return err
		}
		_, err := io.ReadFull(conns[w], bufs[w])
		return err
	}
}

// BenchmarkObserver measures a TCP echo server in another process with each way to wait,
// at rates from idle to busy. For comparison, wait=raw is a client without Go's
// scheduler: one connection and a busy loop. Under taskset -c 1 with -cpu 1 the client
// has CPU 1 and the server CPU 0.
func BenchmarkObserver(b *testing.B) {
	addr := startEchoServer(b)
	for _, rate := range []float64{1e3, 1e4, 3e4, 5e4} {
		if rate <= 1e4 {
			b.Run(fmt.Sprintf("rate=%.0f/wait=raw", rate), func(b *testing.B) { observeRaw(b, addr, rate) })
		}
		for _, w := range ways {
			b.Run(fmt.Sprintf("rate=%.0f/wait=%s", rate, w.name), func(b *testing.B) {
				observe(b, addr, rate, w)
			})
		}
	}
}

// BenchmarkNeighbours is BenchmarkObserver beside a busy process for each CPU. The
// results vary: take medians of many runs.
func BenchmarkNeighbours(b *testing.B) {
	addr := startEchoServer(b)
	for _, rate := range []float64{1e3, 1e4, 3e4} {
		for _, w := range ways {
			b.Run(fmt.Sprintf("rate=%.0f/wait=%s", rate, w.name), func(b *testing.B) {
				startSpinning(b)
				observe(b, addr, rate, w)
			})
		}
	}
}

func observe(b *testing.B, addr string, rate float64, w way) {
	call := echoCall(b, addr, 64)
	res := measure(b, w.with(Config{Workers: 64, Schedule: Constant(rate)}), call)
	reportTimes(b, &res.Response, "response")
	reportTimes(b, &res.Service, "service")
}

// observeRaw calls at a rate from one goroutine that never leaves its thread:
// a blocking socket set not to block, read in a loop.
func observeRaw(b *testing.B, addr string, rate float64) {
	fd := rawConn(b, addr)
	buf := make([]byte, echoSize)
	var h Histogram
	start := time.Now()
	for i := range b.N {
		due := time.Duration(float64(i) / rate * 1e9)
		for time.Since(start) < due {
		}
		sent := time.Since(start)
		if _, err := unix.Write(fd, buf); err != nil {
			b.Fatal(err)
		}
		for got := 0; got < echoSize; {
			n, err := unix.Read(fd, buf[got:])
			if err != nil && err != unix.EAGAIN {
				b.Fatal(err)
			}
			got += max(n, 0)
		}
		h.Record(time.Since(start)-sent, 1)
	}
	b.ReportMetric(0, "ns/op")
	reportTimes(b, &h, "service")
}

func rawConn(b *testing.B, addr string) (fd int) {
	a, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { unix.Close(fd) })
	if err = unix.Connect(fd, &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())}); err == nil {
		err = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		b.Fatal(err)
	}
	return fd
}
