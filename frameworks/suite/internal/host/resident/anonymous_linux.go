package resident

import "os"

// Anonymous returns how many bytes of this process are resident that are of no file; 0 if
// the system does not tell. The pages of the binary come as they are first used, which
// says nothing about memory.
func Anonymous() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return statusBytes(status, "RssAnon:")
}

// Machine returns the bytes of memory that this machine has, and those that processes can
// still get without swapping; 0 if the system does not tell.
func Machine() (total, available int64) {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	info = append([]byte("\n"), info...) // the first line has no other before it
	return statusBytes(info, "MemTotal:"), statusBytes(info, "MemAvailable:")
}
