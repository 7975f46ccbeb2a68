package stack

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadChain(t *testing.T) {
	const form = ": must be a whole number of interceptors on each side, from 0 to 100"
	for _, c := range []struct {
		about, text string
		want        int
		err         string
	}{
		{"none", "0", 0, ""},
		{"some", "5", 5, ""},
		{"the most", "100", 100, ""},
		{"too many", "101", 0, "chain=101" + form},
		{"fewer than none", "-1", 0, "chain=-1" + form},
		{"in another form", "05", 0, "chain=05" + form},
		{"no number", "many", 0, "chain=many" + form},
		{"nothing", "", 0, "chain=" + form},
	} {
		t.Run(c.about, func(t *testing.T) {
			got, err := ReadChain(c.text)
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}
