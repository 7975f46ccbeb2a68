package suite

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// TestLayersAreMeasured: lines with layers stand beside the line without, and say by their
// columns that the layers are there.
func TestLayersAreMeasured(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,small", "-conc=2", "-conns=1", "-size=1KiB", "-payload=compressible", "-with=tls13,mtls,gzip_otel")...)
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

// TestRandomBytesAreNotCompressed: it is said of requests that can have other bytes.
func TestRandomBytesAreNotCompressed(t *testing.T) {
	unraced(t)
	t.Parallel()
	for benchmark, said := range map[string]bool{"Echo": true, "Message": false} {
		_, errOut, code := self(t, measuring(benchmark, "-framework=tiny", "-conc=1", "-size=1KiB", "-with=gzip")...)
		assert.Zero(t, code, errOut)
		assert.Equal(t, said, strings.Contains(errOut, "add -payload=compressible"), "%s: %s", benchmark, errOut)
	}
}

// TestLayersOfOtherProcesses: agents, and servers of -host, have the same certificates.
func TestLayersOfOtherProcesses(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, where := range []string{"-clients=2", onHere(t)} {
		out, errOut, code := self(t, measuring("Echo", "-framework=tiny", "-conc=2", "-conns=2", "-size=1KiB", "-with=mtls", where)...)
		assert.Zero(t, code, "%s: %s", where, errOut)
		assert.Len(t, resultLines(out), 2, where)
	}
}

// TestHandshakesAreMeasuredApart: new clients have full handshakes, or resume the session
// of the client before.
func TestHandshakesAreMeasuredApart(t *testing.T) {
	unraced(t)
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
	assert.Regexp(t, `(?m)^# warning: BenchmarkDial/framework=forgetful\S+/handshake=resumed/with=tls13: (.*; )?no handshake was resumed: the figures are those of full ones(;.*)?$`, errOut)
	assert.NotRegexp(t, `(?m)^# warning: \S+handshake=full\S*: .*handshakes? w(as|ere) `, errOut)
}

func TestCertificatesOfAUser(t *testing.T) {
	t.Parallel()
	_, errOut, code := self(t, measuring("Echo", "-framework=tiny", "-size=1KiB", "-with=tls13", "-certs="+t.TempDir())...)
	assert.Equal(t, 2, code)
	assert.Regexp(t, `^rpcbench: -certs=.*: a certificate cannot be read: open .*ca\.pem: no such file or directory\n$`, errOut)
	c, err := certs.Make()
	require.NoError(t, err)
	ofServer := layer.Certificates{Authority: c.Authority, ServerCert: c.ServerCert, ServerKey: c.ServerKey}
	const server = "framework=tiny/transport=tcp/codec=gob/with=mtls@127.0.0.1:1"
	for _, row := range []struct {
		about string
		certs *layer.Certificates
		arg   string
		want  string
	}{
		{"no key of the client", &ofServer, "-with=mtls", "-with=mtls: -certs has no client.pem, which mtls needs"},
		{"of a server of the user neither", &ofServer, "-server=" + server, "-server=" + server + ": -certs has no client.pem, which mtls needs"},
		{"no key of the servers that are started", stack.CertificatesOfClient(c), "-with=tls13", "-with=tls13: -certs has no server.pem"},
	} {
		dir := t.TempDir()
		require.NoError(t, certs.Write(dir, row.certs), row.about)
		args := []string{"-size=1KiB", "-certs=" + dir, row.arg}
		if row.arg != "-server="+server {
			args = append(args, "-framework=tiny")
		}
		_, errOut, code := self(t, measuring("Echo", args...)...)
		assert.Equal(t, 2, code, row.about)
		assert.Equal(t, "rpcbench: "+row.want+"\n", errOut, row.about)
	}
}

// TestServersOfAUserWithLayers: the keys of a server that runs already name its layers, and
// its certificate is for its address.
func TestServersOfAUserWithLayers(t *testing.T) {
	unraced(t)
	t.Parallel()
	c, err := certs.Make()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, certs.Write(dir, c))
	stack, err := layer.Stack{Layers: []layer.Layer{layer.MTLS, layer.Gzip}}.Certified(c)
	require.NoError(t, err)
	server, err := tiny{name: "tiny", stack: stack}.serve("127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	run := func(args ...string) (out, errOut string, code int) {
		return self(t, measuring("Echo", append(args, "-conc=2", "-conns=2", "-size=1KiB", "-server=framework=tiny/transport=tcp/codec=gob/with=mtls_gzip@"+server.Addr())...)...)
	}
	out, errOut, code := run("-certs=" + dir)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "/conc=2/with=mtls_gzip")
	assert.Contains(t, out, "certificates: given")
	_, errOut, code = run()
	assert.Equal(t, 2, code)
	assert.Contains(t, errOut, "with=mtls_gzip: there are no certificates: give -certs=DIR\n")
}

// TestMetadataIsMeasured: lines with metadata stand beside lines without, as the flag lists
// them, and beside each layer. gob writes a name and a value with a byte for each length.
func TestMetadataIsMeasured(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,small", "-conc=2", "-conns=1", "-size=1KiB", "-metadata=0,2,2-binary", "-with=tls13")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "# skipped: -metadata=2: lacked by small\n")
	assert.Contains(t, out, "# skipped: -metadata=2-binary: lacked by tiny, small\n")
	lines := resultLines(out)
	require.Len(t, lines, 5, out)
	for i, c := range []struct{ keys, wire string }{{"", "1048"}, {"/with=tls13", "1070"}, {"/metadata=2", "1126"}, {"/with=tls13/metadata=2", "1148"}} {
		assert.Contains(t, lines[i], "/conc=2"+c.keys)
		assert.Regexp(t, `\s`+c.wire+` request-wire-B/op`, lines[i])
		assert.Regexp(t, `\s`+c.wire+` reply-wire-B/op`, lines[i])
	}
}

// TestChainIsMeasured: lines with interceptors stand beside lines without, as the flag lists
// them, and nothing of them is on the wire.
func TestChainIsMeasured(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,small", "-conc=2", "-conns=1", "-size=1KiB", "-chain=0,5", "-metadata=0,2")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "# skipped: -chain=5: lacked by small\n")
	lines := resultLines(out)
	require.Len(t, lines, 5, out)
	for i, c := range []struct{ keys, wire string }{{"", "1048"}, {"/metadata=2", "1126"}, {"/chain=5", "1048"}, {"/metadata=2/chain=5", "1126"}} {
		assert.Regexp(t, `/conc=2`+c.keys+`\s`, lines[i])
		assert.Regexp(t, `\s`+c.wire+` request-wire-B/op`, lines[i])
	}
}
