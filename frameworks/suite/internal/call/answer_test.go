package call

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// TestAWrongAnswerIsShownInPart so that each failed call costs a bounded amount.
func TestAWrongAnswerIsShownInPart(t *testing.T) {
	t.Parallel()
	err := CheckAnswer(strings.Repeat("x\n", 1<<20), message.AnswerField2)
	assert.ErrorContains(t, err, `reply: field1 is "x\nx\nx`)
	assert.Less(t, len(err.Error()), 1000)
	assert.NoError(t, CheckAnswer(message.AnswerField1, message.AnswerField2))
}
