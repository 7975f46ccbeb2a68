package view

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

func TestKeysInWords(t *testing.T) {
	kinds := Kinds(All())
	for want, key := range map[string]lines.Key{
		"1KiB": {Key: "size", Value: "1KiB"}, "bytes": {Key: "mode", Value: "bytes"}, "db": {Key: "workload", Value: "db"}, "x": {Value: "x"},
		"1 caller": {Key: "conc", Value: "1"}, "2 callers": {Key: "conc", Value: "2"}, "500 calls/s offered": {Key: "rate", Value: "500"},
		"30% load": {Key: "load", Value: "30%"}, "open loop": {Key: "loop", Value: "open"}, "3 servers": {Key: "servers", Value: "3"},
		"4 at once": {Key: "parallel", Value: "4"}, "net wan": {Key: "net", Value: "wan"}, "timeout 50ms": {Key: "timeout", Value: "50ms"}, "data compressible": {Key: "data", Value: "compressible"},
	} {
		assert.Equal(t, want, kinds.Word(key))
	}
	assert.Equal(t, "Echo grpc h2 pb, 1KiB, 2 callers", kinds.Row(lines.ParseName("BenchmarkEcho/framework=grpc/transport=h2/codec=pb/size=1KiB/conc=2")))
}

func TestGoodputTakesTheOfferedRate(t *testing.T) {
	_, ok := goodput(lines.Line{Name: lines.ParseName("BenchmarkLoad/framework=a/load=200%"), Values: map[string]float64{"calls/s": 7, "recover-ns": 5}})
	assert.False(t, ok)
}
