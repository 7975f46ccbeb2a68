package remote

import (
	"io"
	"syscall"
)

// closings are the errors of a connection that the other side has closed.
func closings() []error {
	return []error{io.EOF, io.ErrUnexpectedEOF, syscall.WSAECONNRESET, syscall.WSAECONNABORTED}
}

// refused is the error of a connection to where nobody listens: WSAECONNREFUSED.
const refused = syscall.Errno(10061)
