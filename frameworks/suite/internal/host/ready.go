package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

// The child's ends of the two pipes, which it inherits.
const (
	lifelineFD = 3 // to read: end-of-file says that the parent is gone
	readyFD    = 4 // to write: one line of JSON
)

// maxReady bounds the bytes of the readiness line.
const maxReady = 1 << 20

// Ready is what a child reports when its server listens.
type Ready struct {
	Addr      string            // of the server
	Addrs     []string          `json:",omitempty"` // all of them, if there are several
	Up        time.Time         // when the server had started
	Control   string            // host:port of the control server, on the server's interface
	Versions  map[string]string // as given to Serve
	Settings  map[string]string // of the Go runtime of the child, see package settings
	Procs     int               // GOMAXPROCS of the child
	NumCPU    int               // CPUs the child may use
	GoVersion string            // as in "go1.26.0"
	PID       int
}

// readyLine is what goes through the readiness pipe: Ready, or the error that kept
// the server from starting.
type readyLine struct {
	Ready
	Error string `json:",omitempty"`
}

// awaitReady reads the readiness line until ctx ends.
func awaitReady(ctx context.Context, pipe *os.File) (Ready, error) {
	stop := context.AfterFunc(ctx, func() { _ = pipe.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := readLine(pipe)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return Ready{}, context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return Ready{}, errors.New("the child ended before it was ready (does TestMain call host.Serve when host.Serving is set?)")
	default:
		return Ready{}, fmt.Errorf("read the child's readiness: %w", err)
	}
	var line readyLine
	if err := json.Unmarshal(text, &line); err != nil {
		return Ready{}, fmt.Errorf("the child's readiness line %.200q: %w", text, err)
	}
	if line.Error != "" {
		return Ready{}, errors.New(line.Error)
	}
	return line.Ready, nil
}

func readLine(r io.Reader) ([]byte, error) {
	return bufio.NewReader(limit.Reader(r, maxReady)).ReadBytes('\n')
}

// tell writes the readiness line and closes the pipe.
func tell(pipe *os.File, line readyLine) error {
	return errors.Join(json.NewEncoder(pipe).Encode(line), pipe.Close())
}
