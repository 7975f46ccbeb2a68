// Package stack is what is put around a variant, as the keys of its lines name it, and as its
// framework has it.
package stack

import (
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Names are the words of -with.
func Names() string { return strings.ReplaceAll(layer.Stack{Layers: layer.All()}.String(), "_", ", ") }

// Empty reports whether a stack has nothing.
func Empty(s layer.Stack) bool {
	return len(s.Layers) == 0 && s.Metadata.Entries == 0 && s.Chain == 0
}

// Named returns keys with those that a stack adds.
func Named(k framework.Keys, s layer.Stack) framework.Keys {
	k.With, k.Metadata, k.Chain = s.String(), s.Metadata.String(), chainText(s.Chain)
	return k
}

// Of returns what With, Metadata and Chain of keys name, without certificates.
func Of(k framework.Keys) layer.Stack {
	s, _ := ReadLayers(k.With) // with an error it has none
	s.Metadata, _ = metadata.Read(k.Metadata)
	s.Chain, _ = ReadChain(k.Chain)
	return s
}

// HasTLS reports whether a variant's connections have TLS, by a layer or always.
func HasTLS(v framework.Variant) bool { return v.Secured != nil || Of(v.Keys).TLS() }

// CertificatesFor returns the certificates of a server that has a name of its own; nil of nil.
func CertificatesFor(name string, c *layer.Certificates) *layer.Certificates {
	if c == nil {
		return nil
	}
	named := *c
	named.Name = name
	return &named
}

// CertificatesOfClient returns what a client needs of both sides', without the key of the
// server; nil of nil.
func CertificatesOfClient(c *layer.Certificates) *layer.Certificates {
	if c == nil {
		return nil
	}
	return &layer.Certificates{Name: c.Name, Authority: c.Authority, ClientCert: c.ClientCert, ClientKey: c.ClientKey}
}
