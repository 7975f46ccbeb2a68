package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
)

// compressGzip is brpc's number of gzip, see CompressType in its options.proto.
const compressGzip = 2

// compressType is how a meta says that its message is compressed.
func compressType(gzip bool) int32 {
	if gzip {
		return compressGzip
	}
	return 0
}

// zipped reads a compress_type.
func zipped(compressType int32) (bool, error) {
	if compressType != 0 && compressType != compressGzip {
		return false, errCompressed
	}
	return compressType == compressGzip, nil
}

// appendZipped appends a message that is compressed. An attachment never is.
func appendZipped(b []byte, message proto.Message) ([]byte, error) {
	plain, err := proto.Marshal(message)
	if err != nil {
		return b, err
	}
	out := bytes.NewBuffer(b)
	w, err := compress.Gzip().Compress(out)
	if err != nil {
		return b, err
	}
	if _, err = w.Write(plain); err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// trailer is the length of the size at the end of what gzip has compressed.
const trailer = 4

// UnzippedSize returns how many bytes were compressed into b, as b itself says, or most if
// it says more.
func UnzippedSize(b []byte, most int) int {
	if len(b) < trailer {
		return 0
	}
	return int(min(uint64(binary.LittleEndian.Uint32(b[len(b)-trailer:])), uint64(most)))
}

// Unzip returns what was compressed into b, which may be up to limit bytes.
func Unzip(b []byte, limit int) ([]byte, error) {
	r, err := compress.Gzip().Decompress(bytes.NewReader(b))
	var plain []byte
	if err == nil {
		plain, err = io.ReadAll(io.LimitReader(r, int64(limit)+1))
	}
	if err != nil {
		return nil, fmt.Errorf("brpc: a compressed message cannot be read: %w", err)
	}
	if len(plain) > limit {
		return nil, fmt.Errorf("brpc: a compressed message has more than the limit of %d bytes", limit)
	}
	return plain, nil
}
