package rpcbench_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestTableOfFrameworksIsCurrent compares the table in frameworks/README.md with
// what -variants prints: make generate writes it.
func TestTableOfFrameworksIsCurrent(t *testing.T) {
	readme, err := os.ReadFile("frameworks/README.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(readme), "\n| framework ")
	require.True(t, found)
	assert.Equal(t, string(self(t, "-variants")), "| framework "+table)
}

// TestEveryFrameworkIsInItsPlaces: a directory with variants has a bench_test.go, which
// cmd/tools/generate holds to its template, and is in the table or a module of its own.
func TestEveryFrameworkIsInItsPlaces(t *testing.T) {
	for _, file := range append(glob(t, "frameworks/*/*.go"), glob(t, "frameworks/*/frozen/*.go")...) {
		if !strings.Contains(read(t, file), "\nfunc Variants() ") {
			continue
		}
		dir := filepath.Dir(file)
		assert.FileExists(t, dir+"/bench_test.go", "run make generate")
		listed := slices.ContainsFunc(frameworks, func(v framework.Variant) bool { return v.Framework == filepath.Base(dir) })
		if _, err := os.Stat(dir + "/go.mod"); err != nil {
			assert.True(t, listed, "%s: add its Variants() to the table in bench_test.go", dir)
		} else {
			assert.Regexp(t, `\s`+dir+`\s`, read(t, "Makefile"), "add it to MODULES")
		}
	}
}

// TestEveryVariantSaysHowItIsSetUp since configurations are half of a result.
func TestEveryVariantSaysHowItIsSetUp(t *testing.T) {
	for _, v := range frameworks {
		assert.NotEmpty(t, v.About, v.ID())
	}
}
