package example

import (
	_ "embed"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

//go:embed go.mod
var goMod []byte

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{Frameworks: append(Variants(), Orders()), GoMod: goMod})
}

func TestConformance(t *testing.T) { suite.Conformance(t) }

func BenchmarkEcho(b *testing.B)    { suite.Echo(b) }
func BenchmarkMessage(b *testing.B) { suite.Message(b) }
func BenchmarkRate(b *testing.B)    { suite.Rate(b) }
func BenchmarkStall(b *testing.B)   { suite.Stall(b) }
func BenchmarkCount(b *testing.B)   { suite.Count(b) }
