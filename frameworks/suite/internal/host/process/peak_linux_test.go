package process

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envHelper has the test binary be a small or a large process instead of running tests.
const envHelper = "RPCBENCH_TEST_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(envHelper) {
	case "small":
		os.Exit(grown(1 << 20))
	case "large":
		os.Exit(grown(100 << 20))
	}
	os.Exit(m.Run())
}

// grown holds this much memory for a moment. The memory is mapped, since the race
// detector adds several times as much to memory of Go.
func grown(n int) int {
	held, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		return 1
	}
	defer syscall.Munmap(held)
	time.Sleep(20 * watching)
	return 0
}

// The peak of a process is its own, even if its parent's is higher.
func TestPeakOfAProcess(t *testing.T) {
	require.Zero(t, grown(200<<20))
	for _, tt := range []struct {
		helper      string
		least, most int64 // MiB
	}{{"small", 1, 90}, {"large", 100, 190}} {
		t.Setenv(envHelper, tt.helper)
		ended, err := Rerun(t.Context())
		require.NoError(t, err)
		assert.GreaterOrEqual(t, ended.Peak>>20, tt.least, tt.helper)
		assert.LessOrEqual(t, ended.Peak>>20, tt.most, tt.helper)
	}
}
