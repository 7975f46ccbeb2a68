package framework

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAWrongAnswerIsShownInPart so that each failed call costs a bounded amount.
func TestAWrongAnswerIsShownInPart(t *testing.T) {
	t.Parallel()
	err := CheckAnswer(0, strings.Repeat("x", 1<<20), AnswerField2, nil)
	assert.ErrorContains(t, err, `reply: field1 is "xxx`)
	assert.Less(t, len(err.Error()), 1000)
	assert.NoError(t, CheckAnswer(0, AnswerField1, AnswerField2, nil))
}
