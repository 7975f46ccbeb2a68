package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTransfersThatAreTooLarge(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, measuring("Bulk", "-framework=tiny,small", "-bulk=1KiB,2KiB", "-transfers=1,2")...)
	require.Zero(t, code, errOut)
	assert.Len(t, resultLines(out), 6, out)
	const reason = "# skipped: BenchmarkBulk: mode=bytes: a payload of 2048 bytes is over the largest of framework=small/transport=tcp/codec=gob, 1024 bytes\n"
	assert.Contains(t, out, reason)
}
