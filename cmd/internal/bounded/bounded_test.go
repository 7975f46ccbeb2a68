package bounded

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBuffer(t *testing.T) {
	for _, c := range []struct {
		about string
		lines int // of four bytes
		want  string
	}{
		{"nothing", 0, ""},
		{"as much as is kept", 5, "l00\nl01\nl02\nl03\nl04\n"},
		{"a line more", 6, "l00\nl01\n(8 bytes are left out)\nl04\nl05\n"},
		{"far more", 100, "l00\nl01\n(384 bytes are left out)\nl98\nl99\n"},
	} {
		var text strings.Builder
		for i := range c.lines {
			fmt.Fprintf(&text, "l%02d\n", i)
		}
		for size := 1; size <= text.Len()+1; size++ {
			b := &Buffer{Most: 20}
			for rest := text.String(); rest != ""; {
				n := min(size, len(rest))
				_, err := io.WriteString(b, rest[:n])
				assert.NoError(t, err)
				rest = rest[n:]
			}
			assert.LessOrEqual(t, len(b.first)+len(b.last), 30)
			assert.Equal(t, text.Len() > 20, b.Err() != nil, c.about)
			if !assert.Equal(t, c.want, b.String(), "%s, %d bytes at a time", c.about, size) {
				return
			}
		}
	}
}

func TestWhatIsNotKeptIsSaid(t *testing.T) {
	b := &Buffer{Most: 1 << 20}
	for range 100 {
		_, _ = b.Write(make([]byte, 1<<20))
	}
	assert.EqualError(t, b.Err(), "it printed 104857600 bytes: more than 1 MiB are not kept")
	assert.Equal(t, "(104857600 bytes are left out)\n", strings.Trim(b.String(), "\x00"), "a line without an end")
}
