package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shop = `syntax = "proto3";
package shop.v1;
message Order { string id = 1; fixed64 seq = 2; repeated Item items = 3; string note = 4; }
message Item { string name = 1; double price = 2; }
message Receipt { string id = 1; int64 total = 2; }
enum Color { RED = 0; }
service Shop { rpc Buy(Order) returns (Receipt); }
`

// put writes files below a directory.
func put(t *testing.T, dir string, files map[string]string) {
	for name, text := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// many is a schema of messages, each of which has the next one in it.
func many(n int) string {
	text := "syntax = \"proto3\";\n"
	for i := range n {
		text += fmt.Sprintf("message M%d { M%d next = 1; }\n", i, i+1)
	}
	return text + fmt.Sprintf("message M%d {}\n", n)
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		about string
		files map[string]string
		args  string // after -proto=order.proto -message=shop.v1.Order, which they may replace
		want  string // what is said, with DIR for the directory
	}{
		{"no such flag", nil, "-sample=x", "unknown flag -sample; did you mean -samples?"},
		{"a pattern that the shell has taken apart", nil, "a.json", "a.json is no flag, and no command with {} for the binaries: quote a pattern, so that the shell leaves it as it is"},
		{"no file", nil, "-proto=", "-proto is missing: the .proto files that declare the message"},
		{"a file that is not there", nil, "-proto=oder.proto", "-proto: stat DIR/oder.proto: no such file or directory: a path is relative to the directory where make runs"},
		{"a directory", nil, "-proto=.", "-proto: DIR is a directory, not a file"},
		{
			"a schema that does not compile",
			map[string]string{"a.proto": "syntax = \"proto3\";\nmessage A {\n  strin id = 1;\n}\n"},
			"-proto=a.proto",
			"a.proto:3:3: field A.id: unknown type strin: correct it so that protoc takes the file",
		},
		{
			"a schema with a slip of the pen",
			map[string]string{"a.proto": "syntax = \"proto3\";\nmessage A {\n  string id = 1\n}\n"},
			"-proto=a.proto",
			"a.proto:4:1: syntax error: expecting ';': correct it so that protoc takes the file",
		},
		{
			"an import that is nowhere",
			map[string]string{"a.proto": "syntax = \"proto3\";\nimport \"shop/b.proto\";\n"},
			"-proto=a.proto",
			"a.proto:2:8: shop/b.proto is in none of DIR: add the directory that it is below with -I (IMPORTS)",
		},
		{
			"imports in a circle",
			map[string]string{"a.proto": "syntax = \"proto3\";\nimport \"b.proto\";\n", "b.proto": "syntax = \"proto3\";\nimport \"a.proto\";\n"},
			"-proto=a.proto",
			"b.proto:2:8: cycle found in imports: \"b.proto\" -> \"a.proto\" -> \"b.proto\": move what both need to a file of its own",
		},
		{
			"a file outside of the imports",
			map[string]string{"in/a.proto": shop},
			"-I=in",
			"DIR/order.proto is in none of the directories of -I (IMPORTS), DIR/in: add the one that imports begin at",
		},
		{"a message that is not there", nil, "-message=shop.v1.Ordre", "there is no message shop.v1.Ordre: did you mean shop.v1.Order?"},
		{"a message without its package", nil, "-message=Order", "there is no message Order: did you mean shop.v1.Order?"},
		{"a message unlike all others", nil, "-message=zzzzzzzzzz", "there is no message zzzzzzzzzz: there is shop.v1.Order, shop.v1.Item, shop.v1.Receipt"},
		{"an enum", nil, "-message=shop.v1.Color", "shop.v1.Color is no message, but an enum"},
		{"a service", nil, "-message=shop.v1.Shop", "shop.v1.Shop is no message, but a service"},
		{"a reply that is not there", nil, "-reply=shop.v1.Receip", "there is no message shop.v1.Receip: did you mean shop.v1.Receipt?"},
		{
			"a message of 5,001 messages",
			map[string]string{"m.proto": many(5000)},
			"-proto=m.proto -message=M0",
			"M0 has 5001 messages within it: more than 1000 are not generated, so take a message that needs fewer",
		},
		{
			"a schema that protoc-gen-go does not take",
			map[string]string{"a.proto": "syntax = \"proto2\";\nenum E { A = 1; }\nmessage M { map<string, E> m = 1; }\n"},
			"-proto=a.proto -message=M",
			"the schema is not valid: message field \"M.m\" is an invalid map: map enum value must have zero number for the first value",
		},
		{"a glob that matches nothing", nil, "-samples=*.jsn", "-samples=DIR/*.jsn matches no file: quote the pattern, so that the shell leaves it as it is, and see what DIR has"},
		{"a glob that is none", nil, "-samples=[", "-samples=DIR/[: syntax error in pattern: quote what is not meant as a pattern with a backslash"},
		{"a directory as a sample", map[string]string{"d.json/x": ""}, "-samples=*.json", "DIR/d.json is a directory, not a file"},
		{
			"a sample of an unknown kind",
			map[string]string{"a.yaml": "id: a"},
			"-samples=*.yaml",
			"DIR/a.yaml: the name of a sample ends in .json, .jsonl, .ndjson, .txtpb, .textproto or .binpb, which says how it is written",
		},
		{"an unknown field", map[string]string{"a.json": "{\n  \"ID\": \"a\"\n}"}, "-samples=a.json", "DIR/a.json:2:3: unknown field \"ID\": did you mean id?"},
		{"an unknown field unlike all others", map[string]string{"a.json": "{\n  \"somewhat\": \"a\"\n}"}, "-samples=a.json", "DIR/a.json:2:3: unknown field \"somewhat\": leave it out, or add it to shop.v1.Order"},
		{"an unknown field of an element", map[string]string{"a.json": "[\n  {\"id\": \"a\"},\n  {\"items\": [\n    {\"nam\": \"b\"}]}\n]"}, "-samples=a.json", "DIR/a.json:4:6: unknown field \"nam\": did you mean name?"},
		{
			"a wrong type in a line",
			map[string]string{"a.jsonl": "{\"id\": \"a\"}\n\n{\"id\": 1}\n"},
			"-samples=a.jsonl",
			"DIR/a.jsonl:3:8: invalid value for string field id: 1: a sample is one shop.v1.Order in the form that the end of its name says",
		},
		{
			"text that is no JSON",
			map[string]string{"a.json": "id: \"a\""},
			"-samples=a.json",
			"DIR/a.json:1:1: syntax error: invalid value id: a sample is one shop.v1.Order in the form that the end of its name says",
		},
		{
			"an array that ends early",
			map[string]string{"a.json": "[\n{},"},
			"-samples=a.json",
			"DIR/a.json:2: unexpected end of JSON input: a sample is one shop.v1.Order in the form that the end of its name says",
		},
		{"an unknown field in text format", map[string]string{"a.txtpb": "id: \"a\"\nnot: \"b\""}, "-samples=a.txtpb", "DIR/a.txtpb:2:1: unknown field: not: did you mean note?"},
		{
			"bytes that are no message",
			map[string]string{"a.binpb": "\xff\xff"},
			"-samples=a.binpb",
			"DIR/a.binpb: cannot parse invalid wire-format data: a sample is one shop.v1.Order in the form that the end of its name says",
		},
		{"no message in a file", map[string]string{"a.jsonl": "\n"}, "-samples=a.jsonl", "DIR/a.jsonl: no message is in there"},
		{"samples of no reply", nil, "-reply-samples=x", "-reply-samples are of no message: name it with -reply (REPLY)"},
		{
			"a field that is a list", nil, "-field=items",
			"-field=items cannot hold the number of a call, which takes a number, a string or bytes, outside of lists, maps and oneofs: shop.v1.Order has id, seq, note",
		},
		{"a field that is not there", nil, "-field=sec", "-field=sec is no field of shop.v1.Order: did you mean seq?"},
		{
			"a reply without such a field", nil, "-reply=shop.v1.Receipt -field=seq",
			"-field=seq is no field of shop.v1.Receipt: there are id, total",
		},
		{"an unknown serializer", nil, "-codecs=protobuff", "-codecs: protobuff is no serializer: did you mean protobuf?"},
		{"an unknown framework", nil, "-frameworks=grpcc", "-frameworks: grpcc is no framework that sends any message: did you mean grpc?"},
		{"a framework with messages of its own", nil, "-frameworks=grpc,tars", "-frameworks: tars cannot send the message: its structs are generated from .tars"},
		{"nothing", nil, "-frameworks=none -codecs=none", "-codecs=none and -frameworks=none leave nothing to measure"},
		{"lengths without a unit", nil, "-fill=8..64", "-fill=8..64: must be two lengths of strings up to 1048576, as in 8..64B"},
		{"no messages", nil, "-n=0", "-n=0: must be at least 1, and at most 1048576"},
		{"another directory", nil, "-root=.", "-root=DIR is not rpcbench's directory: stat DIR/codecs/adapters/go.mod: no such file or directory"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, c.files)
			refuses(t, dir, c.args, c.want)
		})
	}
}

// refuses runs the command in a directory of files. It must say one sentence, with DIR for the
// directory, and make nothing.
func refuses(t *testing.T, dir, args, want string) {
	put(t, dir, map[string]string{"order.proto": shop})
	var out, said bytes.Buffer
	assert.Equal(t, badInput, run(append(given(t, dir), strings.Fields(args)...), &out, &said))
	assert.Equal(t, "message: "+want+"\n", strings.ReplaceAll(said.String(), dir, "DIR"))
	assert.Empty(t, out.String())
	assert.NoDirExists(t, dir+"/cache")
}

// given are the flags of a message in order.proto in a directory.
func given(t *testing.T, dir string) []string {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return []string{"-dir=" + dir, "-root=" + root, "-cache=" + dir + "/cache", "-proto=order.proto", "-message=shop.v1.Order"}
}

func TestLargeSamples(t *testing.T) {
	for _, c := range []struct {
		about string
		sizes []int64 // of files, which have holes alone
		want  string
	}{
		{"one of 200 MB", []int64{1, 200e6}, "DIR/1.binpb has 200000000 bytes: more than 64 MiB are not read"},
		{"five of 60 MB", []int64{60e6, 60e6, 60e6, 60e6, 60e6}, "the samples have over 256 MiB: take fewer of them"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			for i, size := range c.sizes {
				name := fmt.Sprintf("%d.binpb", i)
				put(t, dir, map[string]string{name: ""})
				require.NoError(t, os.Truncate(filepath.Join(dir, name), size))
			}
			refuses(t, dir, "-samples=*.binpb", c.want)
		})
	}
}

// TestPrintDir has a file below a directory of imports, as protoc takes it.
func TestPrintDir(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"in/order.proto": shop})
	var out, said bytes.Buffer
	require.Zero(t, run(append(given(t, dir), "-print-dir", "-I=in"), &out, &said), said.String())
	assert.Regexp(t, "^"+dir+"/cache/order-[0-9a-f]{16}\n$", out.String())
	assert.NoDirExists(t, dir+"/cache")
}

// TestBuild is what make bench-message does, with programs that are quick to build.
// Slow: it builds a program of two serializers, and one of a framework.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"order.proto": shop, "a.json": `[{"id": "a", "seq": 1, "items": [{"name": "b", "price": 2}]}, {}]`, "b.json": `{"id": "c"}`})
	var out, said bytes.Buffer
	args := append(given(t, dir), "-samples=a.json", "-reply=shop.v1.Receipt", "-reply-samples=b.json", "-field=seq:total", "-codecs=json protobuf thrift", "-frameworks=ttrpc")
	require.Zero(t, run(args, &out, &said), said.String())
	made := strings.TrimSpace(out.String())
	lines := linesOf(t, filepath.Join(made, "codecs.test"), "-test.bench=^BenchmarkCodec$/./msg=Order/op=marshal$")
	assert.Contains(t, lines, "BenchmarkCodec/codec=protobuf/msg=Order/op=marshal")
	assert.Contains(t, lines, "BenchmarkCodec/codec=json/msg=Order/op=marshal")
	assert.Regexp(t, "(?m)^# refuses: msg=Order: thrift: .*its structs are generated from .thrift$", lines)
	lines = linesOf(t, filepath.Join(made, "ttrpc.test"), "-test.bench=^Benchmark(Message|Count)$/./././msg=Order", "-conc=1")
	assert.Contains(t, lines, "BenchmarkMessage/framework=ttrpc/transport=tcp/codec=protobuf/msg=Order/conc=1")
	assert.Contains(t, lines, "BenchmarkCount/framework=ttrpc/transport=tcp/codec=protobuf/msg=Order")
	assert.NotContains(t, lines, "# samples: msg=Order: no field")
}

// linesOf are what a binary prints of benchmarks.
func linesOf(t *testing.T, binary string, args ...string) string {
	cmd := exec.Command(binary, append(args, "-test.run=^$", "-test.benchtime=1x")...)
	cmd.Dir = filepath.Dir(binary)
	lines, err := cmd.CombinedOutput()
	require.NoError(t, err, string(lines))
	return string(lines)
}
