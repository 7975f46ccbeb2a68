package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
)

// TestTheCommandHasTheBinaries that were built, in its place for them.
func TestTheCommandHasTheBinaries(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"codecs", "grpc", "rpcx"} {
		require.NoError(t, module.Put(binary(dir, name), nil))
	}
	for _, c := range []struct {
		about string
		in    input
		want  []string
	}{
		{"serializers", input{serializers: module.Codecs()}, []string{"rounds", "-n=6", "a b.txt=" + binary(dir, "codecs"), "--"}},
		{"frameworks that were asked for", input{frameworks: []string{"grpc"}}, []string{"rounds", "-n=6", "a b.txt=" + binary(dir, "grpc"), "--"}},
		{"one that could not be built", input{frameworks: []string{"rpcx", "kitex"}}, []string{"rounds", "-n=6", "a b.txt=" + binary(dir, "rpcx"), "--"}},
		{"none that could", input{frameworks: []string{"kitex"}}, nil},
	} {
		got, err := command{"rounds", "-n=6", "{}", "--"}.with(c.in.binaries(dir), "a b.txt")
		assert.Equal(t, c.want, got, c.about)
		assert.Equal(t, c.want == nil, err != nil, "there is nothing to run without a binary: %s", c.about)
	}
	assert.NoError(t, command{}.check())
	assert.NoError(t, command{"rounds", "{}"}.check())
	assert.Error(t, command{"rounds"}.check())
}
