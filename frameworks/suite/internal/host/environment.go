package host

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// LeaveOut is environ.LeaveOut of this process, which on Windows is not executed again: what
// packages read before main stays there.
func LeaveOut() (names []string, err error) {
	self.Rename() // after that
	return environ.LeaveOut(self.Again)
}
