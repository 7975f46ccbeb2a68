package dubbo

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAPanicFailsTheCall: dubbo-go's calls panic when a connection was just lost, of either
// protocol. A reference without a connection stands for that.
func TestAPanicFailsTheCall(t *testing.T) {
	assert.ErrorContains(t, new(reference).callUnary(t.Context(), methodEcho, nil, nil), "dubbo: panic: ")
}
