package main

import (
	"os"
	"testing"
)

// TestTree has Go run these tests again when a file of the repository has changed: they
// read what Go does not see. make sets the variable.
func TestTree(*testing.T) { _ = os.Getenv("RPCBENCH_TREE") }
