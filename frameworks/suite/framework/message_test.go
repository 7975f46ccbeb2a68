package framework_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestForeignTextInErrors: what a server sends is shown in part, since each call may fail.
func TestForeignTextInErrors(t *testing.T) {
	long := strings.Repeat("x\n", 1<<20)
	_, work := framework.HandleEcho(long, nil)
	_, sum := framework.DecodeSum(framework.EchoMessage{Action: long})
	for about, err := range map[string]error{
		"a field of an answer": framework.CheckAnswer(0, long, 1, nil), "the action of a sum": sum, "an unknown action": work,
	} {
		assert.Error(t, err, about)
		assert.Less(t, len(err.Error()), 400, about)
	}
}
