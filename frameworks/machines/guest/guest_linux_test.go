package guest

import (
	"net"
	"net/rpc"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAgent does on this machine what it does in another.
func TestAgent(t *testing.T) {
	here, there := net.Pipe()
	s := rpc.NewServer()
	require.NoError(t, s.Register(new(Agent)))
	go s.ServeConn(there)
	agent := rpc.NewClient(here)
	t.Cleanup(func() { agent.Close() })

	file := File{filepath.Join(t.TempDir(), "file"), []byte("content\n")}
	require.NoError(t, agent.Call("Agent.Write", file, new(bool)))
	var files []File
	require.NoError(t, agent.Call("Agent.Read", file.Path+"*", &files))
	assert.Equal(t, []File{file}, files)

	var cat, waits int
	require.NoError(t, agent.Call("Agent.Start", []string{"cat", file.Path, "/no/file"}, &cat))
	require.NoError(t, agent.Call("Agent.Start", []string{"sh", "-c", "sleep 60 & echo began; wait"}, &waits))
	heard := func(program int) (said Said) {
		require.NoError(t, agent.Call("Agent.Said", From{program, 2}, &said))
		return said
	}
	require.Eventually(t, func() bool { return heard(cat).Ended && len(heard(waits).Text) > 0 }, time.Minute, time.Millisecond)
	said := heard(cat)
	assert.Equal(t, 1, said.Code)
	assert.Regexp(t, `^ntent\ncat: /no/file: `, said.Text, "both of its outputs")
	var ids string
	require.NoError(t, agent.Call("Agent.Children", waits, &ids))
	assert.Regexp(t, `^\d+ $`, ids)
	assert.False(t, heard(waits).Ended)

	var took time.Duration
	id, _, _ := strings.Cut(ids, " ")
	gone := agent.Go("Agent.Gone", id, &took, nil)
	pid, err := strconv.Atoi(id)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	require.NoError(t, (<-gone.Done).Error)
	assert.Positive(t, took)
}
