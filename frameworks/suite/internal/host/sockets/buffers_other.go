//go:build !linux

package sockets

import "errors"

func buffers(int) (receive, send int, err error) { return 0, 0, errors.ErrUnsupported }
