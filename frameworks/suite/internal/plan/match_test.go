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
		m, err := compileMatcher(c.pattern)
		require.NoError(t, err)
		assert.Equal(t, c.want, m.matches(c.name), "%s %s", c.pattern, c.name)
	}
	_, err := compileMatcher("Echo/(")
	assert.Error(t, err)
}
