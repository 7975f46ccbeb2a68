//go:build unix

package lines

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPipesOfTheShell: a pipe that this process was given is read, as far as texts go. One
// that has a name might have no writer.
func TestPipesOfTheShell(t *testing.T) {
	for _, c := range []struct {
		about string
		text  io.Reader
		say   string
	}{
		{"as a shell has it of <(…)", strings.NewReader(resultA), ""},
		{"one without an end", endless{}, " has more bytes than the 64 MiB that are read"},
	} {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		go func() {
			_, _ = io.Copy(w, c.text)
			w.Close()
		}()
		name := fmt.Sprintf("/dev/fd/%d", r.Fd())
		data, err := ReadFile(name)
		r.Close()
		if c.say != "" {
			assert.EqualError(t, err, name+c.say, c.about)
			continue
		}
		require.NoError(t, err, c.about)
		assert.Equal(t, resultA, string(data), c.about)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := ReadFile(pipe)
	assert.EqualError(t, err, pipe+" is a named pipe, not a file")
	_, err = ReadFile("/dev/zero")
	assert.EqualError(t, err, "/dev/zero is a device, not a file")
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
