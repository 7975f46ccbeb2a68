package bench

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

func TestMemoryThatCouldNotBeRead(t *testing.T) {
	dead := errors.New("connection refused")
	for about, u := range map[string]memory{
		"the server's peak": {serverErr: dead},
		"the client's":      {ownErr: dead},
	} {
		assert.Equal(t, []string{"the memory of a run could not be read: connection refused"}, u.doubts(), about)
	}
	assert.Empty(t, (&memory{serverErr: server.ErrGiven}).doubts(), "nobody could read it")
}
