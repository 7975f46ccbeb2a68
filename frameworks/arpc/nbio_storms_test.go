package arpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// The server on nbio reads by code of this project.
func TestStormsNBIO(t *testing.T) {
	suite.StormsOf(t, "framework=arpc/transport=nbio/codec=protobuf")
}
