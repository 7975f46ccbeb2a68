package moved

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
)

const (
	writes = "main.main;net/rpc.(*Client).send;net.(*conn).Write;syscall.write"
	sends  = "main.main;net/rpc.(*Client).send"
	spins  = "main.main;net/rpc.(*Client).send;net/rpc.spin"
)

// rounds are runs of a client, in which a sample is 100 ns of a call. Each round has 100 samples
// of writes and 40 of sends, with spread to and fro, and more of further.
func rounds(name string, n int, spread int64, further anatomy.Stacks) (list []anatomy.Run) {
	for i := range n {
		wave := spread * (int64(i*7%5) - 2)
		stacks := anatomy.Stacks{writes: 100 + wave, sends: 40 - wave}
		for stack, count := range further {
			stacks[stack] += count
		}
		list = append(list, anatomy.Run{
			Name: name, Side: "client", Start: time.Unix(int64(i), 0), Calls: 1000, CPU: 100 * float64(stacks.Total()), Stacks: stacks,
		})
	}
	return list
}

func changes(base, head []anatomy.Run) Changes {
	parts, functions := anatomy.NewTable(nil).Changes(base, head)
	return Changes{parts, functions}
}

func TestTables(t *testing.T) {
	const name = "BenchmarkEcho/framework=netrpc/conc=100"
	for _, c := range []struct {
		about      string
		base, head []anatomy.Run
		want       string
	}{
		{
			"a part that grew has a row, and the function that did it", rounds(name, 24, 1, nil), rounds(name, 24, 2, anatomy.Stacks{spins: 25}), `
CPU time of a call, µs     base     head  change (99.9 % sure)
netrpc, client            14.00    16.50  +2.50 (+2.50 to +2.50)
  framework                4.00     6.51  +2.50 (+2.40 to +2.60)
  1 other part: cannot be told: ±0.10

Functions that changed most, of 3, each with what it calls of the runtime:
netrpc, client             0.00     2.50  +2.50 (+2.50 to +2.50)  framework  net/rpc.spin
`,
		},
		{
			"of equal sides nothing is told, and how much could have changed", rounds(name, 24, 1, nil), rounds(name, 24, -1, nil), `
CPU time of a call, µs     base     head  change (99.9 % sure)
netrpc, client            14.00    14.00  cannot be told: ±0.000
  2 parts: none can be told to differ, each is within ±0.20

Of 2 functions none can be told to have changed.
`,
		},
		{
			"a part that may have changed much has a row", rounds(name, 24, 4, nil), rounds(name, 24, -4, nil), `
CPU time of a call, µs     base     head  change (99.9 % sure)
netrpc, client            14.00    14.00  cannot be told: ±0.000
  write                    9.98    10.02  cannot be told: ±0.80
  framework                4.02     3.98  cannot be told: ±0.80

Of 2 functions none can be told to have changed.
`,
		},
		{
			"too few rounds tell nothing", rounds(name, 10, 1, nil), rounds(name, 10, 1, anatomy.Stacks{spins: 25}), `
CPU time of a call, µs     base     head  change (99.9 % sure)
netrpc, client            14.00    16.50  too few rounds to tell
  2 parts: too few rounds to tell

Functions that changed most, of 3, each with what it calls of the runtime:
netrpc, client             0.00     2.50  too few rounds to tell  framework  net/rpc.spin
`,
		},
	} {
		assert.Equal(t, strings.TrimPrefix(c.want, "\n"), changes(c.base, c.head).Tables(mostLines), c.about)
	}
}

const mostLines = 40

// Sides of which something is told come before the others where not all fit, and functions
// have their place.
func TestTablesOfManySides(t *testing.T) {
	var base, head []anatomy.Run
	for i := range 30 {
		name := fmt.Sprintf("BenchmarkEcho/framework=netrpc/conc=%d", i)
		base = append(base, rounds(name, 12, 1, nil)...)
		further := anatomy.Stacks{spins: 25}
		if i < 25 {
			further = nil
		}
		head = append(head, rounds(name, 12, 1, further)...)
	}
	c := changes(base, head)
	text := c.Tables(mostLines)
	assert.LessOrEqual(t, strings.Count(text, "\n"), mostLines)
	for i := 25; i < 30; i++ {
		assert.Contains(t, text, fmt.Sprintf("\nnetrpc %d, client", i))
	}
	assert.Contains(t, text, "more sides are left out here\n")
	assert.NotContains(t, c.Tables(1000), "left out")
}

func TestNamed(t *testing.T) {
	const name = "BenchmarkEcho/framework=netrpc/conc=100"
	further := anatomy.Stacks{}
	for i := range 7 {
		further[fmt.Sprintf("%s%d", spins, i)] = int64(10 * (i + 1))
	}
	assert.Equal(t, strings.TrimPrefix(`
netrpc, client            14.00    42.00  +28.00 (+28.00 to +28.00)
  framework                0.00     7.00  +7.00 (+7.00 to +7.00)  net/rpc.spin6
  framework                0.00     6.00  +6.00 (+6.00 to +6.00)  net/rpc.spin5
  framework                0.00     5.00  +5.00 (+5.00 to +5.00)  net/rpc.spin4
  framework                0.00     4.00  +4.00 (+4.00 to +4.00)  net/rpc.spin3
  framework                0.00     3.00  +3.00 (+3.00 to +3.00)  net/rpc.spin2
`, "\n"), changes(rounds(name, 24, 1, nil), rounds(name, 24, 1, further)).Named(), "five at most, the surest first")
	assert.Equal(t, strings.TrimPrefix(`
netrpc, client            14.00    14.00  cannot be told: ±0.000
  which functions changed cannot be told
`, "\n"), changes(rounds(name, 24, 1, nil), rounds(name, 24, 1, nil)).Named(), "nothing is told of equal sides")
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ about, args, want string }{
		{"arguments of any other kind", "-conc=100 -test.bench=Echo/anatomy", ""},
		{"a directory of the user's", "-conc=100 --anatomy=d", "--anatomy=d behind --: the binaries get a directory for each side by -anatomy before it: leave it out"},
		{"given as a word of its own", "-anatomy d", "-anatomy behind --: the binaries get a directory for each side by -anatomy before it: leave it out"},
	} {
		err := check("linux", strings.Fields(c.args))
		if c.want == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.EqualError(t, err, c.want, c.about)
		}
	}
	assert.EqualError(t, check("darwin", nil), "-anatomy: only Linux counts the CPU time of each thread; elsewhere a profile tells no parts of a call")
}
