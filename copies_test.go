package rpcbench_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// TestCopiesAreEqual compares the copies of what several modules need, of which
// none requires another.
func TestCopiesAreEqual(t *testing.T) {
	for _, c := range []struct {
		original, dir string
		files         int
	}{
		{"cmd/internal/commandline/", "frameworks/suite/internal/commandline/", 3},
		{"cmd/internal/commandline/", "codecs/suite/internal/commandline/", 3},
		{"frameworks/suite/host/settings/", "codecs/suite/internal/settings/", 1},
		{"frameworks/suite/host/machine/", "codecs/suite/internal/machine/", 3},
		{"frameworks/suite/internal/terminal/", "codecs/suite/internal/terminal/", 1},
		{"cmd/internal/foreign/", "loadgen/internal/foreign/", 1},
		{"cmd/internal/foreign/", "frameworks/suite/internal/foreign/", 1},
		{"cmd/internal/foreign/", "codecs/suite/internal/foreign/", 1},
		{"frameworks/internal/tracing/", "frameworks/dubbo/internal/tracing/", 1},
		{"frameworks/internal/sending/", "frameworks/nats/internal/sending/", 1},
		{"cmd/benchreport/whole/", "frameworks/suite/internal/whole/", 1},
		{"frameworks/suite/host/environ/alone", "cmd/internal/environ/alone", 1},
		{"frameworks/suite/host/environ/", "codecs/suite/internal/environ/", 2},
		{"frameworks/suite/host/self/", "codecs/suite/internal/self/", 5},
	} {
		copies, err := filepath.Glob(c.dir + "*.go")
		require.NoError(t, err)
		assert.Len(t, copies, c.files, c.dir)
		for _, file := range copies {
			name := strings.TrimPrefix(filepath.ToSlash(file), c.dir)
			assert.Equal(t, read(t, c.original+name), read(t, file), "%s and its original; copy %s to the other modules", file, c.original)
		}
	}
}

// TestTheVariableOfRoundsHasOneName compares what benchrounds and benchhistory set with what
// loadbench reads.
func TestTheVariableOfRoundsHasOneName(t *testing.T) {
	assert.Contains(t, read(t, "cmd/internal/turns/turns.go"), `EnvRounds = "`+loadbench.EnvRounds+`"`)
}

// TestLayersHaveOneOrder compares that of tables with that of the suite.
func TestLayersHaveOneOrder(t *testing.T) {
	names := framework.LayerNames(framework.AllLayers()...)
	assert.Contains(t, read(t, "cmd/benchreport/figure/layers.go"), `var layerOrder = []string{"`+strings.Join(names, `", "`)+`"}`)
}
