package grpcload_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/metadata"

	"github.com/rpcbench/rpcbench/loadgen/grpcload"
)

// TestReadFile: each line is a target.
func TestReadFile(t *testing.T) {
	path := written(t, "targets", `
# all of one
{"method": "a.B/C", "request": {"d": 1}, "metadata": {"K": "v"}, "name": "e"}

{"method": "a.B/F"}
`)
	targets, err := grpcload.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, []grpcload.Target{
		{Method: "a.B/C", Request: `{"d": 1}`, Metadata: metadata.Pairs("k", "v"), Name: "e", Where: path + ":3"},
		{Method: "a.B/F", Where: path + ":5"},
	}, targets)
}

// TestWrongFile: a line that is wrong is named.
func TestWrongFile(t *testing.T) {
	const like = `not a target, as in {"method": "package.Service/Method", "request": {}}: `
	for _, c := range []struct{ about, text, says string }{
		{"no line", "# none\n", " has no targets"},
		{"no JSON", "\nGET /\n", ":2: " + like + "invalid character 'G' looking for beginning of value"},
		{"cut off", `{"method":`, ":1: " + like + "unexpected EOF"},
		{"a key", `{"url": "x"}`, ":1: " + like + `json: unknown field "url"`},
		{"two of a line", `{"method": "a"} {"method": "b"}`, ":1: something stands behind the target"},
	} {
		t.Run(c.about, func(t *testing.T) {
			path := written(t, "targets", c.text)
			_, err := grpcload.ReadFile(path)
			require.Error(t, err)
			assert.Equal(t, "grpcload: PATH"+c.says, strings.ReplaceAll(err.Error(), path, "PATH"))
		})
	}
	_, err := grpcload.ReadFile("none")
	assert.EqualError(t, err, "grpcload: targets: open none: no such file or directory")
}
