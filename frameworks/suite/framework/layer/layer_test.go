package layer

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCertificatesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		about string
		certs Certificates
		want  string
	}{
		{"no authority", Certificates{}, "the authority's certificate: there is none in PEM"},
		{"a server's key that is no key", Certificates{ServerCert: []byte("x"), ServerKey: []byte("x")}, "the server's certificate: tls: failed to find any PEM data"},
		{"a client without its key", Certificates{ClientCert: []byte("x")}, "the client's certificate: tls: failed to find any PEM data"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := Stack{Layers: []Layer{MTLS}}.Certified(&c.certs)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// Without TLS there is no configuration, so an adapter can hand on what it gets.
func TestStackWithoutTLS(t *testing.T) {
	assert.Nil(t, Stack{}.ServerTLS("h2"))
	assert.Nil(t, Stack{}.ClientTLS(nil))
	assert.Nil(t, Stack{}.Certificates())
	assert.Empty(t, Stack{}.String())
	assert.Empty(t, Stack{}.Compression())
}
