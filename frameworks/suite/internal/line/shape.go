// Package line says when a packet that enters a line leaves it, and whether it does: the
// arithmetic of delay, rate, jitter, loss and a queue, each way. It knows no clock and no
// device.
package line

import (
	"fmt"
	"strings"
	"time"
)

// Shape is what both ways of a line do to packets. The zero value does nothing to them.
type Shape struct {
	// Delay is how long every packet is on its way; a round trip takes twice as long.
	Delay time.Duration
	// Rate is the bits per second that one way carries, with the headers of Ethernet, IP
	// and TCP; 0 stands for no limit.
	Rate int64
	// Jitter is the most by which a packet is late beyond that. Each packet draws its own
	// part of it, all equally likely. None overtakes another, as behind the queues that
	// cause jitter in networks; one that would waits for the one before it.
	Jitter time.Duration
	// Loss is the part of the packets that are lost, from 0 to 1, each by itself.
	Loss float64
	// Queue is the most bytes that wait to be sent at Rate; what does not fit is dropped.
	// 0 stands for what room returns.
	Queue int
	// MTU is the largest packet in bytes without Ethernet's header; 0 stands for 1,500.
	MTU int
}

// Bytes of a packet's headers.
const (
	Ethernet = 14
	TCP      = 52 // with IP's, and with the options that Linux sends
)

const (
	defaultMTU = 1500
	least      = 64 // packets that a queue holds at least, unless told otherwise
	// shortest is the time for which a queue holds packets at least, unless told otherwise:
	// that of a switch.
	shortest = 5 * time.Millisecond
)

// Largest is the largest packet in bytes.
func (s Shape) Largest() int {
	if s.MTU == 0 {
		return defaultMTU
	}
	return s.MTU
}

// RoundTrip is the time of a small packet there and back, in the mean.
func (s Shape) RoundTrip() time.Duration { return 2*s.Delay + s.Jitter }

// room is the bytes that the queue of one way holds: those of a round trip, so that one
// connection can fill the line, of 5 ms at least, and 64 packets at least. Without a rate
// nothing waits.
func (s Shape) room() int {
	if s.Queue > 0 || s.Rate == 0 {
		return s.Queue
	}
	trip := max(2*(s.Delay+s.Jitter), shortest)
	return max(int(float64(s.Rate)/8*trip.Seconds()), least*s.wire(s.Largest()))
}

// wire is the size of a packet on the line.
func (s Shape) wire(packet int) int { return packet + Ethernet }

// sending is how long the line is busy with bytes.
func (s Shape) sending(bytes int) time.Duration {
	if s.Rate == 0 {
		return 0
	}
	return time.Duration(float64(bytes) * 8 * float64(time.Second) / float64(s.Rate))
}

// Takes is how long the line takes to carry bytes of packets one way.
func (s Shape) Takes(bytes int) time.Duration {
	payload := s.Largest() - TCP
	packets := (bytes + payload - 1) / payload
	return s.Delay + s.sending(bytes+packets*(TCP+Ethernet))
}

// String says all of a shape, with the queue and the largest packet, which a name may not
// have.
func (s Shape) String() string {
	list := []string{fmt.Sprintf("delay %v", s.Delay)}
	if s.Rate > 0 {
		list = append(list, fmt.Sprintf("%.6g Mbit/s", float64(s.Rate)/1e6), fmt.Sprintf("a queue of %d bytes", s.room()))
	}
	if s.Jitter > 0 {
		list = append(list, fmt.Sprintf("jitter 0 to %v", s.Jitter))
	}
	if s.Loss > 0 {
		list = append(list, fmt.Sprintf("loss %.4g %%", 100*s.Loss))
	}
	return strings.Join(append(list, fmt.Sprintf("packets of up to %d bytes", s.Largest())), ", ")
}
