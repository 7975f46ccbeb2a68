package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShares(t *testing.T) {
	var s shares
	s.note(Throughput{"size=4MiB", "grpc", "mode=bytes", false, 1e6})
	s.note(Throughput{"size=4MiB", "grpc", "mode=stream", false, 2e6})
	s.note(Throughput{"size=4MiB", "grpc", "mode=stream", false, 4e6}) // its last round
	s.note(Throughput{"size=1KiB", "grpc", "mode=bytes", false, 3e6})
	s.note(Throughput{"size=4MiB", "tcp", "mode=bytes", true, 1e6})
	s.note(Throughput{"size=4MiB", "tcp", "mode=stream", true, 8e6})
	var text strings.Builder
	s.print(&text)
	assert.Equal(t, "# share: size=4MiB: framework=grpc mode=stream: 4 MB/s, 50 % of framework=tcp mode=stream\n", text.String(),
		"the best of each, where there is a limit to compare with")
}
