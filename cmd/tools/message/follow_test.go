package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
)

// TestTheCommandHasTheBinaries that were built, in its place for them.
func TestTheCommandHasTheBinaries(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"codecs.test", "grpc.test", "rpcx.test"} {
		require.NoError(t, module.Put(filepath.Join(dir, name), nil))
	}
	for _, c := range []struct {
		about string
		in    input
		want  []string
	}{
		{"serializers", input{serializers: module.Codecs()}, []string{"rounds", "-n=6", "a b.txt=" + filepath.Join(dir, "codecs.test"), "--"}},
		{"frameworks that were asked for", input{frameworks: []string{"grpc"}}, []string{"rounds", "-n=6", "a b.txt=" + filepath.Join(dir, "grpc.test"), "--"}},
		{"one that could not be built", input{frameworks: []string{"rpcx", "kitex"}}, []string{"rounds", "-n=6", "a b.txt=" + filepath.Join(dir, "rpcx.test"), "--"}},
		{"none that could", input{frameworks: []string{"kitex"}}, nil},
	} {
		binaries, err := c.in.binaries(dir)
		require.NoError(t, err)
		assert.Equal(t, c.want, command{"rounds", "-n=6", "{}", "--"}.with(binaries, "a b.txt"), c.about)
	}
	assert.NoError(t, command{}.check())
	assert.NoError(t, command{"rounds", "{}"}.check())
	assert.Error(t, command{"rounds"}.check())
}
