package loadgen

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
)

// A histogram is written as a compressed HdrHistogram in its format V2, in
// base64: a cookie that names the format, the number of bytes that follow, and,
// compressed by zlib, an encodingHeader and the counts. The counts come bucket
// by bucket, from the bucket of 0 ns to the last that is not empty, as the integers
// that encoding/binary calls varints. A negative number -n stands for n empty
// buckets.
const (
	compressedCookie = 0x1c849314
	countsCookie     = 0x1c849313
	cookieMask       = ^0xf0 // the bits left out tell the width of a count, which is always the same in V2
)

// encodingHeader comes before the counts; the order of its fields is the format's.
type encodingHeader struct {
	Cookie          int32
	Length          int32 // of the counts, in bytes
	Offset          int32 // how the writer kept its buckets in memory; not used
	Digits          int32 // significant decimal digits
	Lowest, Highest int64 // the range of values
	Ratio           float64
}

// hdrDigits is the precision, in significant decimal digits, of the
// HdrHistogram from 1 to MaxLatency ns that has our buckets.
const hdrDigits = 3

// maxCount is the most values that a histogram may hold to be written or read. 70
// million calls a second take 46 days to reach it. The bound is needed because
// HdrHistogram's percentile iterator never ends where two percentiles are too close
// to differ as floats, which happens from 2^51 values on.
const maxCount = 1 << 48

// maxVarint is the length of the longest integer that the format knows, in
// bytes, and maxEncoded is longer than the text of any histogram of ours.
const (
	maxVarint  = 9
	maxEncoded = 2 * maxVarint * bucket.Count
)

// MarshalText returns h, without loss, as a V2 compressed HdrHistogram in
// base64, with values in nanoseconds. An empty histogram is the empty text. More
// than 2^48 values, and negative counts, are an error.
func (h *Histogram) MarshalText() ([]byte, error) {
	if h.total == 0 {
		return nil, nil
	}
	if h.total > maxCount {
		return nil, fmt.Errorf("loadgen: a histogram of %d values: at most %d can be exported", h.total, int64(maxCount))
	}
	counts, err := appendCounts(nil, h.counts)
	if err != nil {
		return nil, err
	}
	packed, err := compress(counts)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.AppendEncode(nil, packed), nil
}

// appendCounts encodes counts up to the last that is not 0. A single 0 is written
// as 0, and n of them in a row as -n.
func appendCounts(b []byte, counts []int64) ([]byte, error) {
	empty := int64(0) // buckets since the last that was written
	for _, n := range counts {
		switch {
		case n < 0:
			return nil, errors.New("loadgen: a histogram with negative counts cannot be exported")
		case n == 0:
			empty++
			continue
		case empty == 1:
			b = append(b, 0)
		case empty > 1:
			b = binary.AppendVarint(b, -empty)
		}
		b, empty = binary.AppendVarint(b, n), 0
	}
	return b, nil
}

// compress puts the headers before the counts.
func compress(counts []byte) ([]byte, error) {
	var packed bytes.Buffer
	packed.Write(make([]byte, 8)) // the cookie and the length, known at the end
	z, err := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	header := encodingHeader{countsCookie, int32(len(counts)), 0, hdrDigits, 1, int64(MaxLatency), 1}
	err = binary.Write(z, binary.BigEndian, header)
	if err == nil {
		_, err = z.Write(counts)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	b := packed.Bytes()
	binary.BigEndian.PutUint32(b, compressedCookie)
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b, nil
}

// UnmarshalText replaces h by what MarshalText wrote. It reads the histograms
// of other programs if they go from 1 to MaxLatency in three digits. After an
// error h is unchanged. Its use of memory is bounded for any text.
func (h *Histogram) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*h = Histogram{}
		return nil
	}
	payload, err := payloadOf(text)
	if err != nil {
		return fmt.Errorf("loadgen: bad histogram: %w", err)
	}
	counts := make([]int64, bucket.Count)
	total, err := readCounts(counts, payload)
	if err != nil {
		return fmt.Errorf("loadgen: bad histogram: %w", err)
	}
	*h = Histogram{}
	if total > 0 {
		h.counts, h.total = counts, total
	}
	return nil
}

// payloadOf returns the encoded counts of a text. A length that the text declares
// is checked before memory of that size is allocated.
func payloadOf(text []byte) ([]byte, error) {
	if len(text) > maxEncoded {
		return nil, fmt.Errorf("%d bytes are too many", len(text))
	}
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return nil, err
	}
	if len(raw) < 8 {
		return nil, io.ErrUnexpectedEOF
	}
	if err := checkCookie(int32(binary.BigEndian.Uint32(raw)), compressedCookie); err != nil {
		return nil, err
	}
	length, packed := binary.BigEndian.Uint32(raw[4:]), raw[8:]
	if uint64(length) > uint64(len(packed)) {
		return nil, fmt.Errorf("%d bytes are missing", uint64(length)-uint64(len(packed)))
	}
	return inflate(packed[:length])
}

func checkCookie(got, want int32) error {
	if got&cookieMask != want&cookieMask {
		return fmt.Errorf("its cookie is %#x: only V2 is supported, with %#x", uint32(got), uint32(want))
	}
	return nil
}

// inflate returns the payload of what zlib packed.
func inflate(packed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, unexpected(err)
	}
	var header encodingHeader
	if err := binary.Read(z, binary.BigEndian, &header); err != nil {
		return nil, unexpected(err)
	}
	if err := header.check(); err != nil {
		return nil, err
	}
	var payload bytes.Buffer
	payload.Grow(int(header.Length) + bytes.MinRead)
	// One byte more is asked for, to find out whether the counts are longer.
	if _, err := payload.ReadFrom(io.LimitReader(z, int64(header.Length)+1)); err != nil {
		return nil, err
	}
	if payload.Len() != int(header.Length) {
		return nil, fmt.Errorf("its counts do not take the %d bytes that its header declares", header.Length)
	}
	return payload.Bytes(), nil
}

// check returns what is wrong with a header.
func (e *encodingHeader) check() error {
	if err := checkCookie(e.Cookie, countsCookie); err != nil {
		return err
	}
	if e.Digits != hdrDigits || e.Lowest != 1 || e.Highest != int64(MaxLatency) || e.Ratio != 1 {
		return fmt.Errorf("from %d to %d in %d digits, times %v: only 1 to %d in %d digits, times 1, can be read",
			e.Lowest, e.Highest, e.Digits, e.Ratio, int64(MaxLatency), hdrDigits)
	}
	if e.Length < 0 || e.Length > maxVarint*bucket.Count {
		return fmt.Errorf("its counts take %d bytes: at most %d are possible", e.Length, maxVarint*bucket.Count)
	}
	return nil
}

// readCounts decodes counts and returns their sum.
func readCounts(counts []int64, payload []byte) (total int64, err error) {
	for bucket := 0; len(payload) > 0; {
		n, size := binary.Varint(payload)
		if size <= 0 || size > maxVarint {
			return 0, errors.New("a count is truncated or too long")
		}
		payload = payload[size:]
		room := int64(len(counts) - bucket)
		switch {
		case room == 0 || n < -room:
			return 0, fmt.Errorf("it has more than %d buckets", len(counts))
		case n < 0:
			bucket -= int(n)
			continue
		case n > maxCount-total:
			return 0, fmt.Errorf("more than %d values", int64(maxCount))
		}
		counts[bucket] = n
		total += n
		bucket++
	}
	return total, nil
}

// unexpected turns io.EOF into an error that says that the input was cut off.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
