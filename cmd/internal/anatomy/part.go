// Package anatomy says where the CPU time of a call goes: into which parts, on each side. It
// reads what a suite's flag -anatomy keeps.
package anatomy

import "slices"

// Part is one of the things that a call spends CPU time on.
type Part struct {
	Name  string // as in part=write
	About string // in a few words
}

// parts are all parts, in the order of tables and pictures: from the kernel outwards.
var parts = [...]Part{
	{"read", "system calls that receive, and Go's way to them"},
	{"write", "system calls that send, and Go's way to them"},
	{"poll", "waiting for sockets that are ready"},
	{"syscalls", "other system calls"},
	{"scheduler", "goroutines put to sleep, found, woken and started"},
	{"stacks", "stacks that grow, and are copied for it"},
	{"collector", "the garbage collector, and what it asks of those who allocate"},
	{"allocation", "memory of the heap, and pools of objects"},
	{"moves", "copies of memory, and clearing it"},
	{"locks", "locks, channels and select"},
	{"timers", "clocks, timers, deadlines and contexts"},
	{"serializer", "messages to bytes and back"},
	{"framing", "frames and headers of the protocol"},
	{"compression", "compression"},
	{"tls", "encryption"},
	{"framework", "the framework's own code"},
	{"handler", "our handler, on the server"},
	{"load", "our client and the load generator"},
	{"rest", "code that the table of parts does not know"},
}

// Parts returns all parts in the order of tables and pictures.
func Parts() []Part { return slices.Clone(parts[:]) }

// FewSamples is the number of samples below which a part is shown as uncertain: with 100 of
// them the 95 % interval is a fifth of the part to either side.
const FewSamples = 100

// The keys that names of lines of parts end in, as in side=client/part=write, and their units.
const (
	SideKey, PartKey = "side", "part"
	Samples          = "samples"
)

// Sides are the values of side=.
func Sides() []string { return []string{"client", "server"} }
