//go:build !unix

package host

import (
	"errors"
	"os"
)

// inheritedPipes returns an error: no files can be passed to a child on these systems, so
// that Start returns one too. The package only has to compile.
func inheritedPipes() (lifeline, ready *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}
