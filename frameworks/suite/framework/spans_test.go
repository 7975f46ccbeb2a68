package framework

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpansCountFromTheirFirstCall(t *testing.T) {
	CountSpan(true)
	CountSpan(false)
	all, withParent := Spans()
	assert.Zero(t, all, "nobody had asked")
	assert.Zero(t, withParent, "nobody had asked")
	CountSpan(true)
	CountSpan(true)
	CountSpan(false)
	all, withParent = Spans()
	assert.EqualValues(t, 3, all, "roots count among all")
	assert.EqualValues(t, 2, withParent, "and have no parent")
}
