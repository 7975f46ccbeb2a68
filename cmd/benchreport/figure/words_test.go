package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSizesInBytes(t *testing.T) {
	for text, want := range map[string]float64{
		"0B": 0, "3B": 3, "2KiB": 2048, "1.5MiB": 3 << 19, "2GiB": 2 << 30, "7": 7, "many": 0, "-1KiB": 0, "NaNMiB": 0, "1e99GiB": 1e99 * (1 << 30),
	} {
		assert.Equal(t, want, bytesOf(text), text)
	}
}

func TestKeysInWords(t *testing.T) {
	for want, key := range map[string]lines.Key{
		"1KiB": {Key: "size", Value: "1KiB"}, "bytes": {Key: "mode", Value: "bytes"}, "db": {Key: "workload", Value: "db"}, "x": {Value: "x"},
		"1 caller": {Key: "conc", Value: "1"}, "2 callers": {Key: "conc", Value: "2"}, "500 calls/s offered": {Key: "rate", Value: "500"},
		"30% load": {Key: "load", Value: "30%"}, "open loop": {Key: "loop", Value: "open"}, "3 servers": {Key: "servers", Value: "3"},
		"4 at once": {Key: "parallel", Value: "4"}, "net wan": {Key: "net", Value: "wan"}, "timeout 50ms": {Key: "timeout", Value: "50ms"}, "data compressible": {Key: "data", Value: "compressible"},
	} {
		assert.Equal(t, want, words(key))
	}
	assert.Equal(t, "Echo grpc h2 pb, 1KiB, 2 callers", row(lines.ParseName("BenchmarkEcho/framework=grpc/transport=h2/codec=pb/size=1KiB/conc=2")))
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0", .1234: "0.123", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234.5: "1234", 7: "7", 99.99: "100.0"} {
		assert.Equal(t, want, digits(v))
	}
	for number, want := range map[string]string{"1": "1", "123": "123", "1234": "1,234", "1234567": "1,234,567", "1234.5": "1,234.5"} {
		assert.Equal(t, want, grouped(number))
	}
}

func TestTheSummaryHasThreeReasons(t *testing.T) {
	d := Doubts{Rows: 4, Of: 9, Reasons: []Doubt{{"a", []string{"x", "y"}}, {"b", []string{"x"}}, {"c", []string{"x"}}, {"d", []string{"x"}}, {"e", []string{"x"}}}}
	assert.Equal(t, "4 of 9 rows are in doubt: a (2); b (1); c (1); and 2 more reasons", d.Summary())
	assert.Empty(t, Doubts{}.Summary())
}

// TestWhatWasNotMeasuredHasADash, and no place.
func TestWhatWasNotMeasuredHasADash(t *testing.T) {
	l, m := line("Echo/framework=a/conc=1", map[string]float64{"calls/s": 0, "conns": 3}), calls("Echo/framework=b/conc=1", 50)
	c, err := report(l, m).Compact("Echo, 1 caller")
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"b", "", "50", "20", "–", "–", "–", "–"}, {"a", "", "0", "–", "–", "–", "–", "3"}}, c.Ranked, "by calls/s then")
	assert.Equal(t, "One round: nothing tells how far another would differ.", c.Noise)
	m.Values["client-cpu-ns/op"] = 5
	assert.Nil(t, (&variant{lines: []lines.Line{m}}).cpu(), "of one side alone there is no sum")
	bare := line("Codec/codec=gob/op=marshal", map[string]float64{"ns/op": 5})
	assert.Equal(t, [][]string{{"gob", "5", "–"}}, report(bare).Codecs[0].Rows)
	assert.Zero(t, spread([]float64{0, 0, 7}))
	assert.Equal(t, .5, spread([]float64{1, 2, 3}))
	assert.Equal(t, .75, spread([]float64{1, 4, 5}))
	assert.Equal(t, 2.5, median([]float64{4, 1, 2, 3}))
	assert.Equal(t, 3., median([]float64{4, 1, 3}))
}

func TestFramesOfRanks(t *testing.T) {
	l := calls("Echo/framework=a/codec=pb", 1)
	l.Config = map[string]string{"rank": "a/pb=beside"}
	assert.Equal(t, []string{ranked}, report(l).Ranks, "a framework of which nothing but what stands beside is there")
}
