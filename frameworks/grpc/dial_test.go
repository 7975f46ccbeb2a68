package grpc

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// gRPC reads a target as a URL, and a path may have what a URL gives a meaning.
func TestAnyPathIsATarget(t *testing.T) {
	for _, name := range []string{"plain", "a %41 b", "#b", "?c", "%", "a:b"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			l, err := net.Listen("unix", path)
			require.NoError(t, err)
			s := grpc.NewServer()
			go s.Serve(l)
			defer s.Stop()
			c, err := grpc.NewClient(targetOf(path), grpc.WithTransportCredentials(insecure.NewCredentials()))
			require.NoError(t, err)
			defer c.Close()
			assert.NoError(t, await(c, 5e9))
		})
	}
}
