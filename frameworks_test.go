package rpcbench_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// TestEveryVariantSaysHowItIsSetUp since configurations are half of a result.
func TestEveryVariantSaysHowItIsSetUp(t *testing.T) {
	for _, v := range frameworks {
		assert.NotEmpty(t, v.About, v.ID())
	}
}
