package scales

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// failures are the errors of a test that is not failed by them.
type failures struct{ list []string }

func (f *failures) Helper()                      {}
func (f *failures) Errorf(text string, _ ...any) { f.list = append(f.list, text) }

func TestLinear(t *testing.T) {
	for _, c := range []struct {
		about string
		takes func(n int) time.Duration
		fails int
	}{
		{"as long as the input", func(n int) time.Duration { return time.Duration(n) * time.Millisecond }, 0},
		{"its square", func(n int) time.Duration { return time.Duration(n*n) * 100 * time.Microsecond }, 1},
	} {
		f := &failures{}
		Linear(f, 2, func(n int) {
			for begin := cpuTime(); cpuTime()-begin < c.takes(n); {
			}
		})
		assert.Len(t, f.list, c.fails, c.about)
	}
}
