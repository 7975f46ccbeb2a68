//go:build !linux

package syscalls

import (
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
)

// Trace counts the system calls of processes.
type Trace struct{}

// Allow lets another process of the same user trace this one.
func Allow(int) {}

// Start returns why it cannot trace.
func Start([]int, sockets.Ports, ...string) (*Trace, error) {
	return nil, fmt.Errorf("system calls are counted on Linux only: %w", errors.ErrUnsupported)
}

// StartDatagrams returns why it cannot trace.
func StartDatagrams([]int) (*Trace, error) { return Start(nil, nil) }

// Counts returns nothing.
func (*Trace) Counts() map[int]Counts { return nil }

// Stop does nothing.
func (*Trace) Stop() error { return nil }
