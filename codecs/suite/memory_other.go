//go:build !linux && !darwin && !freebsd

package suite

import "errors"

const canLimitMemory = false

func limitMemory() error { return errors.ErrUnsupported }
