package layer

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ about, text, want, err string }{
		{"one layer", "gzip", "gzip", ""},
		{"layers have one order", "otel_gzip", "gzip_otel", ""},
		{"an unknown word names those that there are", "lz4", "", `with=lz4: "lz4" is no layer; layers are tls13, mtls, gzip, zstd, snappy, otel, joined by _`},
		{"an empty word", "gzip_", "", `with=gzip_: "" is no layer; layers are tls13, mtls, gzip, zstd, snappy, otel, joined by _`},
		{"two compressions", "zstd_gzip", "", "with=zstd_gzip: gzip and zstd exclude each other"},
		{"both kinds of TLS", "tls13_mtls", "", "with=tls13_mtls: tls13 and mtls exclude each other"},
		{"a layer twice", "otel_otel", "", "with=otel_otel: otel is there twice"},
		{"TLS without certificates", "tls13", "", "with=tls13: there are no certificates: give -certs=DIR"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s, err := Read(c.text)
			if err == nil {
				s, err = s.Certified(nil)
			}
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			assert.NoError(t, err)
			assert.Equal(t, c.want, s.String())
		})
	}
}

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
