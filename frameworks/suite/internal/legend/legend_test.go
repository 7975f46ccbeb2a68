package legend

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGoVersion(t *testing.T) {
	for _, c := range []struct{ toolchain, version, experiments string }{
		{"go1.26.8", "go1.26.8", "none"},
		{"go1.26.8-X:jsonv2", "go1.26.8", "jsonv2"},
		{"go1.24.1 X:rangefunc,jsonv2", "go1.24.1", "rangefunc,jsonv2"},
	} {
		version, experiments := GoVersion(c.toolchain)
		assert.Equal(t, []string{c.version, c.experiments}, []string{version, experiments}, c.toolchain)
	}
}
