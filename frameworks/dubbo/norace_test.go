//go:build !race

package dubbo

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

func TestStrangers(t *testing.T) {
	huge := []byte{0xda, 0xbb, 0x02, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff}
	for _, v := range Variants() {
		t.Run(v.ID(), func(t *testing.T) { suite.Strangers(t, v, huge, huge[:5]) })
	}
}
