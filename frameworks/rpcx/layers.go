package rpcx

import (
	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Numbers that rpcx itself gives to no compressor.
const (
	compressSnappy protocol.CompressType = 2
	compressZstd   protocol.CompressType = 3
)

const (
	aboutTLS      = "TLSConfig of the client, and a server that listens as with WithTLSConfig"
	aboutCompress = "; a reply is compressed if its request was, and none of up to 1 KiB is"
)

// layers describes the layers of the recommended variant. It lacks OpenTelemetry, since the
// plug-in that rpcx names is in a module without a version, rpcx-plugins.
func layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13:  aboutTLS,
			framework.MTLS:   aboutTLS,
			framework.Gzip:   "CompressType of the client is Gzip, with compress/gzip in Compressors, since rpcx's own mixes the messages of concurrent calls" + aboutCompress,
			framework.Snappy: "CompressType of the client is rpcx's SnappyCompressor, added to Compressors" + aboutCompress,
			framework.Zstd:   "CompressType of the client is klauspost/compress, added to Compressors" + aboutCompress,
		},
		With: func(s framework.Stack) framework.Variant {
			with := tcp
			with.layers = s
			return variant(with, protobufKind)
		},
	}
}

// addCompressors adds to rpcx's table what its users have to add, and replaces rpcx's own
// gzip: Zip returns a buffer that it has given back to a pool, so that another call
// overwrites some messages before they are sent.
func addCompressors() {
	protocol.Compressors[compressSnappy] = new(protocol.SnappyCompressor)
	protocol.Compressors[compressZstd] = compressor{compress.Zstd()}
	protocol.Compressors[protocol.Gzip] = compressor{compress.Gzip()}
}

// compressor implements rpcx's protocol.Compressor.
type compressor struct{ *compress.Codec }

// Zip compresses a payload.
func (c compressor) Zip(data []byte) ([]byte, error) { return c.Encode(data), nil }

// Unzip is the inverse of Zip.
func (c compressor) Unzip(data []byte) ([]byte, error) { return c.Decode(data) }

// wrap gives the option of a client its layers.
func wrap(option *rpcxclient.Option, s framework.Stack, o framework.DialOptions) {
	option.TLSConfig = s.ClientTLS(o)
	option.CompressType = map[framework.Layer]protocol.CompressType{
		framework.Gzip: protocol.Gzip, framework.Snappy: compressSnappy, framework.Zstd: compressZstd,
	}[s.Compression()]
}
