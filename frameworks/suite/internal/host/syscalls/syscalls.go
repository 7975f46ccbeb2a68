// Package syscalls counts the system calls of other processes. It traces them as strace
// does, so that it sees every call, needs no change of what it counts, and slows it down
// many times: nothing that it watches may be timed.
//
// A process may trace another of the same user. Where Yama is set to 1, that one has to
// Allow it first. No process may wait for the end of a child that it traces itself: the
// kernel would tell the stops of the child to whoever waits.
package syscalls

// Counts are the system calls of a process.
type Counts struct {
	// Data are those that moved bytes over a connection to one of the ports: read,
	// readv, recvfrom, recvmsg, recvmmsg, write, writev, sendto, sendmsg, sendmmsg,
	// sendfile and splice.
	Data int64
	// Other are all others, with reads that found nothing.
	Other int64
	// Sent are the bytes of payload that these sent, and Datagrams in how many datagrams, with
	// acknowledgements and what was sent again; of connections of TCP they are not counted.
	Sent, Datagrams int64
}

// Since returns the counts since before.
func (c Counts) Since(before Counts) Counts {
	return Counts{c.Data - before.Data, c.Other - before.Other, c.Sent - before.Sent, c.Datagrams - before.Datagrams}
}
