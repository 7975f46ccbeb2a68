//go:build unix

package remote

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/nofile"
)

func TestTokensThatAreInNoFile(t *testing.T) {
	t.Parallel()
	nofile.Refused(t, "token", "1 MiB", func(dir string) error {
		_, err := ReadSecret(filepath.Join(dir, "token"))
		return err
	})
}

// TestATokenFromAPipeWithoutAName is read, as the shell's <(...) and /dev/stdin give it.
func TestATokenFromAPipeWithoutAName(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("no /dev/fd here: ", err)
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	_, err = w.WriteString(secret)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s, err := ReadSecret(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	require.NoError(t, err)
	assert.Equal(t, secret, s.Token)
}
