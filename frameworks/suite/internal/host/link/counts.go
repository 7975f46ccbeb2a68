package link

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Counts are what a link did so far.
type Counts struct {
	CPU time.Duration // of the process that carries, with what the kernel does for its packets
	// There and Back are packets from the near to the far end, and from there.
	There, Back line.Counts
	// Late is the packets that left more than a millisecond after they were due.
	Late int64
	// Unintended is the packets that were lost although the shape does not ask for it, such as
	// by a device whose queue was full.
	Unintended int64
	Realtime   bool // the carrying threads have a real-time priority
}

// Since returns what was done since before.
func (c Counts) Since(before Counts) Counts {
	c.CPU -= before.CPU
	c.There, c.Back = since(c.There, before.There), since(c.Back, before.Back)
	c.Late -= before.Late
	c.Unintended -= before.Unintended
	return c
}

func since(now, before line.Counts) line.Counts {
	return line.Counts{
		Packets: now.Packets - before.Packets, Lost: now.Lost - before.Lost,
		Dropped: now.Dropped - before.Dropped, Bytes: now.Bytes - before.Bytes,
	}
}
