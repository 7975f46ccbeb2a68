//go:build !linux

package sockets

import "errors"

func diagnosed(int) ([]socket, error) { return nil, errors.ErrUnsupported }
