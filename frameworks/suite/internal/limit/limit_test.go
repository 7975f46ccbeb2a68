package limit

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
)

func TestReader(t *testing.T) {
	for _, tt := range []struct {
		about, text string
		most        int64
		want, err   string
	}{
		{"less", "abc", 4, "abc", ""},
		{"as much", "abcd", 4, "abcd", ""},
		{"a byte more", "abcde", 4, "abcd", "more than 4 bytes"},
		{"much more", strings.Repeat("x", 10_000), 4, "xxxx", "more than 4 bytes"},
		{"nothing is allowed", "x", 0, "", "more than 0 bytes"},
		{"nothing comes", "", 0, "", ""},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text)), iotest.DataErrReader(strings.NewReader(tt.text))} {
			got, err := io.ReadAll(Reader(r, tt.most))
			assert.Equal(t, tt.want, string(got), tt.about)
			if tt.err == "" {
				assert.NoError(t, err, tt.about)
			} else {
				assert.EqualError(t, err, tt.err, tt.about)
			}
		}
	}
}

func TestNoMoreThanAByteTooManyIsRead(t *testing.T) {
	r := strings.NewReader(strings.Repeat("x", 10_000))
	_, err := io.ReadAll(Reader(r, 4))
	assert.Error(t, err)
	assert.Equal(t, 9_995, r.Len())
}
