package plain_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/compiler/protogen"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/idl"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/plain"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

// messages are those that the first message of a schema needs.
func messages(t *testing.T, text string) []*protogen.Message {
	file := filepath.Join(t.TempDir(), "a.proto")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := schema.Compile([]string{file}, nil)
	require.NoError(t, err)
	m, err := s.Find("func.M")
	require.NoError(t, err)
	c, err := s.Closure(m)
	require.NoError(t, err)
	list, err := c.Package("own", "m.own/own").Messages(c)
	require.NoError(t, err)
	return list
}

const head = "edition = \"2023\";\npackage func;\nimport \"google/protobuf/timestamp.proto\";\noption features.field_presence = IMPLICIT;\n"

func TestSource(t *testing.T) {
	for _, c := range []struct {
		about, fields string // of message M
		want          string // the struct's
	}{
		{
			"values without presence", "string type = 1; bool range = 2; bytes map = 3; sint32 select = 4; fixed64 go = 5;",
			"\tType string `json:\"type\"`\n\tRange bool `json:\"range\"`\n\tMap []byte `json:\"map\"`\n\tSelect int32 `json:\"select\"`\n\tGo uint64 `json:\"go\"`\n",
		},
		{
			"values with presence", "string a = 1 [features.field_presence = EXPLICIT]; bytes b = 2 [features.field_presence = EXPLICIT];",
			"\tA *string `json:\"a,omitempty\"`\n\tB []byte `json:\"b,omitempty\"`\n",
		},
		{
			"required values", "string a = 1 [features.field_presence = LEGACY_REQUIRED]; N n = 2 [features.field_presence = LEGACY_REQUIRED];",
			"\tA string `json:\"a\"`\n\tN *N `json:\"n,omitempty\"`\n",
		},
		{
			"lists and maps", "repeated double a = 1; repeated N n = 2; map<bool, N> m = 3; map<string, bytes> b = 4; repeated E e = 5;",
			"\tA []float64 `json:\"a,omitempty\"`\n\tN []N `json:\"n,omitempty\"`\n\tM map[bool]N `json:\"m,omitempty\"`\n\tB map[string][]byte `json:\"b,omitempty\"`\n\tE []int32 `json:\"e,omitempty\"`\n",
		},
		{
			"the cases of a oneof", "oneof o { float a = 1; E e = 2; N n = 3; bytes b = 4; }",
			"\tA *float32 `json:\"a,omitempty\"`\n\tE *int32 `json:\"e,omitempty\"`\n\tN *N `json:\"n,omitempty\"`\n\tB []byte `json:\"b,omitempty\"`\n",
		},
		{
			"messages, of which one is recursive and one well known", "M m = 1; google.protobuf.Timestamp t = 2; N.T n = 3;",
			"\tM *M `json:\"m,omitempty\"`\n\tT *Timestamp `json:\"t,omitempty\"`\n\tN *N_T `json:\"n,omitempty\"`\n",
		},
		{
			"a name of a method of another field", "int32 foo_bar = 1; int32 get_foo_bar = 2;",
			"\tFooBar int32 `json:\"foo_bar\"`\n\tGetFooBar_ int32 `json:\"get_foo_bar\"`\n",
		},
		{
			"names of methods", "int32 reset = 1; int32 marshal_msg = 2; int32 msgsize = 3; int32 Marshal_easyJSON = 4;",
			"\tReset_ int32 `json:\"reset\"`\n\tMarshalMsg_ int32 `json:\"marshal_msg\"`\n\tMsgsize_ int32 `json:\"msgsize\"`\n\tMarshalEasyJSON_ int32 `json:\"Marshal_easyJSON\"`\n",
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			list := messages(t, head+"message M { "+c.fields+" }\nmessage N { message T {} }\nenum E { A = 0; }\n")
			text, err := plain.Source("structs", "", list)
			require.NoError(t, err)
			assert.Contains(t, unaligned(string(text)), "type M struct {\n"+c.want+"}\n")
			assert.Equal(t, "M", plain.TypeName(list[0], list))
		})
	}
}

// unaligned is Go code without the spaces that align it.
func unaligned(text string) string { return regexp.MustCompile(` +`).ReplaceAllString(text, " ") }

func TestReset(t *testing.T) {
	list := messages(t, head+"message M { string id = 1; repeated N n = 2; map<string, N> m = 3; repeated int32 i = 4; repeated string s = 5; bytes b = 6; M more = 7; }\nmessage N {}\n")
	text, err := plain.Source("structs", "//msgp:tag json", list)
	require.NoError(t, err)
	assert.Contains(t, string(text), `func (m *M) Reset() {
	for i := range m.N[:cap(m.N)] {
		m.N[:cap(m.N)][i].Reset()
	}
	clear(m.M)
	clear(m.S[:cap(m.S)])
	*m = M{N: m.N[:0], M: m.M, I: m.I[:0], S: m.S[:0], B: m.B[:0]}
}
`)
	assert.Contains(t, string(text), "package structs\n\n//msgp:tag json\n")
}

func TestText(t *testing.T) {
	list := messages(t, head+`message M {
  string a = 1; int32 b = 2 [features.field_presence = EXPLICIT];
  repeated int32 p = 3; repeated int32 e = 4 [features.repeated_field_encoding = EXPANDED];
  oneof o { N.T t = 5; E x = 6; } map<int32, N.T> m = 7;
}
message N { message T {} }
enum E { A = 0; }
`)
	text, err := idl.Source("m.own/prutal", list)
	require.NoError(t, err)
	assert.Equal(t, `edition = "2023";
package own;
option go_package = "m.own/prutal";
message M {
	string a = 1 [features.field_presence = IMPLICIT];
	int32 b = 2;
	repeated int32 p = 3;
	repeated int32 e = 4 [features.repeated_field_encoding = EXPANDED];
	oneof o {
		NT t = 5;
		int32 x = 6;
	}
	map<int32, NT> m = 7;
}
message NT {
}
`, text)
	assert.Equal(t, "M", idl.Name(list))
	_, err = idl.Source("m.own/prutal", messages(t, head+"message M { N n = 1 [features.message_encoding = DELIMITED]; }\nmessage N {}\n"))
	assert.EqualError(t, err, "M.n is a group")
}
