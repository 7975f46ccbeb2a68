package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShares(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	frameworks := write("bench.txt", `goos: linux
BenchmarkMessage/framework=grpc/transport=h2/codec=protobuf/conc=100-2 100 1 ns/op 30000 client-cpu-ns/op 30000 server-cpu-ns/op
BenchmarkMessage/framework=netrpc/transport=tcp/codec=gob/conc=100-2 100 1 ns/op 10000 client-cpu-ns/op 10000 server-cpu-ns/op
BenchmarkMessage/framework=kitex/transport=pool/codec=thrift/conc=100 100 1 ns/op 5000 client-cpu-ns/op 5000 server-cpu-ns/op
BenchmarkMessage/framework=x/transport=tcp/codec=raw/conc=100-2 100 1 ns/op 1 client-cpu-ns/op 1 server-cpu-ns/op
BenchmarkEcho/framework=grpc/transport=h2/codec=protobuf/conc=100-2 100 1 ns/op 1 client-cpu-ns/op 1 server-cpu-ns/op
`)
	codecs := write("codecs.txt", `BenchmarkCodec/codec=protobuf/msg=bench/op=marshal_fresh-2 100 900 ns/op
BenchmarkCodec/codec=protobuf/msg=bench/op=marshal_fresh-2 100 1100 ns/op
BenchmarkCodec/codec=protobuf/msg=bench/op=unmarshal-2 100 2000 ns/op
BenchmarkCodec/codec=gob/msg=bench/op=marshal_fresh-2 100 50000 ns/op
BenchmarkCodec/codec=gob/msg=bench/op=unmarshal-2 100 50000 ns/op
BenchmarkCodec/codec=gob/msg=bench/op=marshal_fresh/mode=stream-2 100 1000 ns/op
BenchmarkCodec/codec=gob/msg=bench/op=unmarshal/mode=stream-2 100 3000 ns/op
BenchmarkCodec/codec=kitex/msg=bench/op=marshal_fresh-2 100 500 ns/op
BenchmarkCodec/codec=kitex/msg=bench/op=unmarshal-2 100 500 ns/op
`)
	var out bytes.Buffer
	if err := run(frameworks, codecs, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"framework=grpc/transport=h2/codec=protobuf/conc=100 60.0 6.0 10 %",
		"framework=netrpc/transport=tcp/codec=gob/conc=100 20.0 8.0 40 %",
		"framework=kitex/transport=pool/codec=thrift/conc=100 10.0 2.0 20 %",
	} {
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 4 {
		t.Errorf("%d lines, want a head and three: what has no serializer alone is left out\n%s", n, out.String())
	}
	if err := run(codecs, codecs, &out); err == nil {
		t.Error("nothing in common is an error")
	}
}
