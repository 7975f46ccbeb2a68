package sockets

import (
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

// line is a line of the kernel's table.
func line(local, remote, state, inode string) string {
	return "   0: 0100007F:" + local + " 0100007F:" + remote + " " + state +
		" 00000000:00000000 00:00000000 00000000     0        0 " + inode + " 1 0000000000000000 20 4 30 10 -1\n"
}
