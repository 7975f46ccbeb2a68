package layer

// Certificates are what both sides of TLS need, each in PEM. A side's own may be missing where
// only the other side is.
type Certificates struct {
	// Name is the name that the server's certificate has to be for. It is not the address, so
	// that a certificate serves servers at any address.
	Name                  string
	Authority             []byte // has signed the others
	ServerCert, ServerKey []byte
	ClientCert, ClientKey []byte
}
