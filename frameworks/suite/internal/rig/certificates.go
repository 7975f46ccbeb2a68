package rig

import (
	"flag"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
)

// certificates are what layers of TLS need: those of -certs, or those made at start.
type certificates struct {
	dir  string // of those given; "" for none
	made *layer.Certificates
}

func (c *certificates) register(fs *flag.FlagSet) {
	fs.StringVar(&c.dir, "certs", "", "`directory` of certificates for TLS: "+strings.Join(certs.Names(), ", ")+"; without it they are made at start")
}

// ready reads or makes the certificates, unless they are there. Agents are given those of
// the client.
func (c *certificates) ready() (err error) {
	switch {
	case c.made != nil:
		return nil
	case c.dir == "":
		c.made, err = certs.Make()
	default:
		c.made, err = certs.Read(c.dir)
	}
	return err
}

// about is what the header says of them.
func (c *certificates) about() string {
	if c.dir != "" {
		return "given"
	}
	return certs.About
}
