package tail

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTail(t *testing.T) {
	var out Tail
	assert.Empty(t, out.String())
	fmt.Fprint(&out, "all")
	assert.Equal(t, "all", out.String())
	fmt.Fprint(&out, strings.Repeat("x", Most-3))
	assert.True(t, strings.HasPrefix(out.String(), "allxx"), "it fits to the byte")
	fmt.Fprint(&out, "yz")
	assert.True(t, strings.HasPrefix(out.String(), "...lxx"), "the oldest goes first")
	fmt.Fprint(&out, strings.Repeat("w", 3*Most))
	assert.Equal(t, "..."+strings.Repeat("w", Most), out.String())
}
