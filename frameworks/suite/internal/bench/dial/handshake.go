package dial

import (
	"crypto/tls"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// handshake is how new clients come by the keys of TLS, the value of handshake=; "" without
// TLS.
type handshake string

const (
	fullHandshake    handshake = "full"
	resumedHandshake handshake = "resumed" // of the session of the client before
)

// watch returns what the clients of a line are dialed with; nil without TLS. The first
// of clients that resume has a full handshake. The ticket for the next one comes after the
// handshake, and has been read when the first call has returned.
func (h handshake) watch() *layer.Handshakes {
	switch h {
	case fullHandshake:
		return new(layer.Handshakes)
	case resumedHandshake:
		return &layer.Handshakes{Sessions: tls.NewLRUClientSessionCache(0)}
	}
	return nil
}

// handshakes counts those of each kind.
type handshakes struct{ full, resumed int64 }

// handshakesOf returns the handshakes so far.
func handshakesOf(of *layer.Handshakes) (s handshakes) {
	if of != nil {
		s.full, s.resumed = of.Full.Load(), of.Resumed.Load()
	}
	return s
}

func (s handshakes) since(before handshakes) handshakes {
	return handshakes{s.full - before.full, s.resumed - before.resumed}
}

func (s handshakes) all() int64 { return s.full + s.resumed }

// metrics says what the name of the line claims: 0 or 100 % of handshakes were resumed.
func (s handshakes) metrics(h handshake) []loadbench.Metric {
	if h == "" || s.all() == 0 {
		return nil
	}
	return []loadbench.Metric{{Value: 100 * float64(s.resumed) / float64(s.all()), Unit: "resumed-%"}}
}

// doubts lists in what handshakes are not those of the line's name. clients is how many
// there were.
func (s handshakes) doubts(h handshake, clients int64) (list []string) {
	switch {
	case h == "":
		return nil
	case s.all() < clients:
		list = append(list, fmt.Sprintf("%d handshakes were counted of %d new clients: connections may be shared", s.all(), clients))
	}
	switch {
	case h == fullHandshake && s.resumed > 0:
		list = append(list, fmt.Sprintf("%d of %d handshakes were resumed", s.resumed, s.all()))
	case h == resumedHandshake && s.full > 0 && s.resumed == 0:
		list = append(list, "no handshake was resumed: the figures are those of full ones")
	case h == resumedHandshake && s.full > 0:
		list = append(list, fmt.Sprintf("%d of %d handshakes were full", s.full, s.all()))
	}
	return list
}
