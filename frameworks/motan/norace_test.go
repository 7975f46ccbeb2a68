//go:build !race

package motan

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

func TestStrangers(t *testing.T) {
	header := []byte{0xf1, 0xf1, 1, 0, 0x30}
	huge := []byte{0xf1, 0xf1, 1, 0, 0x30, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff} // its body
	suite.Strangers(t, Variants()[0], huge, header)
}
