// Package thrift adapts the messages of Apache Thrift's compiler (package bench) to
// frameworks that make messages by reflection.
package thrift

import (
	"context"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/codecs/rpc/thrift/bench"
)

// EchoMessage has no fields with defaults.
type EchoMessage = bench.EchoMessage

// BenchMessage is bench.BenchMessage whose Read sets the defaults of the fields first.
// Thrift does not send a field that has its default. A zero struct, as new and
// reflect.New make it, would therefore lose the value.
type BenchMessage bench.BenchMessage

var _ thrift.TStruct = (*BenchMessage)(nil)

// Read implements thrift.TStruct.
func (m *BenchMessage) Read(ctx context.Context, p thrift.TProtocol) error {
	*m = BenchMessage(*bench.NewBenchMessage())
	return (*bench.BenchMessage)(m).Read(ctx, p)
}

// Write implements thrift.TStruct.
func (m *BenchMessage) Write(ctx context.Context, p thrift.TProtocol) error {
	return (*bench.BenchMessage)(m).Write(ctx, p)
}
