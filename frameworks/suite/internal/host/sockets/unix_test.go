package sockets

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionsOfUnixSocketsAreCounted(t *testing.T) {
	const header = "Num       RefCount Protocol Flags    Type St Inode Path\n"
	line := func(state, path string) string {
		return "0000000000000000: 00000003 00000000 00000000 0001 " + state + " 7 " + path + "\n"
	}
	for says, tt := range map[string]struct {
		table string
		want  int
	}{
		"a connection that was accepted counts": {line("03", "/a/1"), 1},
		"two are two":                           {line("03", "/a/1") + line("03", "/a/1"), 2},
		"the listener does not":                 {line("01", "/a/1"), 0},
		"nor a connection to another path":      {line("03", "/a/11"), 0},
		"nor one to a path that ends like it":   {line("03", "/b/a/1"), 0},
		"nor the client's end, which has none":  {line("03", ""), 0},
	} {
		t.Run(says, func(t *testing.T) {
			assert.Equal(t, tt.want, countPath(strings.NewReader(header+tt.table), "/a/1"))
		})
	}
}

func TestConnectionsToAPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with a space")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	n, err := Connections(path, os.Getpid())
	if err != nil {
		t.Skip(err)
	}
	require.Zero(t, n)
	for want := 1; want <= 3; want++ {
		near, err := net.Dial("unix", path)
		require.NoError(t, err)
		defer near.Close()
		far, err := l.Accept()
		require.NoError(t, err)
		defer far.Close()
		n, err := Connections(path, os.Getpid())
		require.NoError(t, err)
		assert.Equal(t, want, n)
	}
	require.NoError(t, l.Close())
	_, err = net.DialTimeout("unix", path, time.Second)
	assert.Error(t, err)
}
