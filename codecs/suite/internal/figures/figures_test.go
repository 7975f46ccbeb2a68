package figures

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func fileOf(t *testing.T, lines string) string {
	file := filepath.Join(t.TempDir(), "lines.txt")
	require.NoError(t, os.WriteFile(file, []byte(lines), 0o644))
	return file
}

func figuresOf(t *testing.T, lines string) Figures {
	f, err := read(fileOf(t, lines))
	require.NoError(t, err)
	return f
}

// Lines that were measured otherwise are no rounds of one figure.
func TestFiguresOfLinesThatDiffer(t *testing.T) {
	const line = "BenchmarkCodec/codec=a/msg=bench/op=marshal-2 100 1000 cpu-ns/op\n"
	for about, c := range map[string]struct{ lines, want string }{
		"rounds on two days":        {"date: 1\ncpu: A\n" + line + "date: 2\ncpu: A\n" + line, ""},
		"procs of a message":        {line + strings.Replace(line, "-2", "-8", 1), "lines of Codec/codec=a/msg=bench/op=marshal differ in GOMAXPROCS: 2 and 8: measure them again, in one run"},
		"procs of what is parallel": {strings.ReplaceAll(line+strings.Replace(line, "-2", "-8", 1), "Codec/", "Parallel/"), ""},
		"versions":                  {"a: v1.0.0\n" + line + "a: v1.1.0\n" + line, "lines of Codec/codec=a/msg=bench/op=marshal differ in a: v1.0.0 and v1.1.0: measure them again, in one run"},
		"machines":                  {"cpu: A\n" + line + "cpu: B\n" + line, "lines of Codec/codec=a/msg=bench/op=marshal differ in cpu: A and B: measure them again, in one run"},
		"packages":                  {"pkg: A\n" + line + "pkg: B\n" + line, "lines of Codec/codec=a/msg=bench/op=marshal differ in pkg: A and B: measure them again, in one run"},
		"settings":                  {"gogc: 100\n" + line + "gogc: off\n" + line, "lines of Codec/codec=a/msg=bench/op=marshal differ in gogc: 100 and off: measure them again, in one run"},
		"packages of two names":     {"pkg: A\n" + line + "pkg: B\n" + strings.Replace(line, "marshal", "unmarshal", 1), ""},
	} {
		file := fileOf(t, c.lines)
		_, err := read(file)
		if c.want == "" {
			assert.NoError(t, err, about)
			continue
		}
		assert.EqualError(t, err, file+": "+c.want, about)
	}
}

func TestShares(t *testing.T) {
	f := figuresOf(t, `date: 2026-11-21
BenchmarkMessage/framework=grpc/transport=h2/codec=protobuf/conc=1-2 100 1 ns/op 30000 client-cpu-ns/op 30000 server-cpu-ns/op
BenchmarkMessage/framework=grpc/transport=h2/codec=gob/conc=1-2 100 1 ns/op 300000 client-cpu-ns/op 100000 server-cpu-ns/op
BenchmarkMessage/framework=netrpc/transport=tcp/codec=gob/conc=1-2 100 1 ns/op 10000 client-cpu-ns/op 10000 server-cpu-ns/op
BenchmarkMessage/framework=kitex/transport=pool/codec=thrift/conc=1 100 1 ns/op 5000 client-cpu-ns/op 5000 server-cpu-ns/op
BenchmarkMessage/framework=x/transport=tcp/codec=raw/conc=1-2 100 1 ns/op 1 client-cpu-ns/op 1 server-cpu-ns/op
BenchmarkEcho/framework=grpc/transport=h2/codec=protobuf/conc=1-2 100 1 ns/op 1 client-cpu-ns/op 1 server-cpu-ns/op
BenchmarkCodec/codec=protobuf/msg=bench/op=marshal_fresh-2 100 1 ns/op 900 cpu-ns/op
BenchmarkCodec/codec=protobuf/msg=bench/op=marshal_fresh-2 100 1 ns/op 1100 cpu-ns/op
BenchmarkCodec/codec=protobuf/msg=bench/op=unmarshal-2 100 1 ns/op 2000 cpu-ns/op
BenchmarkCodec/codec=gob/msg=bench/op=marshal_fresh-2 100 1 ns/op 50000 cpu-ns/op
BenchmarkCodec/codec=gob/msg=bench/op=unmarshal-2 100 1 ns/op 50000 cpu-ns/op
BenchmarkCodec/codec=gob/msg=bench/op=marshal_fresh/mode=stream-2 100 1 ns/op 1000 cpu-ns/op
BenchmarkCodec/codec=gob/msg=bench/op=unmarshal/mode=stream-2 100 1 ns/op 3000 cpu-ns/op
BenchmarkCodec/codec=kitex/msg=bench/op=marshal_fresh-2 100 1 ns/op 500 cpu-ns/op
BenchmarkCodec/codec=kitex/msg=bench/op=unmarshal-2 100 1 ns/op 500 cpu-ns/op
`)
	assert.Equal(t, "2026-11-21", f.Config["date"])
	assert.Equal(t, []string{
		"| framework=grpc/transport=h2/codec=gob/conc=1 | 400.0 | 200.0 | 50 % |",
		"| framework=grpc/transport=h2/codec=protobuf/conc=1 | 60.0 | 6.0 | 10 % |",
		"| framework=kitex/transport=pool/codec=thrift/conc=1 | 10.0 | 2.0 | 20 % |",
		"| framework=netrpc/transport=tcp/codec=gob/conc=1 | 20.0 | 8.0 | 40 % |",
	}, strings.Split(f.ShareTable(), "\n")[2:], "what has no serializer alone is left out")
}

func TestParallelTable(t *testing.T) {
	f := figuresOf(t, `BenchmarkParallel/codec=a/msg=bench/op=marshal_fresh 100 1000 cpu-ns/op
BenchmarkParallel/codec=a/msg=bench/op=marshal_fresh-2 100 1500 cpu-ns/op
BenchmarkParallel/codec=a/msg=bench/op=unmarshal/mode=other 100 1 cpu-ns/op
BenchmarkParallel/codec=a/msg=bench/op=unmarshal 100 2000 cpu-ns/op
BenchmarkParallel/codec=a/msg=bench/op=unmarshal-2 100 2000 cpu-ns/op
`)
	codecs := []Codec{{ID: "a", Name: "a"}, {ID: "notmeasured", Name: "notmeasured"}}
	assert.Equal(t, []string{
		"| serializer | marshal_fresh, procs=1 | marshal_fresh, procs=2 | grows | unmarshal, procs=1 | unmarshal, procs=2 | grows |",
		"|---|---|---|---|---|---|---|",
		"| a | 1000 | 1500 | × 1.50 | 2000 | 2000 | × 1.00 |",
	}, strings.Split(f.ParallelTable(codecs, []bed.Operation{bed.MarshalFresh, bed.Unmarshal}), "\n"))
}

func TestFigures(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	f := figuresOf(t, "key: a value: b\nnot a key: x\r\n"+long+"\nBenchmarkCodec/codec=a-2 10 5 ns/op\r\nBenchmarkCodec/codec=a-2 10 7 ns/op\n"+
		"BenchmarkCodec/codec=b 10 5 ns/op 4 B/op\nBenchmarkCodec/codec=c\nBenchmarkShort 1 2\nBenchmarkCodec/codec=d 10 many ns/op 3 B/op 9\n")
	assert.Equal(t, map[string]string{"key": "a value: b"}, f.Config)
	assert.Equal(t, map[string]map[string][]float64{
		"Codec/codec=a": {"ns/op": {5, 7}}, "Codec/codec=b": {"ns/op": {5}, "B/op": {4}}, "Codec/codec=d": {"B/op": {3}},
	}, f.values)
	assert.Equal(t, 6.0, f.median("Codec/codec=a", "ns/op"))
	assert.Zero(t, f.median("Codec/codec=a", "B/op"))
	assert.Equal(t, map[string]bool{"a": true, "b": true, "d": true}, f.codecs())
	delete(f.values, "Codec/codec=d")
	assert.Equal(t, 1, f.Rounds("ns/op"))
	assert.Equal(t, "2", keyOf("A/codec=a/procs=2", "procs"))
	assert.Empty(t, keyOf("A/codec=a", "procs"))
	_, err := read("none")
	assert.ErrorContains(t, err, "none")
	for _, row := range []struct{ full, name, procs string }{{"A-16", "A", "16"}, {"A", "A", "1"}, {"A-b", "A-b", "1"}, {"-3", "", "3"}} {
		name, procs := cutProcs(row.full)
		assert.Equal(t, []string{row.name, row.procs}, []string{name, procs})
	}
}

func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	_, err := read(dir)
	assert.EqualError(t, err, dir+" is a directory, not a file")
	large := filepath.Join(dir, "large.txt")
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, 5<<30)) // with no block on the disk
	_, err = read(large)
	assert.ErrorContains(t, err, "more than 64 MiB are not read")
}
