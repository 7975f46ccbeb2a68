package wire

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/proto"
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

var writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// appendZipped appends a message that is compressed. An attachment never is.
func appendZipped(b []byte, message proto.Message) ([]byte, error) {
	plain, err := proto.Marshal(message)
	if err != nil {
		return b, err
	}
	out := bytes.NewBuffer(b)
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(out)
	if _, err = w.Write(plain); err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

var readers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// Unzip returns what was compressed into b, which may be up to limit bytes.
func Unzip(b []byte, limit int) ([]byte, error) {
	r := readers.Get().(*gzip.Reader)
	defer readers.Put(r)
	err := r.Reset(bytes.NewReader(b))
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
