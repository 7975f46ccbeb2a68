package suite

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinesWithoutRoom: a file that takes no more after a part of a line is told as well.
func TestLinesWithoutRoom(t *testing.T) {
	args := strings.Fields("-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=good/msg=small")
	whole, err := exec.CommandContext(t.Context(), os.Args[0], args...).Output()
	require.NoError(t, err)
	header := strings.Index(string(whole), "Benchmark")
	require.Positive(t, header)
	said, code := limited(t, header+20, args...)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "write /dev/stdout: file too large\n")
	said, code = limited(t, 2*len(whole), args...)
	assert.Zero(t, code, said)
}
