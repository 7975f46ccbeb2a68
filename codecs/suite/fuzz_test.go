package suite

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// fuzzedFake is the environment variable with the name of the fake that FuzzPlanted
// fuzzes, and of its hazard.
const fuzzedFake = "RPCBENCH_TEST_FUZZED"

func FuzzPlanted(f *testing.F) {
	e := fakes[0]
	name, hazard, _ := strings.Cut(os.Getenv(fuzzedFake), " ")
	own, _ := ownTable()
	for _, other := range slices.Concat(oddities(), fakes, own.Entries) {
		if other.Codec == name {
			e = other
		}
	}
	e.Hazard = map[string]Hazard{"panics": Panics, "kills": Kills}[hazard]
	Fuzz(f, e)
}

// TestFuzz runs the target with a fault planted in its decoder.
func TestFuzz(t *testing.T) {
	for _, row := range []struct {
		about, fake, args string
		code              int
		say               string
	}{
		{"a good decoder passes with its seeds", "good", "", 0, "PASS: FuzzPlanted"},
		{"one that does not return what was sent fails", "loses", "", 1, "Field272:"},
		{"so does one that kills its process, without fuzzing", "loses kills", "", 1, "Field272:"},
		{"a panic fails", "panics", "-test.fuzz=Planted", 1, "panics: "},
		{"but for what is declared to panic", "panics panics", "-test.fuzz=Planted", 0, "PASS: FuzzPlanted"},
		{"what kills its process is not fuzzed", "kills kills", "-test.fuzz=Planted", 0, "kills its process"},
		{"and passes with its seeds", "kills kills", "", 0, "PASS: FuzzPlanted"},
	} {
		t.Run(row.about, func(t *testing.T) {
			args := []string{
				"-test.run=^FuzzPlanted$", "-test.v", "-test.fuzztime=300x", "-test.parallel=1",
				"-test.fuzzminimizetime=1x", "-test.fuzzcachedir=" + t.TempDir(),
			}
			out, errOut, code := selfIn(t, t.TempDir(), []string{fuzzedFake + "=" + row.fake}, append(args, strings.Fields(row.args)...)...)
			assert.Equal(t, row.code, code, errOut)
			assert.Contains(t, out, row.say)
		})
	}
}
