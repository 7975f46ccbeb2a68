package sockets

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConnectionsAreCounted(t *testing.T) {
	const header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	for says, tt := range map[string]struct {
		table string
		want  int
	}{
		"a connection of ours to the port counts": {line("B001", "1F90", "01", "7"), 1},
		"one that is listed again does not":       {line("B001", "1F90", "01", "7") + line("B001", "1F90", "01", "7"), 1},
		"two of ours are two":                     {line("B001", "1F90", "01", "7") + line("B002", "1F90", "01", "8"), 2},
		"one of another process does not count":   {line("B001", "1F90", "01", "9"), 0},
		"nor one to another port":                 {line("B001", "1F91", "01", "7"), 0},
		"nor from that port":                      {line("1F90", "B001", "01", "7"), 0},
		"nor one that is being closed":            {line("B001", "1F90", "04", "7"), 0},
	} {
		t.Run(says, func(t *testing.T) {
			ours := map[string]bool{"7": true, "8": true}
			assert.Equal(t, tt.want, count(parse(strings.NewReader(header+tt.table)), Ports{0x1F90: true}, ours))
		})
	}
}

func TestAcceptedConnectionsAreCounted(t *testing.T) {
	listens := "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 5 1 0000000000000000 100 0 0 10 0\n"
	for says, tt := range map[string]struct {
		table string
		want  int
	}{
		"a connection at the port counts":          {listens + line("1F90", "B001", "01", "7"), 1},
		"one that is listed again does not":        {listens + line("1F90", "B001", "01", "7") + line("1F90", "B001", "01", "7"), 1},
		"two are two":                              {listens + line("1F90", "B001", "01", "7") + line("1F90", "B002", "01", "8"), 2},
		"one that nobody has accepted is none":     {listens + line("1F90", "B001", "01", "0"), 0},
		"nor is one at another port":               {listens + line("1F91", "B001", "01", "7"), 0},
		"nor one that the client has closed":       {listens + line("1F90", "B001", "08", "7"), 0},
		"nor one that the process has with itself": {listens + line("1F90", "B001", "01", "7") + line("B001", "1F90", "01", "8"), 0},
	} {
		t.Run(says, func(t *testing.T) {
			n, err := accepted(parse(strings.NewReader(tt.table)), Ports{0x1F90: true}, map[string]bool{"5": true, "7": true, "8": true})
			assert.NoError(t, err)
			assert.Equal(t, tt.want, n)
		})
	}
	_, err := accepted(parse(strings.NewReader(listens+line("1F90", "B001", "01", "7"))), Ports{0x1F90: true}, map[string]bool{"7": true})
	assert.EqualError(t, err, "the process does not listen there", "the number of a process may be another's in this system")
	_, err = Accepted("/tmp/server", 1)
	assert.ErrorIs(t, err, errors.ErrUnsupported, "a Unix socket")
}

// line is a line of the kernel's table.
func line(local, remote, state, inode string) string {
	return "   0: 0100007F:" + local + " 0100007F:" + remote + " " + state +
		" 00000000:00000000 00:00000000 00000000     0        0 " + inode + " 1 0000000000000000 20 4 30 10 -1\n"
}
