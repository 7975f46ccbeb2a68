package certs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func TestMake(t *testing.T) {
	c, err := Make()
	require.NoError(t, err)
	s, err := layer.Stack{Layers: []layer.Layer{layer.MTLS}}.Certified(c)
	require.NoError(t, err)
	assert.NotNil(t, s.ServerTLS())
	assert.NotNil(t, s.ClientTLS(nil))
	assert.Equal(t, c, s.Certificates(), "for frameworks that read files")
}

func TestRead(t *testing.T) {
	made, err := Make()
	require.NoError(t, err)
	dir := t.TempDir()
	_, err = Read(dir)
	assert.ErrorContains(t, err, "a certificate cannot be read: ")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), made.Authority, 0o600))
	c, err := Read(dir)
	require.NoError(t, err, "a client that the server does not verify needs no more")
	assert.Equal(t, made.Authority, c.Authority)
	require.NoError(t, Write(dir, made))
	c, err = Read(dir)
	require.NoError(t, err)
	assert.Equal(t, made, c)
	require.NoError(t, os.Remove(filepath.Join(dir, "client-key.pem")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "client-key.pem"), 0o700))
	_, err = Read(dir)
	assert.ErrorContains(t, err, "client-key.pem")
}
