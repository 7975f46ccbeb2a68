package generator

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShort(t *testing.T) {
	for _, c := range []struct{ about, said, want string }{
		{"the place of an error in Go", "go build in x: exit status 1\n\t# pb\n\tpb/a.go:1:2: bad\n\tpb/a.go:2:2: worse\n", "pb/a.go:1:2: bad"},
		{"the last line that says something", "msgp: exit status 1\nwarning\nno such type\n\n", "no such type"},
		{"what easyjson ends with says nothing", "easyjson: exit status 1\nmap type bool not supported\nexit status 1\nBootstrap failed: exit status 1\n", "map type bool not supported"},
		{"a single line", "M.g is a group", "M.g is a group"},
	} {
		assert.EqualError(t, short(errors.New(c.said)), c.want, c.about)
	}
}

func TestWithout(t *testing.T) {
	for _, c := range []struct{ about, said, want string }{
		{"a proxy that is off", "go: downloading a.b/c v1.2.3\nmodule lookup disabled by GOPROXY=off\n", "a.b/c@v1.2.3"},
		{"no network", "a.go:1:2: a.b/c@v1.2.3: Get \"https://proxy.golang.org/a.b/c/@v/v1.2.3.zip\": dial tcp: lookup proxy.golang.org: no such host\n", "a.b/c@v1.2.3"},
		{"code that does not compile", "./a.go:1:2: undefined: x\n", ""},
		{"a download before code that does not compile", "go: downloading a.b/c v1.2.3\n./a.go:1:2: undefined: x\n", ""},
	} {
		err := without(c.said, "DIR")
		if c.want == "" {
			assert.NoError(t, err, c.about)
			continue
		}
		assert.EqualError(t, err, "go cannot have "+c.want+": run go mod download in DIR where there is a network, and see go env GOPROXY GOFLAGS", c.about)
	}
}
