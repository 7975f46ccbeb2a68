package load

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// closing is a client whose Close takes a time.
type closing struct {
	framework.Client
	takes time.Duration
}

// Close implements framework.Client.
func (c closing) Close() error {
	time.Sleep(c.takes)
	return nil
}

// TestAClientThatIsNotClosed may disturb what is measured next.
func TestAClientThatIsNotClosed(t *testing.T) {
	for _, c := range []struct {
		about string
		takes time.Duration
		want  string
	}{
		{"closed in time", 4 * time.Second, "<nil>"},
		{"later", 6 * time.Second, "it was not closed within 5s: it may run beside what was measured next"},
	} {
		synctest.Test(t, func(t *testing.T) {
			err := (&Local{Client: closing{takes: c.takes}, end: func() {}}).Close()
			assert.Equal(t, c.want, fmt.Sprint(err), c.about)
			time.Sleep(c.takes) // until it has ended
		})
	}
}

func TestWarmUp(t *testing.T) {
	t.Parallel()
	for says, tt := range map[string]struct {
		settings Settings
		want     loadgen.Config
	}{
		"a tenth of a second before what takes a time":          {Settings{}, loadgen.Config{Duration: 100 * time.Millisecond}},
		"at most a quarter of the calls where few are measured": {Settings{Calls: 1000}, loadgen.Config{Duration: 100 * time.Millisecond, Calls: 250}},
		"a call at least": {Settings{Calls: 2}, loadgen.Config{Duration: 100 * time.Millisecond, Calls: 1}},
		"briefly where benchmarks only have to run": {Settings{Calls: 1}, loadgen.Config{Duration: 5 * time.Millisecond}},
	} {
		assert.Equal(t, tt.want, tt.settings.WarmUp(), says)
	}
}
