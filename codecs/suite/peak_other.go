//go:build !linux

package suite

// peak is not known on this system: the allocations of Go alone are.
type peak struct{}

func startPeak() peak { return peak{} }

func (peak) taken(allocated uint64) uint64 { return allocated }
