package samples_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/samples"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

const text = `syntax = "proto2";
package p;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
message M {
  optional string id = 1;
  required int64 n = 2;
  repeated M more = 3;
  oneof either { string a = 4; M b = 5; Color c = 6; }
  map<int32, M> named = 7;
  optional group G = 8 { optional bytes data = 1; }
  optional google.protobuf.Timestamp at = 9;
  optional google.protobuf.Value value = 10;
  optional google.protobuf.Any any = 11;
  extensions 100 to 200;
}
enum Color { RED = 1; BLUE = -2; }
extend M { optional string extra = 100; }
message Loop { required Loop loop = 1; }
`

func compile(t *testing.T) *schema.Schema {
	file := filepath.Join(t.TempDir(), "a.proto")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := schema.Compile([]string{file}, nil)
	require.NoError(t, err)
	return s
}

func message(t *testing.T, s *schema.Schema, name string) protoreflect.MessageDescriptor {
	m, err := s.Find(name)
	require.NoError(t, err)
	return m
}

// decode is the messages of a list.
func decode(t *testing.T, s *schema.Schema, list samples.List) (messages []*dynamicpb.Message) {
	for _, data := range list {
		m := dynamicpb.NewMessage(message(t, s, "p.M"))
		require.NoError(t, proto.UnmarshalOptions{Resolver: s.Types()}.Unmarshal(data, m))
		messages = append(messages, m)
	}
	return messages
}

func TestRead(t *testing.T) {
	s := compile(t)
	for _, c := range []struct {
		about string
		files map[string]string
		most  int
		want  []string // in text format
		notes []string
	}{
		{"a message in JSON, by either name of a field", map[string]string{"a.json": `{"n": "1", "named": {"7": {"n": 2}}}`}, 9, []string{`n: 1 named: {key: 7 value: {n: 2}}`}, nil},
		{"an array of them", map[string]string{"a.json": " [{\"n\": 1},\n{\"n\": 2}]"}, 9, []string{"n: 1", "n: 2"}, nil},
		{"one a line", map[string]string{"a.jsonl": "{\"n\": 1}\n\n{\"n\": 2}", "b.ndjson": "{\"n\": 3}\r\n"}, 9, []string{"n: 1", "n: 2", "n: 3"}, nil},
		{"text, with an extension", map[string]string{"a.txtpb": "n: 1 [p.extra]: 'x'", "b.textproto": "n: 2"}, 9, []string{"n: 1 [p.extra]: 'x'", "n: 2"}, nil},
		{
			"bytes, with a field that the schema does not have",
			map[string]string{"a.binpb": "\x10\x01\xf8\x07\x05"},
			9,
			[]string{"n: 1"},
			[]string{"1 of 1 samples have fields that are not in p.M: is it their message?"},
		},
		{
			"bytes, with such a field in a message within",
			map[string]string{"a.binpb": "\x10\x01\x1a\x05\x10\x02\xf8\x07\x05"},
			9,
			[]string{"n: 1 more: {n: 2}"},
			[]string{"1 of 1 samples have fields that are not in p.M: is it their message?"},
		},
		{"an Any", map[string]string{"a.json": `{"n": 1, "any": {"@type": "x/p.M", "n": 2}}`}, 9, []string{"n: 1 any: {[x/p.M]: {n: 2}}"}, nil},
		{"more than are taken", map[string]string{"a.jsonl": "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}"}, 2, []string{"n: 1", "n: 2"}, []string{"the first 2 messages p.M are taken: -n takes more"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
			list, notes, err := samples.Source{Message: message(t, s, "p.M"), Types: s.Types(), Most: c.most}.Read([]string{filepath.Join(dir, "*")})
			require.NoError(t, err)
			assert.Equal(t, c.notes, notes)
			got := decode(t, s, list)
			require.Len(t, got, len(c.want))
			for i, want := range c.want {
				m := dynamicpb.NewMessage(message(t, s, "p.M"))
				require.NoError(t, prototext.UnmarshalOptions{Resolver: s.Types()}.Unmarshal([]byte(want), m))
				known(got[i])
				assert.True(t, proto.Equal(m, got[i]), "%s: %v", want, got[i])
			}
		})
	}
}

// known removes unknown fields of a message, and of those in its list.
func known(m protoreflect.Message) {
	m.SetUnknown(nil)
	more := m.Descriptor().Fields().ByName("more")
	for i := range m.Get(more).List().Len() {
		known(m.Get(more).List().Get(i).Message())
	}
}

func TestWarning(t *testing.T) {
	for _, c := range []struct {
		about string
		list  samples.List
		want  string
	}{
		{"one", samples.List{{1}}, "is one"},
		{"a few that differ", samples.List{{1}, {2}, {1}}, "are only 3"},
		{"many equal ones", slices.Repeat(samples.List{{1}}, 9), "are 9 equal ones"},
		{"many that differ", append(slices.Repeat(samples.List{{1}}, 8), []byte{2}), ""},
	} {
		assert.Equal(t, c.want, c.list.Warning(), c.about)
	}
}

func TestFill(t *testing.T) {
	s := compile(t)
	f := samples.Filler{Message: message(t, s, "p.M"), Seed: 1, Least: 2, Most: 5}
	list, err := f.Fill(100)
	require.NoError(t, err)
	again, err := f.Fill(100)
	require.NoError(t, err)
	assert.Equal(t, list, again, "the same seed makes the same messages")
	n, cases := 0, map[protoreflect.Name]int{}
	for _, m := range decode(t, s, list) {
		fields, oneofs := m.Descriptor().Fields(), m.Descriptor().Oneofs()
		if id := fields.ByName("id"); m.Has(id) {
			n++
			assert.GreaterOrEqual(t, len(m.Get(id).String()), 2)
			assert.LessOrEqual(t, len(m.Get(id).String()), 5)
		}
		cases[m.WhichOneof(oneofs.ByName("either")).Name()]++
		assert.LessOrEqual(t, m.Get(fields.ByName("more")).List().Len(), 4)
		assert.LessOrEqual(t, depth(m), 4)
	}
	assert.InDelta(t, 75, n, 25, "a field with presence is in 3 of 4")
	assert.InDelta(t, 33, cases["a"], 20, "cases are as many as each other: %v", cases)
	assert.InDelta(t, 33, cases["b"], 20, "cases are as many as each other: %v", cases)
}

// depth is how deep messages are within a message, without entries of maps.
func depth(m protoreflect.Message) (deepest int) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				deepest = max(deepest, 1+depth(v.Message()))
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				deepest = max(deepest, 1+depth(v.List().Get(i).Message()))
			}
		case !f.IsMap() && f.Message() != nil:
			deepest = max(deepest, 1+depth(v.Message()))
		}
		return true
	})
	return deepest
}

func TestFillEnds(t *testing.T) {
	s := compile(t)
	_, err := samples.Filler{Message: message(t, s, "p.Loop"), Seed: 1, Least: 1, Most: 1}.Fill(1)
	assert.ErrorContains(t, err, "required field p.Loop.loop not set", "no message is complete that requires itself")
}

// TestFillHasABound takes as much memory as it.
func TestFillHasABound(t *testing.T) {
	s := compile(t)
	_, err := samples.Filler{Message: message(t, s, "p.M"), Seed: 1, Least: 1 << 20, Most: 1 << 20}.Fill(1 << 20)
	assert.EqualError(t, err, "the 1048576 messages p.M that are made have over 256 MiB: take fewer with -n, or shorter ones with -fill")
}
