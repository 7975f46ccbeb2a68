//go:build !windows

package remote

import (
	"io"
	"syscall"
)

// closings are the errors of a connection that the other side has closed.
func closings() []error {
	return []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE}
}

// refused is the error of a connection to where nobody listens.
const refused = syscall.ECONNREFUSED
