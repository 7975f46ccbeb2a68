package connect_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// HTTP/3 has a transport of its own, over UDP.
const overQUIC = "framework=connect/transport=h3/codec=protobuf/profile=nogzip"

// Slow: a server that stands still is told after the watchdog's five seconds.
func TestFaultsOverQUIC(t *testing.T) { t.Parallel(); suite.FaultsOf(t, overQUIC) }

// Slow: proxies with faults hold datagrams up.
func TestStormsOverQUIC(t *testing.T) { t.Parallel(); suite.StormsOf(t, overQUIC) }
