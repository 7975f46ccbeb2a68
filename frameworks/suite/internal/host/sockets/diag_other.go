//go:build !linux

package sockets

import "errors"

func diagnosed(int, protocol) ([]socket, error) { return nil, errors.ErrUnsupported }

func pathInodes(int, []string) (map[string]bool, error) { return nil, errors.ErrUnsupported }
