package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRegistration: the kernel reads the fields between colons, and a byte that is a colon or a
// zero by its escape.
func TestRegistration(t *testing.T) {
	assert.Equal(t, `:rpcbench-arm64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`+
		`:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/q:PF`, registration("/usr/bin/q"))
	assert.Equal(t, `\x3a\x00`, escaped([]byte{':', 0}))
}

// TestTableIsOfThisTree: each row is a directory, and each test that is skipped is there.
func TestTableIsOfThisTree(t *testing.T) {
	for _, row := range trees {
		assert.DirExists(t, filepath.Join("../../..", row.dir))
	}
	for _, s := range skips {
		assert.Empty(t, whyLeftOut(s.dir), "%s is not tested at all", s.dir)
		assert.NotEmpty(t, s.why, s.test)
		files, err := filepath.Glob(filepath.Join("../../..", s.dir, "*_test.go"))
		require.NoError(t, err)
		var tests []byte
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			tests = append(tests, text...)
		}
		test, _, _ := strings.Cut(s.test, "/")
		assert.Contains(t, string(tests), "func "+test+"(", s.dir)
	}
	assert.Equal(t, "^TestTraffic$|^TestTrafficOfOtherConnectionsIsNotKnown$", strings.TrimPrefix(skipped("frameworks/suite/internal/host/sockets"), "^TestSocketsAreThoseOfTheTables$|"))
	assert.Contains(t, skipped("codecs/suite/internal/hostile"), "^TestHostile$/^a_death_is_counted,")
}

func TestWhatIsTested(t *testing.T) {
	for _, c := range []struct {
		about, dir string
		tested     bool
	}{
		{"a tree", "loadgen", true},
		{"what is below it", "loadgen/cmd/load", true},
		{"a name that begins as one of a tree", "frameworks/hostile", false},
		{"a tree in one that is left out", "frameworks/suite/internal/host/cpus", true},
		{"a tree that is left out in one that is tested", "frameworks/grpc/frozen", false},
		{"a directory of no tree but the root", "testing", false},
	} {
		assert.Equal(t, c.tested, whyLeftOut(c.dir) == "", c.about)
	}
	all, err := listed("../../..", nil)
	require.NoError(t, err)
	some, err := listed("../../..", []string{"loadgen/", "frameworks/grpc"})
	require.NoError(t, err)
	assert.Contains(t, some, "loadgen/hdr")
	assert.Subset(t, all, some)
	assert.NotContains(t, some, "frameworks/arpc")
	_, err = listed("../../..", []string{"cmd/tools"})
	assert.ErrorContains(t, err, "nothing is tested below cmd/tools")
}
