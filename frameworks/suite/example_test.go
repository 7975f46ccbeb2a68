package suite_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// variants and ordering stand for what adapters export: the framework as it is, and with a
// message of one's own in place of the bench message.
func variants() []framework.Variant { return nil }

func ordering() []framework.Variant { return nil }

// A suite over one's own framework is a test file like this. With -msg=Order it sends messages of
// one's own: variants whose Sent describes a message.Exchange.
func ExampleMain() {
	_ = func(m *testing.M) { // TestMain
		suite.Main(m, suite.Config{
			Frameworks: variants(),
			Others:     []suite.Other{{Name: "Order", Frameworks: ordering}},
		})
	}
	_ = func(t *testing.T) { suite.Conformance(t) } // TestConformance
	_ = func(b *testing.B) { suite.Echo(b) }        // BenchmarkEcho
	_ = func(b *testing.B) { suite.Message(b) }     // BenchmarkMessage
	_ = func(b *testing.B) { suite.Rate(b) }        // BenchmarkRate
}
