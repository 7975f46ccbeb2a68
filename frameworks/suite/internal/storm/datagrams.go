package storm

import (
	"bytes"
	"math/rand/v2"
	"net"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/relay"
)

// Datagrams passes on the datagrams between clients and a server, and makes a fault.
type Datagrams struct {
	dice
	*relay.Relay
}

// NewDatagrams starts a relay to a server on the loopback interface. The fault is one of
// OfDatagrams, or the zero Fault, which passes everything on.
func NewDatagrams(server string, f Fault, seed uint64) (d *Datagrams, err error) {
	d = &Datagrams{dice: newDice(f, seed)}
	d.Relay, err = relay.New(server, d.pass)
	return d, err
}

func (d *Datagrams) pass(datagram []byte, reply bool, send func([]byte)) {
	if d.happens(reply) && len(datagram) > 0 {
		d.fault.datagram(&d.dice, datagram, send)
		return
	}
	send(datagram)
}

// Recorded returns the first datagrams of clients, one after the other.
func (d *Datagrams) Recorded() []byte { return bytes.Join(d.Relay.Recorded(), nil) }

// OfDatagrams returns the faults that datagrams can have. All are harmless: a protocol over UDP
// sends again what is lost, and throws away what comes changed or twice.
func OfDatagrams() []Fault {
	return []Fault{
		{Name: "latency", Harmless: true, datagram: func(d *dice, b []byte, send func([]byte)) {
			time.Sleep(time.Duration(d.below(int(time.Millisecond))))
			send(b)
		}},
		{Name: "bandwidth", Harmless: true, datagram: func(_ *dice, b []byte, send func([]byte)) {
			time.Sleep(time.Duration(len(b)) * time.Second / (16 << 20))
			send(b)
		}},
		{Name: "blackhole", Harmless: true, rare: true, once: true, datagram: func(_ *dice, b []byte, send func([]byte)) {
			time.Sleep(pause)
			send(b)
		}},
		{Name: "loss", Harmless: true, rare: true, datagram: func(*dice, []byte, func([]byte)) {}},
		{Name: "flip", Harmless: true, oneWay: true, rare: true, datagram: func(d *dice, b []byte, send func([]byte)) {
			d.flipBit(b)
			send(b)
		}},
		{Name: "disorder", Harmless: true, rare: true, datagram: disordered},
	}
}

// disordered sends a datagram twice, or after those behind it.
func disordered(d *dice, b []byte, send func([]byte)) {
	if d.below(2) == 0 {
		time.AfterFunc(time.Millisecond, func() { send(b) })
		return
	}
	send(b)
	send(b)
}

// OfConnections are the names of the faults that datagrams cannot have, and of the kinds of
// garbage, with the reason.
func OfConnections() map[string]string {
	const why = "UDP has no connection that could be "
	return map[string]string{
		"pieces": "a datagram arrives whole or not at all", "cut": why + "cut", "reset": why + "reset", "half-close": why + "closed by half",
		"refusal": why + "refused", "a reset": why + "reset", "an end of half a connection": why + "closed by half",
	}
}

// SendDatagrams sends garbage to a server of a protocol over UDP, in datagrams, and reads for a
// moment. The error is about sending: how the server takes it does not matter.
func (g Garbage) SendDatagrams(addr string, r *rand.Rand, recorded []byte) error {
	c, err := net.Dial("udp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	for b := g.make(r, bytes.Clone(recorded)); ; {
		n := min(len(b), datagramBytes)
		if _, err = c.Write(b[:n]); err != nil || n == len(b) {
			break
		}
		b = b[n:]
	}
	c.SetReadDeadline(time.Now().Add(listening))
	c.Read(make([]byte, 1<<16))
	return err
}

// datagramBytes is what a client's first datagram has, and so the server takes the record apart
// as it was.
const datagramBytes = 1280
