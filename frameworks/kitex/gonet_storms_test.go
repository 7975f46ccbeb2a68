package kitex_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// Over package net kitex reads by other code than over netpoll.
// Slow: a server waits for garbage and proxies with faults.
func TestStormsGonet(t *testing.T) {
	suite.StormsOf(t, "framework=kitex/transport=pool-gonet/codec=thrift")
}
