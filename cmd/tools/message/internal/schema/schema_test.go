package schema_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

// compile compiles files, of which a.proto is the one that is given.
func compile(t *testing.T, files map[string]string) *schema.Schema {
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	s, err := schema.Compile([]string{filepath.Join(dir, "a.proto")}, nil)
	require.NoError(t, err)
	return s
}

// closure is what messages of files need.
func closure(t *testing.T, files map[string]string, names ...string) *schema.Closure {
	s := compile(t, files)
	var messages []protoreflect.MessageDescriptor
	for _, name := range names {
		m, err := s.Find(name)
		require.NoError(t, err)
		messages = append(messages, m)
	}
	c, err := s.Closure(messages...)
	require.NoError(t, err)
	return c
}

// descriptors are the files of a package, which must be valid.
func descriptors(t *testing.T, c *schema.Closure) (names []string, generated []*descriptorpb.FileDescriptorProto) {
	request := c.Package("own", "m.own/own").Request
	files, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: request.ProtoFile})
	require.NoError(t, err)
	for _, file := range request.ProtoFile {
		names = append(names, file.GetName())
	}
	for _, name := range request.FileToGenerate {
		file, err := files.FindFileByPath(name)
		require.NoError(t, err)
		generated = append(generated, protodesc.ToFileDescriptorProto(file))
	}
	return names, generated
}

func TestPackageHasWhatAMessageNeeds(t *testing.T) {
	const syntax = "syntax = \"proto3\";\npackage p;\n"
	for _, c := range []struct {
		about string
		files map[string]string
		want  []string // messages, with those within them
	}{
		{"other messages are left out", map[string]string{"a.proto": syntax + "message M { A a = 1; }\nmessage A {}\nmessage B {}\n"}, []string{"M", "A"}},
		{"recursion ends", map[string]string{"a.proto": syntax + "message M { map<string, A> a = 1; }\nmessage A { M m = 1; }\n"}, []string{"M", "M.AEntry", "A"}},
		{"what is around a message stays, without its fields", map[string]string{"a.proto": syntax + "message M { A.B b = 1; }\nmessage A { message B {} message C {} D d = 1; }\nmessage D {}\n"}, []string{"M", "A", "A.B"}},
		{"imports that nothing needs are left out", map[string]string{"a.proto": syntax + "import \"b.proto\";\nmessage M {}\nmessage N { B b = 1; }\n", "b.proto": syntax + "message B {}\n"}, []string{"M"}},
		{"imports bring what they need", map[string]string{"a.proto": syntax + "import \"b.proto\";\nmessage M { B b = 1; }\n", "b.proto": syntax + "import public \"c.proto\";\nmessage B { C c = 1; }\n", "c.proto": syntax + "message C {}\nmessage D {}\n"}, []string{"C", "B", "M"}},
		{"two packages have one name", map[string]string{"a.proto": syntax + "import \"b.proto\";\nmessage M { q.M m = 1; }\n", "b.proto": "syntax = \"proto3\";\npackage q;\nmessage M {}\n"}, []string{"M", "M_2"}},
		{"extensions come along", map[string]string{"a.proto": "syntax = \"proto2\";\npackage p;\nmessage M { extensions 1 to 9; }\nmessage X {}\nmessage Y { extend M { optional X x = 1; } }\n"}, []string{"M", "X", "Y"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, files := descriptors(t, closure(t, c.files, "p.M"))
			var got []string
			for _, file := range files {
				got = append(got, names("", file.MessageType)...)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func names(scope string, list []*descriptorpb.DescriptorProto) (all []string) {
	for _, m := range list {
		all = append(all, scope+m.GetName())
		all = append(all, names(scope+m.GetName()+".", m.NestedType)...)
	}
	return all
}

func TestPackageLeavesOutOptions(t *testing.T) {
	files, generated := descriptors(t, closure(t, map[string]string{"a.proto": `edition = "2023";
package p;
import "google/protobuf/descriptor.proto";
import "google/protobuf/go_features.proto";
import "google/protobuf/timestamp.proto";
option go_package = "example.com/users/own";
option features.(pb.go).api_level = API_OPAQUE;
option features.field_presence = IMPLICIT;
extend google.protobuf.FieldOptions { Note note = 50000; }
message Note { string text = 1; }
message M { repeated int32 a = 1 [(note) = {text: "x"}, features.repeated_field_encoding = EXPANDED]; google.protobuf.Timestamp t = 2; }
service S { rpc Do(M) returns (M); }
`}, "p.M"))
	assert.Equal(t, []string{"google/protobuf/timestamp.proto", "own/file3.proto"}, files)
	file := generated[0]
	assert.Equal(t, `go_package:"m.own/own" features:{field_presence:IMPLICIT}`, spaced(file.Options.String()))
	assert.Equal(t, `features:{repeated_field_encoding:EXPANDED}`, spaced(file.MessageType[0].Field[0].Options.String()))
	assert.Equal(t, []string{"google/protobuf/timestamp.proto"}, file.Dependency)
	assert.Empty(t, file.Service)
	assert.Empty(t, file.Extension)
}

// spaced is the text of a message, whose spaces differ from program to program.
func spaced(text string) string {
	return string(regexp.MustCompile(` +`).ReplaceAll([]byte(text), []byte(" ")))
}

func TestMessagesBeginWithThoseAskedFor(t *testing.T) {
	c := closure(t, map[string]string{"a.proto": "syntax = \"proto3\";\nmessage M { A a = 1; map<int32, A> m = 2; }\nmessage A {}\nmessage R {}\n"}, "M", "R")
	list, err := c.Package("own", "m.own/own").Messages(c)
	require.NoError(t, err)
	var got []string
	for _, m := range list {
		got = append(got, m.GoIdent.GoName)
	}
	assert.Equal(t, []string{"M", "R", "A"}, got)
}
