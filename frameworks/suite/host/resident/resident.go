// Package resident tells how much memory of a process is resident.
package resident

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
