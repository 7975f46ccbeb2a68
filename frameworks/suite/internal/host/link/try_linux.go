package link

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// Try measures a link that nothing else uses, for about this time and some round trips. Both
// ends are the kernel: pings are answered where a packet arrives, and arrivals have the
// kernel's timestamps. So no process has to be woken but the one that carries.
func (l *Link) Try(d time.Duration) (t Trial, err error) {
	t.shape = l.shape
	if t.trips, err = l.ping(d / 2); err != nil {
		return t, err
	}
	if l.shape.Rate > 0 {
		if t.Rate, err = l.fill(d / 4); err != nil {
			return t, err
		}
	}
	t.Sent, t.Lost, err = l.lose(d / 4)
	return t, err
}

// pingEvery is the least time between pings. With jitter it is longer, so that none has to
// wait for the one before it.
const pingEvery = 2 * time.Millisecond

// ping returns the round trips of the pings that were answered, in order of their times.
func (l *Link) ping(d time.Duration) (trips []time.Duration, err error) {
	s, err := l.stamped(unix.SOCK_RAW, unix.IPPROTO_ICMP)
	if err != nil {
		return nil, err
	}
	defer unix.Close(s)
	if err := unix.Connect(s, &unix.SockaddrInet4{Addr: [4]byte(l.far.To4())}); err != nil {
		return nil, err
	}
	every := pingEvery + l.shape.Jitter
	n := max(int(d/every), 20)
	sent, failed := make([]time.Time, n), make(chan error, 1)
	go func() {
		var err error
		for i := range sent {
			sent[i] = time.Now()
			if _, bad := unix.Write(s, echoRequest(uint16(i))); bad != nil {
				err = bad
			}
			time.Sleep(every)
		}
		failed <- err
	}()
	arrived := make([]time.Time, n)
	for range n {
		r, err := receive(s)
		if errors.Is(err, unix.EAGAIN) { // a lost one is not waited for twice
			continue
		}
		if err != nil {
			return nil, err
		}
		if i, ok := echoReply(r.packet); ok && int(i) < n {
			arrived[i] = r.at
		}
	}
	if err := <-failed; err != nil {
		return nil, err
	}
	for i, at := range arrived {
		if !at.IsZero() {
			trips = append(trips, at.Sub(sent[i]))
		}
	}
	slices.Sort(trips)
	return trips, nil
}

// stamped opens a socket of this namespace whose packets carry the time of their arrival.
func (l *Link) stamped(kind, protocol int) (s int, err error) {
	if s, err = unix.Socket(unix.AF_INET, kind|unix.SOCK_CLOEXEC, protocol); err != nil {
		return 0, err
	}
	patience := unix.NsecToTimeval(int64(l.shape.RoundTrip() + l.shape.Jitter + 300*time.Millisecond))
	const room = 256 << 20 // bytes, so that no reader has to keep up
	if unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, room) != nil {
		_ = unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_RCVBUF, room) // up to the machine's limit
	}
	if err = cmp.Or(unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.SetsockoptInt(s, unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1),
		unix.SetsockoptTimeval(s, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &patience)); err != nil {
		unix.Close(s)
	}
	return s, err
}

// received is a packet, with what the kernel says of it.
type received struct {
	packet  []byte
	at      time.Time // when the kernel had it
	dropped int64     // so far, because this process did not read in time
}

// receive returns the next packet.
func receive(s int) (r received, err error) {
	packet, oob := make([]byte, 2048), make([]byte, 128)
	n, oobn, _, _, err := unix.Recvmsg(s, packet, oob, 0)
	if errors.Is(err, unix.EINTR) { // by Go's own signals
		return receive(s)
	}
	if err != nil {
		return r, err
	}
	list, err := unix.ParseSocketControlMessage(oob[:oobn])
	for _, m := range list {
		switch {
		case m.Header.Type == unix.SO_TIMESTAMPNS && len(m.Data) >= 16:
			r.at = time.Unix(int64(binary.NativeEndian.Uint64(m.Data)), int64(binary.NativeEndian.Uint64(m.Data[8:])))
		case m.Header.Type == unix.SO_RXQ_OVFL && len(m.Data) >= 4:
			r.dropped = int64(binary.NativeEndian.Uint32(m.Data))
		}
	}
	r.packet = packet[:n]
	return r, err
}

// echoRequest is a ping of ICMP (RFC 792).
func echoRequest(number uint16) []byte {
	p := make([]byte, 64)
	p[0] = 8
	binary.BigEndian.PutUint16(p[6:], number)
	var sum uint32
	for i := 0; i < len(p); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(p[i:]))
	}
	sum = sum>>16 + sum&0xffff
	binary.BigEndian.PutUint16(p[2:], ^uint16(sum+sum>>16))
	return p
}

// echoReply returns the number of the ping that an IP packet answers.
func echoReply(p []byte) (number uint16, ok bool) {
	if len(p) < 20 || len(p) < int(p[0]&15)*4+8 {
		return 0, false
	}
	p = p[p[0]&15*4:]
	return binary.BigEndian.Uint16(p[6:]), p[0] == 0
}

// fill sends more than the line carries and returns the bits per second that arrive, with
// all headers.
func (l *Link) fill(d time.Duration) (rate float64, err error) {
	wire := l.shape.Largest() + line.Ethernet
	perSecond := 1.5 * float64(l.shape.Rate) / 8 / float64(wire)
	p, err := l.pour(max(int(d.Seconds()*perSecond), 100), perSecond)
	if err != nil {
		return 0, err
	}
	return p.rate() * 8 * float64(wire), nil
}

// lose sends half of what the line carries, and 20,000 packets a second at most. It returns
// how many were sent, and how many did not arrive although the queue had room for them.
func (l *Link) lose(d time.Duration) (sent, lost int64, err error) {
	perSecond := 20_000.
	if l.shape.Rate > 0 {
		perSecond = min(perSecond, float64(l.shape.Rate)/16/float64(l.shape.Largest()))
	}
	before, err := l.Counts()
	if err != nil {
		return 0, 0, err
	}
	p, err := l.pour(max(int(d.Seconds()*perSecond), 20), perSecond)
	if err != nil {
		return 0, 0, err
	}
	after, err := l.Counts()
	dropped := after.Since(before).There.Dropped
	return p.sent - dropped, p.sent - p.got - dropped, err
}

// poured is what came of packets.
type poured struct {
	sent, got int64
	arrived   []time.Time // in their order
}

// rate is the packets per second that arrived: the upper quartile of parts of 50 ms, because
// a busy machine may keep the sender from sending in some.
func (p *poured) rate() float64 {
	const part, fewest = 50 * time.Millisecond, 20
	var rates []float64
	first := 0
	for i, at := range p.arrived {
		if took := at.Sub(p.arrived[first]); took >= part && i-first >= fewest {
			rates = append(rates, float64(i-first)/took.Seconds())
			first = i
		}
	}
	if len(rates) == 0 {
		return 0
	}
	slices.Sort(rates)
	return rates[len(rates)*3/4]
}

// pour sends at least n packets of the largest size, at a rate.
func (l *Link) pour(n int, perSecond float64) (p poured, err error) {
	var far int
	if err = l.Inside(func() (err error) { far, err = l.stamped(unix.SOCK_DGRAM, 0); return err }); err != nil {
		return p, err
	}
	defer unix.Close(far)
	if err = unix.Bind(far, &unix.SockaddrInet4{Addr: [4]byte(l.far.To4())}); err != nil {
		return p, err
	}
	at, err := unix.Getsockname(far)
	if err != nil {
		return p, err
	}
	near, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return p, err
	}
	defer unix.Close(near)
	if err := unix.Connect(near, at); err != nil {
		return p, err
	}
	done := make(chan error, 1)
	go func() { done <- p.pace(near, l.shape.Largest(), n, perSecond) }()
	err = p.collect(far)
	return p, cmp.Or(err, <-done)
}

// collect counts what arrives until nothing does.
func (p *poured) collect(far int) error {
	for {
		r, err := receive(far)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return err
		}
		p.arrived = append(p.arrived, r.at)
		p.got = int64(len(p.arrived)) + r.dropped
	}
}

// pace sends n packets, on a thread that ends with the goroutine. Each call of the system sends a few, which the device hands over as
// one segment: sent one by one, they would take a CPU at 1 Gbit/s.
func (p *poured) pace(near, packet, n int, perSecond float64) error {
	own()
	size := packet - 28 // without the headers of IP and UDP
	few := int64(60_000 / packet)
	if err := unix.SetsockoptInt(near, unix.SOL_UDP, unix.UDP_SEGMENT, size); err != nil {
		return err
	}
	payload, start := make([]byte, int(few)*size), time.Now()
	for p.sent < int64(n) {
		for due := int64(time.Since(start).Seconds()*perSecond) + 1; p.sent < min(due, int64(n)); p.sent += few {
			if _, err := unix.Write(near, payload); err != nil {
				return err
			}
		}
		pause := unix.NsecToTimespec(int64(time.Millisecond))
		_ = unix.Nanosleep(&pause, nil) // by its own thread, which has the priority
	}
	return nil
}
