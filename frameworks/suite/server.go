package suite

import (
	"context"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
)

// server is a server that calls are made to: a process of this one, which
// host.Host documents, one of another machine, or one that was running already. What it cannot do is
// errors.ErrUnsupported.
type server interface {
	Addr() string
	Ready() host.Ready
	Done() <-chan struct{} // nil: its end is not known
	Err() error
	CPU() (time.Duration, error)
	Figures(ctx context.Context) (host.Figures, error)
	ResetPeak(ctx context.Context) error
	StartProfile(ctx context.Context, kind string) error
	StopProfile(ctx context.Context, kind string, w io.Writer) error
	Pause() error
	Resume() error
	Kill()
	Stop() error
}

var (
	_ server = (*host.Host)(nil)
	_ server = (*remote.Host)(nil)
	_ server = given{}
)
