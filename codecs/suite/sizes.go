package suite

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// sizedMessages is the number of messages whose sizes are averaged, and of a user's own the
// number that are compressed. That takes most of the time before the clock of a benchmark
// starts.
const sizedMessages = 64

// sizes are the mean bytes of an encoded message, and of the same compressed.
type sizes struct{ size, gz, zstd float64 }

func sizesOf(encodings [][]byte) (s sizes) {
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	zs, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // of options that are not given
	}
	compressed := encodings[:min(sizedMessages, len(encodings))]
	for _, src := range compressed {
		packed.Reset()
		gz.Reset(&packed)
		gz.Write(src) // to memory
		gz.Close()
		s.gz += float64(packed.Len())
		s.zstd += float64(len(zs.EncodeAll(src, nil)))
	}
	for _, src := range encodings {
		s.size += float64(len(src))
	}
	n := float64(len(compressed))
	return sizes{s.size / float64(len(encodings)), s.gz / n, s.zstd / n}
}

func (s sizes) report(b *testing.B) {
	b.ReportMetric(s.size, "encoded-B")
	b.ReportMetric(s.gz, "gz-B")
	b.ReportMetric(s.zstd, "zstd-B")
}
