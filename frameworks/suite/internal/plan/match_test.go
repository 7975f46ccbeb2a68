package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMatcherAgreesWithTesting(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"Echo", "BenchmarkEcho/framework=grpc", true},
		{"Echo|Message", "BenchmarkMessage/a", true},
		{"Echo/framework=kitex|Message/framework=grpc", "BenchmarkMessage/framework=kitex", false},
		{"Echo/framework=kitex|Message/framework=grpc", "BenchmarkMessage/framework=grpc", true},
		{"Echo/framework=(kitex|grpc)/transport=h2", "BenchmarkEcho/framework=grpc/transport=h2", true},
		{"Echo//codec", "BenchmarkEcho/a/codec=gob", true},
		{"Echo/[a/b]/c", "BenchmarkEcho/b/c", true},
		{"Echo/a/b", "BenchmarkEcho/a", false},
		{"^Echo$", "BenchmarkEcho/a", false},
	} {
		m, err := compileMatcher("-bench", c.pattern)
		require.NoError(t, err)
		assert.Equal(t, c.want, m.matches(c.name), "%s %s", c.pattern, c.name)
	}
	_, err := compileMatcher("-bench", "Echo/(")
	assert.Error(t, err)
}

func TestSkippingAgreesWithTesting(t *testing.T) {
	const name = "BenchmarkEcho/framework=grpc/size=1KiB"
	for _, c := range []struct {
		about, pattern string
		want           bool
	}{
		{"nothing is skipped by default", "", false},
		{"what a benchmark has is skipped with it", "Echo", true},
		{"what another has is not", "^BenchmarkCapacity$", false},
		{"elements match those at their place", "/framework=grpc", true},
		{"not those at another", "/size=1KiB", false},
		{"all of them must", "Echo/framework=grpc/size=64B", false},
		{"a whole name", "Echo/framework=grpc/size=1KiB", true},
		{"a longer pattern skips what is below alone", "Echo/framework=grpc/size=1KiB/conc=1", false},
		{"one alternative is enough", "Load|Echo/(x|framework=grpc)", true},
		{"a longer alternative keeps the next from skipping", "Echo///x|Echo", false},
	} {
		m, err := compileSkips(c.pattern)
		require.NoError(t, err)
		assert.Equal(t, c.want, m.skips(name), c.about)
	}
	_, err := compileSkips("(")
	assert.ErrorContains(t, err, "-skip: ")
}
