//go:build !linux && !darwin && !freebsd

package hostile

func faulty() []Target { return nil }
