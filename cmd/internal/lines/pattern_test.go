package lines

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct{ about, names, want string }{
		{"one", "BenchmarkA", "^(BenchmarkA)$"},
		{"elements are matched one by one", "BenchmarkA/x=1/y=a.b BenchmarkA/x=2/y=a.b", `^(BenchmarkA)$/^(x=1|x=2)$/^(y=a\.b)$`},
		{"of names of different lengths by what all have", "BenchmarkA BenchmarkB/x=1", "(^(BenchmarkA|BenchmarkB)$)"},
	} {
		assert.Equal(t, c.want, Pattern(strings.Fields(c.names)), c.about)
	}
}
