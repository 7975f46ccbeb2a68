//go:build unix

package certs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/nofile"
)

func TestCertificatesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	nofile.Refused(t, "server.pem", "16 MiB", func(dir string) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), nil, 0o600))
		_, err := Read(dir)
		return err
	})
}
