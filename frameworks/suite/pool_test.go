package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPoolsHaveTheWorkersThatAreAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about  string
		args   []string
		config string // in the header
		say    string // by a server that cannot have that pool
	}{
		{"without the flag servers have the number of their adapter", measuring("Echo", "-framework=crew"), "", ""},
		{"the number is in the header", measuring("Echo", "-framework=crew", "-pool-workers=8"), "\npool-workers: 8\n", ""},
		{"the number comes to the server", measuring("Echo", "-framework=crew", "-pool-workers=13"), "\npool-workers: 13\n", "it has no pool of 13"},
		{"and to one that does work", measuring("Workload", "-framework=crew", "-workload=steady", "-pool-workers=13"), "\npool-workers: 13\n", "it has no pool of 13"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(c.args, "-size=1B", "-conc=10")...)
			if c.say != "" {
				assert.NotZero(t, code)
				assert.Contains(t, out+errOut, c.say)
				return
			}
			require.Zero(t, code, "%s%s", out, errOut)
			require.Len(t, resultLines(out), 1)
			assert.Regexp(t, `/conc=10/pool=workers.*\s0 errors`, resultLines(out)[0])
			if c.config != "" {
				assert.Contains(t, out, c.config)
			} else {
				assert.NotContains(t, out, "pool-workers")
			}
		})
	}
}
