package rpcbench_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// TestTheVariableOfRoundsHasOneName compares what benchrounds and benchhistory set with what
// loadbench reads.
func TestTheVariableOfRoundsHasOneName(t *testing.T) {
	assert.Contains(t, read(t, "cmd/internal/turns/turns.go"), `EnvRounds = "`+loadbench.EnvRounds+`"`)
}

// TestLayersHaveOneOrder compares that of tables with that of the suite.
func TestLayersHaveOneOrder(t *testing.T) {
	names := strings.ReplaceAll(layer.Stack{Layers: layer.All()}.String(), "_", `", "`)
	assert.Contains(t, read(t, "cmd/benchreport/figure/layers/addition.go"), `var layerOrder = []string{"`+names+`"}`)
}
