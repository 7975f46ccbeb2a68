package rig

import (
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// certify reads or makes the certificates. Agents are given those of the client.
func (s *Settings) certify() (err error) {
	switch {
	case s.certs != nil:
		return nil
	case s.certsDir == "":
		s.certs, err = certs.Make()
	default:
		s.certs, err = certs.Read(s.certsDir)
	}
	return err
}

// Certificates returns what layers of TLS need.
func (s *Settings) Certificates() *framework.Certificates { return s.certs }

// aboutCertificates is what the header says of them.
func (s *Settings) aboutCertificates() string {
	if s.certsDir != "" {
		return "given"
	}
	return certs.About
}

// checkLayers warns of what layers do that was perhaps not meant, in cases whose requests
// take the payload.
func (r *Rig) checkLayers(p *plan.Plan) {
	compressed := func(c plan.Case) bool { return c.Stack().Compression() != "" && c.Size > 0 && !c.OwnData }
	if r.payload == payloadRandom && slices.ContainsFunc(p.Selected(), compressed) {
		r.Ledger.warn("-with", "payloads are random bytes, which no compression makes smaller: add -payload=compressible")
	}
}

// counts reports whether lines have the costs of a call. With layers they show that what was
// to be compressed is, and that what was to be traced is.
func (s *Settings) counts() bool { return s.detail || s.layered }
