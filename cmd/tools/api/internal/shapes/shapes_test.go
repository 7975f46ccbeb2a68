package shapes

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		about string
		cases []string
		want  []string
	}{
		{"keys without their values", []string{"BenchmarkA/x=1/y=2", "BenchmarkA/x=3/y=4"}, []string{"BenchmarkA/x=/y="}},
		{"a key that not all have", []string{"BenchmarkA/x=1", "BenchmarkA/x=1/y=2"}, []string{"BenchmarkA/x=[/y=]"}},
		{"stands where names have it", []string{"BenchmarkA/x=1/z=1", "BenchmarkA/x=1/y=2/z=1"}, []string{"BenchmarkA/x=[/y=]/z="}},
		{"each benchmark has a line", []string{"BenchmarkB/x=1", "BenchmarkA/y=1"}, []string{"BenchmarkA/y=", "BenchmarkB/x="}},
	} {
		assert.Equal(t, c.want, Shapes(c.cases), c.about)
	}
}

func TestUnitsOf(t *testing.T) {
	assert.Equal(t, "line of BenchmarkA ns/op B/op", unitsOf("BenchmarkA/x=1-2 \t 1\t 5 ns/op\t 7 B/op"))
	assert.Equal(t, "Unit cpu-ns/op better=lower", unitsOf("Unit cpu-ns/op better=lower"))
}
