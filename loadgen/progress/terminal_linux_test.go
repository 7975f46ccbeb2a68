package progress

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestTerminalsHaveAWidth(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	columns := columnsOf(terminal)
	require.NotNil(t, columns)
	assert.Equal(t, defaultColumns, columns(), "it does not say")
	for _, width := range []uint16{58, 120} {
		require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}))
		assert.EqualValues(t, width, columns(), "it may change during a run")
	}
	t.Setenv("TERM", "dumb")
	assert.Nil(t, columnsOf(terminal), "a line cannot be erased")
}
