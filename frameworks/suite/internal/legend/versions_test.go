package legend

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestVersions(t *testing.T) {
	const required = "module example.com/m\n\ngo 1.26\n\nrequire example.com/dep v1.2.0\n"
	for _, tt := range []struct{ about, more, want string }{
		{"what is required", "", "v1.2.0"},
		{"another version in its place", "replace example.com/dep => example.com/dep v1.1.0\n", "v1.1.0"},
		{"a fork", "replace example.com/dep => example.com/fork v0.3.0\n", "v0.3.0"},
		{"in the place of this version", "replace example.com/dep v1.2.0 => example.com/dep v1.1.0\n", "v1.1.0"},
		{"in the place of another version", "replace example.com/dep v1.3.0 => example.com/dep v1.1.0\n", "v1.2.0"},
		{"a directory tells none", "replace example.com/dep => ../dep\n", "v1.2.0"},
		{"of a later Go", "later example.com/dep\n", "v1.2.0"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			versions, err := Versions([]byte(required+tt.more), []framework.Variant{{Modules: []string{"example.com/dep", "example.com/none"}}})
			require.NoError(t, err)
			assert.Equal(t, map[string]string{"dep": tt.want}, versions)
		})
	}
	const directory = "require example.com/dep v0.0.0-00010101000000-000000000000\nreplace example.com/dep => ../\n"
	versions, err := Versions([]byte(directory), []framework.Variant{{Modules: []string{"example.com/dep"}}})
	require.NoError(t, err)
	assert.Empty(t, versions, "what go mod tidy requires of a directory without a version")
	_, err = Versions([]byte("require"), nil)
	assert.ErrorContains(t, err, "Config.GoMod: ")
}
