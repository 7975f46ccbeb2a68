package ledger

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

func TestTheLedger(t *testing.T) {
	for _, c := range []struct {
		about  string
		enter  func(l *Ledger)
		strict bool
		text   string
		code   int
	}{
		{"nothing", func(*Ledger) {}, true, "", 0},
		{"a warning", func(l *Ledger) { l.Warn("B", "slow") }, false, "# warning: B: slow\n", 0},
		{"a warning, and -strict", func(l *Ledger) { l.Warn("B", "slow") }, true, "# warning: B: slow\n", 1},
		{"failed calls", func(l *Ledger) { l.FailedWith("B", "2 × lost") }, false, "# failed calls: B: 2 × lost\n", 1},
		{"what many cases have in common, once", func(l *Ledger) {
			l.Warn("A", "others took 12 % of 2 CPUs", "p99 is unsure")
			l.Warn("B", "others took 9.5 % of 2 CPUs")
			l.Warn("C", "others took 30 % of 2 CPUs", "slow")
		}, false, "# warning: 3 cases: others took 9.5–30 % of 2 CPUs: A, B, C\n# warning: A: p99 is unsure\n# warning: C: slow\n", 0},
		{"numbers in words are no ranges", func(l *Ledger) {
			l.Warn("A", "p50 is unsure")
			l.Warn("B", "p50 is unsure")
			l.Warn("C", "p99 is unsure")
		}, false, "# warning: A: p50 is unsure\n# warning: B: p50 is unsure\n# warning: C: p99 is unsure\n", 0},
		{"failed calls are of one case each", func(l *Ledger) { l.FailedWith("A", "x"); l.FailedWith("B", "x"); l.FailedWith("C", "x") }, false, "# failed calls: A: x\n# failed calls: B: x\n# failed calls: C: x\n", 1},
		{"what an interrupted case said is taken back", func(l *Ledger) { l.FailedWith("B", "lost"); l.Warn("A", "slow"); l.Drop("B") }, false, "# warning: A: slow\n", 0},
		{"a case without a line has failed calls, and no figures to doubt", func(l *Ledger) {
			l.FailedWith("B", "x")
			l.HasNoP99("B", "few")
			l.LimitedBy("B", "the client")
			l.NoLine("B")
		}, false, "# failed calls: B: x\n", 1},
		{"a later round takes back what one before said", func(l *Ledger) { l.FailedWith("B", "lost"); l.FailedWith("B", "") }, true, "", 0},
		{"other connections than were asked for", func(l *Ledger) { l.Stray("B", "none", false) }, false, "# warning: B: none\n", 0},
		{"those of a ranked row", func(l *Ledger) { l.Stray("B", "none", true) }, false, "# warning: B: none; so a ranked row fails\n", 1},
		{"after what else there is to warn of", func(l *Ledger) { l.Stray("B", "none", false); l.Warn("B", "slow") }, true, "# warning: B: slow; none\n", 1},
		{"a later round has those that were asked for", func(l *Ledger) { l.Stray("B", "none", true); l.Stray("B", "", true) }, true, "", 0},
		{"an interrupted case has none", func(l *Ledger) { l.Stray("B", "none", true); l.Drop("B") }, true, "", 0},
		{"what is not written, each reason once", func(l *Ledger) {
			l.Lose(errors.New("no disk"))
			l.Lose(errors.New("no server"))
			l.Lose(errors.New("no disk"))
		}, false, "# no disk\n# no server\n", 1},
		{"which side was the limit is no warning", func(l *Ledger) { l.LimitedBy("B", "the client") }, true, "# limit: the client in B\n", 0},
		{"two cases are named", func(l *Ledger) { l.LimitedBy("B", "the client"); l.LimitedBy("A", "the client") }, true, "# limit: the client in A and B\n", 0},
		{"each with its limit", func(l *Ledger) { l.LimitedBy("B", "the client"); l.LimitedBy("A", "the server") }, true, "# limit: the client in B, the server in A\n", 0},
		{"more are counted, the most frequent first", func(l *Ledger) {
			for i, side := range []string{"the client", "neither side", "the server", "the server"} {
				l.LimitedBy(fmt.Sprint(i), side)
			}
		}, true, "# limit: the server in 2 cases, neither side in 1, the client in 1\n", 0},
		{"a later round, in which it is not known, takes it back", func(l *Ledger) { l.LimitedBy("B", "the client"); l.LimitedBy("B", "") }, true, "", 0},
		{"so does an interrupt", func(l *Ledger) { l.LimitedBy("B", "the client"); l.Drop("B") }, true, "", 0},
		{"figures that are absent are not wrong", func(l *Ledger) { l.HasNoFigures("B", "x: no", "y: no") }, true, "# no figures: B: x: no; y: no\n", 0},
		{"all, in their order", func(l *Ledger) {
			l.FailedWith("B", "f")
			l.Warn("C", "w")
			l.Warn("A", "v")
			l.TookMemory("B", "m")
			l.LimitedBy("A", "the server")
		}, false, "# memory: B: m\n# limit: the server in A\n# warning: A: v\n# warning: C: w\n# failed calls: B: f\n", 1},
	} {
		l := New(nil)
		c.enter(l)
		var text strings.Builder
		assert.Equal(t, c.code, l.Close(&text, c.strict), c.about)
		assert.Equal(t, c.text, text.String(), c.about)
	}
}

func TestVersionsAreCorrected(t *testing.T) {
	l := New(map[string]string{"a": "v1", "b": "v1"})
	before := l.Known()
	assert.Equal(t, map[string]string{"b": "v2"}, l.Correct(map[string]string{"a": "v1", "b": "v2"}))
	assert.Empty(t, l.Correct(map[string]string{"b": "v2"}))
	assert.Equal(t, map[string]string{"a": "v1", "b": "v2"}, l.Known())
	assert.Equal(t, "v1", before["b"], "what was handed out stays as it was")
}

func TestRecordsThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	l := New(nil)
	require.NoError(t, l.KeepIn(dir, ""))
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.WriteFile(dir, nil, 0o666))
	l.Record(&record.Record{Benchmark: "BenchmarkA", Result: &loadgen.Result{}}, nil)
	var text strings.Builder
	assert.Equal(t, 1, l.Close(&text, false))
	assert.Contains(t, text.String(), "# -results="+dir+": 1 records could not be written: ")
}
