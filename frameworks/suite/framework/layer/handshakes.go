package layer

import (
	"crypto/tls"
	"sync/atomic"
)

// Handshakes counts the handshakes of TLS of clients, and lets them resume the sessions of
// each other. Its zero value counts, and resumes none. An adapter hands it from
// DialOptions to Stack.ClientTLS.
type Handshakes struct {
	// Sessions are those that can be resumed; nil for none, so that each handshake is a
	// full one.
	Sessions tls.ClientSessionCache

	// Full is how many handshakes were full, and Resumed how many resumed a session.
	Full, Resumed atomic.Int64
}

// watch has the handshakes of a configuration counted.
func (h *Handshakes) watch(c *tls.Config) {
	c.ClientSessionCache = h.Sessions
	c.VerifyConnection = func(s tls.ConnectionState) error { // after the usual verification
		if s.DidResume {
			h.Resumed.Add(1)
		} else {
			h.Full.Add(1)
		}
		return nil
	}
}
