// Package compress has compressors for frameworks that let their users bring one: gzip and
// zstd at their default levels, and snappy.
//
// What a decompressor allocates grows with what it has decompressed. It does not believe
// the sizes that an input announces.
package compress

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// MaxMessage is the most bytes that Decode returns. It is above the largest message of any
// framework here.
const MaxMessage = 512 << 20

var errTooLarge = errors.New("compress: the message is too large")

// Writer compresses what is written to it. Close ends the compressed stream and leaves the
// sink open. Reset begins another one.
type Writer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// Reader decompresses. After Close, Reset begins another stream.
type Reader interface {
	io.ReadCloser
	Reset(io.Reader) error
}

// Codec is a compressor. It may be used by many goroutines at once. Its methods Name,
// Compress and Decompress are those of gRPC's encoding.Compressor; NewWriter and NewReader
// make what connect's WithCompression needs.
type Codec struct {
	name      string
	newWriter func() Writer
	newReader func() Reader
	encode    func(src []byte) []byte
	decode    func(src []byte) (msg []byte, ok bool, err error) // ok is false for what has to be read as a stream

	writers, readers sync.Pool
}

// Name is "gzip", "zstd" or "snappy".
func (c *Codec) Name() string { return c.name }

// NewWriter returns a Writer without a sink, for callers with a pool of their own.
func (c *Codec) NewWriter() Writer { return c.newWriter() }

// NewReader returns a Reader without a source, for callers with a pool of their own.
func (c *Codec) NewReader() Reader { return c.newReader() }

// Compress returns a writer out of a pool. Its Close ends the compressed stream, leaves w
// open and puts the writer back; it must be the last call.
func (c *Codec) Compress(w io.Writer) (io.WriteCloser, error) {
	pooled, ok := c.writers.Get().(Writer)
	if !ok {
		pooled = c.newWriter()
	}
	pooled.Reset(w)
	return &lentWriter{pooled, &c.writers}, nil
}

// Decompress returns a reader out of a pool, which goes back when it has returned an
// error, such as io.EOF.
func (c *Codec) Decompress(r io.Reader) (io.Reader, error) {
	pooled, ok := c.readers.Get().(Reader)
	if !ok {
		pooled = c.newReader()
	}
	if err := pooled.Reset(r); err != nil {
		return nil, err
	}
	return &lentReader{reader: pooled, pool: &c.readers}, nil
}

// Encode compresses a message. It is a stream of gzip or of zstd, or a block of snappy.
func (c *Codec) Encode(msg []byte) []byte { return c.encode(msg) }

// Decode is the inverse of Encode. The message is in memory of its own.
func (c *Codec) Decode(src []byte) ([]byte, error) {
	msg, ok, err := c.decode(src)
	if ok || err != nil {
		return msg, err
	}
	r, err := c.Decompress(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, MaxMessage+1))
	if err == nil && n > MaxMessage {
		err = errTooLarge
	}
	return b.Bytes(), err
}

// lentWriter is a writer of a pool.
type lentWriter struct {
	Writer
	pool *sync.Pool
}

// Close implements io.Closer.
func (w *lentWriter) Close() error {
	err := w.Writer.Close()
	w.Reset(io.Discard) // without a reference to the sink
	w.pool.Put(w.Writer)
	return err
}

// lentReader is a reader of a pool. Afterwards it has only the error.
type lentReader struct {
	reader Reader
	pool   *sync.Pool
	err    error
}

// Read implements io.Reader.
func (r *lentReader) Read(p []byte) (n int, err error) {
	if r.err != nil {
		return 0, r.err
	}
	n, r.err = r.reader.Read(p)
	if r.err != nil {
		r.reader.Close()
		r.pool.Put(r.reader)
		r.reader = nil
	}
	return n, r.err
}
