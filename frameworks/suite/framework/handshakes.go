package framework

import (
	"crypto/tls"
	"sync/atomic"
)

// Handshakes counts the handshakes of TLS of clients, and lets them resume the sessions of
// each other. Its zero value counts, and resumes none.
type Handshakes struct {
	// Sessions are those that can be resumed; nil for none, so that each handshake is a
	// full one.
	Sessions tls.ClientSessionCache

	full, resumed atomic.Int64
}

// watch has the handshakes of a configuration counted.
func (h *Handshakes) watch(c *tls.Config) {
	c.ClientSessionCache = h.Sessions
	c.VerifyConnection = func(s tls.ConnectionState) error { // after the usual verification
		if s.DidResume {
			h.resumed.Add(1)
		} else {
			h.full.Add(1)
		}
		return nil
	}
}

// Counts returns how many handshakes were full, and how many resumed a session.
func (h *Handshakes) Counts() (full, resumed int64) { return h.full.Load(), h.resumed.Load() }
