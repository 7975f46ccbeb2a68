package rpcx

import (
	"fmt"
	"sync"

	"github.com/smallnest/rpcx/codec"
	"github.com/smallnest/rpcx/log"
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/share"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift"
	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
)

// Numbers that rpcx itself gives to no compressor.
const (
	compressSnappy protocol.CompressType = 2
	compressZstd   protocol.CompressType = 3
)

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

// serializeGob is a number that rpcx itself gives to no serializer.
const serializeGob protocol.SerializeType = 5

// gob implements rpcx's codec.Codec.
type gob struct{}

func (gob) Encode(v any) ([]byte, error) { return dynamic.Gob.Marshal(v) }

func (gob) Decode(data []byte, v any) error { return dynamic.Gob.Unmarshal(data, v) }

// onlyBytes and onlyThrift are rpcx's codecs, but refuse the messages of others. The
// serializer is named in each message, and rpcx's own panic in the client if a flipped
// bit names another.
type (
	onlyBytes  struct{ codec.ByteCodec }
	onlyThrift struct{ codec.ThriftCodec }
)

func (c onlyBytes) Decode(data []byte, v any) error {
	if _, ok := v.(*[]byte); !ok {
		return fmt.Errorf("rpcx: bytes for a %T", v)
	}
	return c.ByteCodec.Decode(data, v)
}

func (c onlyThrift) Decode(data []byte, v any) error {
	switch v.(type) {
	case *thrift.EchoMessage, *thrift.BenchMessage:
		return c.ThriftCodec.Decode(data, v)
	}
	return fmt.Errorf("rpcx: thrift for a %T", v)
}

// prepare turns off rpcx's log, which goes to the standard output, limits messages with
// room for what JSON adds to a payload, and changes rpcx's tables of codecs and of compressors.
// All of it is global. It is called before the first connection, which reads the tables.
var prepare = sync.OnceFunc(func() {
	log.SetDummyLogger()
	protocol.MaxMessageLength = MaxMessage + MaxMessage/2
	share.RegisterCodec(serializeGob, gob{})
	share.RegisterCodec(protocol.SerializeNone, onlyBytes{})
	share.RegisterCodec(protocol.Thrift, onlyThrift{})
	addCompressors()
})
