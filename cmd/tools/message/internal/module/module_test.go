package module_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
)

func TestModuleHasTheVersionsOfAnother(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	require.NoError(t, module.Put(filepath.Join(root, "a", "b", "go.mod"), []byte(`module example.com/r/a/b

go 1.26.0

tool example.com/d/cmd/d

replace example.com/r/c => ../c

require (
	example.com/d v1.2.3
	example.com/r/c v0.1.0
)
`)))
	require.NoError(t, module.Put(filepath.Join(root, "a", "b", "go.sum"), []byte("sums\n")))
	require.NoError(t, module.Module{Path: "m.own/m", Dir: dir, Root: root, Of: "a/b"}.Write())
	got, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, `module m.own/m

go 1.26.0

replace example.com/r/c => `+root+`/a/c

require (
	example.com/d v1.2.3
	example.com/r/c v0.1.0
	example.com/r/a/b v0.0.0
)

replace example.com/r/a/b => `+root+`/a/b
`, string(got))
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	require.NoError(t, err)
	assert.Equal(t, "sums\n", string(sum))
}

func TestTable(t *testing.T) {
	types := map[string]string{"pb": "Order", "opaque": "Order", "structs": "Order", "msgpack": "Order", "easyjson": "Order", "prutal": "Order"}
	table := module.Table{
		Name: "Order", Module: "m.own/m", Types: types, Refused: map[string]string{"easyjson": "no \"map\""},
		Codecs: module.All(),
	}
	entries := table.Entries()
	assert.Contains(t, entries, "protobuf.Own[pb.Order](suite.Conversion[pb.Order]{})")
	assert.Contains(t, entries, "json.Own(plain.Conversion[structs.Order]())")
	assert.Contains(t, entries, "msgp.Own[msgpackstructs.Order](plain.Conversion[msgpackstructs.Order]())")
	assert.Contains(t, entries, `message.Refused("easyjson", "", "no \"map\"")`)
	assert.Contains(t, entries, `message.Refused("thrift", "", "its structs are generated from .thrift")`)
	assert.Contains(t, table.Imports(), `"github.com/rpcbench/rpcbench/codecs/adapters/json"`)
	assert.NotContains(t, table.Imports(), `"github.com/rpcbench/rpcbench/codecs/adapters/easyjson"`)
	_, err := table.Text()
	assert.NoError(t, err, "it is Go code")
}

func TestBinary(t *testing.T) {
	for _, framework := range module.Frameworks() {
		b := module.Binary{Framework: framework, Module: "m.own/m", Name: "Order", Type: "Order", Field: "seq", ReplyField: "seq"}
		text, err := b.Text()
		require.NoError(t, err)
		assert.Contains(t, string(text), framework+".Sending(message.Protobuf[pb.Order, pb.Order](message.Samples{")
		assert.NotContains(t, string(text), "Replies:")
		b.Reply = "Receipt"
		text, err = b.Text()
		require.NoError(t, err)
		assert.Contains(t, string(text), "message.Protobuf[pb.Order, pb.Receipt]")
		assert.Contains(t, string(text), "Replies: samples.Replies,")
	}
}
