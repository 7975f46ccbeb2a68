// Package resident tells how much memory of a process is resident.
package resident

import "runtime/debug"

// Peak returns the most bytes of this process that were resident; 0 if the system does not
// tell.
func Peak() int64 {
	_, peak := Own()
	return peak
}

// Idle returns how many bytes of this process are resident without its garbage; 0 if the
// system does not tell.
func Idle() int64 {
	debug.FreeOSMemory()
	now, _ := Own()
	return now
}

// Together returns how many bytes of processes are resident now; 0 if the system does
// not tell it of each.
func Together(pids ...int) (sum int64) {
	for _, pid := range pids {
		now, _ := Of(pid)
		if now == 0 {
			return 0
		}
		sum += now
	}
	return sum
}
