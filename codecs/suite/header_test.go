package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/machine"
)

func TestHeaderDescribesTheMachine(t *testing.T) {
	header := new(environment).header()
	for key, value := range machine.Here() {
		assert.Contains(t, header, "\n"+key+": "+value+"\n")
	}
}
