//go:build !race

package tars

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

func TestStrangers(t *testing.T) {
	suite.Strangers(t, Variants()[0], []byte{0x7f, 0xff, 0xff, 0xff, 0x10, 0x01}, []byte{0, 0, 0, 100, 0x10, 0x01})
}
