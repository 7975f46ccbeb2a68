package suite

import (
	"compress/flate"
	"crypto/tls"
	"io"
	"net"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The lies of tiny frameworks about their layers.
const (
	bareTLS  = "there is no TLS"
	trusting = "the client trusts every certificate"
	bareGzip = "nothing is compressed"
	untraced = "the server makes no spans"
	forgets  = "the client resumes no session"
)

// layers are those of a tiny framework.
func (t tiny) layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13: "crypto/tls", framework.MTLS: "crypto/tls", framework.Gzip: "compress/flate", framework.OTel: "a counter",
		},
		With: func(s framework.Stack) framework.Variant {
			t.stack = s
			return t.variant()
		},
	}
}

// serverConn puts the layers around a connection.
func (t tiny) serverConn(c net.Conn, secure *tls.Config) net.Conn {
	if secure != nil && t.lies != bareTLS {
		c = tls.Server(c, secure)
	}
	return t.compressed(c)
}

// clientConn is serverConn of the other side.
func (t tiny) clientConn(c net.Conn, o framework.DialOptions) net.Conn {
	if s := t.stack.ClientTLS(o); s != nil && t.lies != bareTLS {
		s.InsecureSkipVerify = t.lies == trusting
		if t.lies == forgets {
			s.ClientSessionCache = nil
		}
		c = tls.Client(c, s)
	}
	return t.compressed(c)
}

func (t tiny) compressed(c net.Conn) net.Conn {
	if t.stack.Compression() == "" || t.lies == bareGzip {
		return c
	}
	w, _ := flate.NewWriter(c, flate.BestSpeed) // a level that there is
	return flated{c, flate.NewReader(c), w}
}

// span counts a span of a side.
func (t tiny) span(side string) {
	if t.stack.Has(framework.OTel) && !(side == "server" && t.lies == untraced) {
		framework.CountSpan(true)
	}
}

// flated is a connection that is compressed.
type flated struct {
	net.Conn
	r io.Reader
	w *flate.Writer
}

func (f flated) Read(p []byte) (int, error) { return f.r.Read(p) }

func (f flated) Write(p []byte) (n int, err error) {
	if n, err = f.w.Write(p); err == nil {
		err = f.w.Flush()
	}
	return n, err
}

// TestLayersAreMeasured: lines with layers stand beside the line without, and say by their
// columns that the layers are there.
func TestLayersAreMeasured(t *testing.T) {
	out, errOut, code := self(t, bench("Echo", "-framework=tiny,small", "-conc=2", "-conns=1", "-size=1KiB", "-payload=compressible", "-with=tls13,mtls,gzip_otel")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "# skipped: -with=mtls: lacked by small\n")
	lines := resultLines(out)
	require.Len(t, lines, 5, out)
	wire := func(line string) string {
		return regexp.MustCompile(`\s([\d.]+) request-wire-B/op`).FindStringSubmatch(line)[1]
	}
	// A record of TLS 1.3 adds 22 bytes: its header, its type and its checksum.
	for i, c := range []struct{ with, wire string }{{"", "^1048$"}, {"tls13", "^1070$"}, {"mtls", "^1070$"}, {"gzip_otel", `^\d\d?\d?(\.\d+)?$`}} {
		if c.with != "" {
			assert.Contains(t, lines[i], "/with="+c.with)
		}
		assert.Regexp(t, c.wire, wire(lines[i]), "%s", lines[i])
	}
}

// TestLayersOfOtherProcesses: agents, and servers of -host, have the same certificates.
func TestLayersOfOtherProcesses(t *testing.T) {
	_, errOut, code := self(t, bench("Echo", "-framework=tiny", "-conc=2", "-conns=2", "-size=1KiB", "-clients=2", "-with=mtls")...)
	assert.Zero(t, code, errOut)
}

// TestHandshakesAreMeasuredApart: new clients have full handshakes, or resume the session
// of the client before.
func TestHandshakesAreMeasuredApart(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, dialOnce("-framework=tiny,forgetful", "-down=none", "-with=tls13,gzip")...)
	require.Zero(t, code, "%s%s", out, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 8, out)
	for i, c := range []struct {
		name    string
		resumed float64
	}{{"down=none", -1}, {"down=none/handshake=full/with=tls13", 0}, {"down=none/handshake=resumed/with=tls13", 100}, {"down=none/with=gzip", -1}} {
		assert.Regexp(t, "framework=tiny/transport=tcp/codec=gob/"+c.name+`(-\d+)?\s`, lines[i])
		columns := columnsOf(t, lines[i])
		if resumed, there := columns["resumed-%"]; c.resumed >= 0 {
			assert.Equal(t, c.resumed, resumed, "%s", lines[i])
		} else {
			assert.False(t, there, "%s", lines[i])
		}
		assert.Positive(t, columns["calls/s"])
		assert.Positive(t, columns["server-cpu-ns/op"])
	}
	assert.Zero(t, columnsOf(t, lines[6])["resumed-%"], "a library that cannot resume: %s", lines[6])
	assert.Regexp(t, `(?m)^# warning: BenchmarkDial/framework=forgetful\S+/handshake=resumed/with=tls13: no handshake was resumed: the figures are those of full ones$`, errOut)
	assert.NotContains(t, errOut, "handshake=full")
}

func TestCertificatesOfAUser(t *testing.T) {
	_, errOut, code := self(t, bench("Echo", "-framework=tiny", "-size=1KiB", "-with=tls13", "-certs="+t.TempDir())...)
	assert.Equal(t, 2, code)
	assert.Regexp(t, `^rpcbench: -certs=.*: a certificate cannot be read: open .*ca\.pem: no such file or directory\n$`, errOut)
}
