package history

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// nullRecords are of several names of one version, so no name differs from another.
const nullRecords = "testdata/null-*.txt"

// In 20 histories that are drawn from a record in which nothing changes there is no
// step, and of 8 in which one case takes 10 % more CPU from some version on it is found in
// 7 at least, within one release. (Two more are measured: 9 of 10 must be found.)
func TestHistoriesDrawnFromASimulation(t *testing.T) {
	assertHistories(t, simulation{versions: 12, rounds: 20, noise: .06}.record(1))
}

func TestHistoriesDrawnFromARecord(t *testing.T) {
	files, err := filepath.Glob(nullRecords)
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there is no record of one version under several names: " + nullRecords)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r, err := Read(file)
			require.NoError(t, err)
			assertHistories(t, r)
		})
	}
}

func assertHistories(t *testing.T, null *Record) {
	assert.GreaterOrEqual(t, null.Done, null.RoundsForSteps())
	for seed := range uint64(20) {
		for _, s := range drawn(null, rand.New(rand.NewPCG(seed, 11))).Steps() {
			t.Errorf("history %d: %s %s at %s: %+v, chance %v", seed, s.Name.Full, s.Unit, s.Version(), s.Change, s.Chance)
		}
	}
	found := 0
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 12))
		found += one(foundPlanted(drawn(null, r), r))
	}
	t.Logf("%d of 8 planted steps are found", found)
	assert.GreaterOrEqual(t, found, 7)
}

// drawn is a history of as many rounds, each one of the record's. In each round the names
// are given out anew: if a name kept its processes, what chance made of its mean in the
// record would be in all rounds, as a change is.
func drawn(from *Record, r *rand.Rand) *Record {
	to := *from
	to.Lines = nil
	for round := 1; round <= from.Done; round++ {
		source := strconv.Itoa(1 + r.IntN(from.Done))
		name := map[string]string{}
		for i, p := range r.Perm(len(from.Versions)) {
			name[from.Versions[i]] = from.Versions[p]
		}
		for _, l := range from.Lines {
			if v := name[l.Config["version"]]; v != "" && l.Config["round"] == source {
				l.Config = maps.Clone(l.Config)
				l.Config["version"], l.Config["round"] = v, strconv.Itoa(round)
				to.Lines = append(to.Lines, l)
			}
		}
	}
	return &to
}

// foundPlanted adds a step to the CPU times of a case, and reports whether it is found.
func foundPlanted(record *Record, r *rand.Rand) bool {
	cases, _ := byCase(record.of(record.Versions))
	name, at := cases[r.IntN(len(cases))], 1+r.IntN(len(record.Versions)-1)
	plant(record, name, record.Versions[at:], 1.1)
	return slices.ContainsFunc(record.Steps(), func(s Step) bool {
		return s.Name.Full == name && slices.Contains(record.Versions[max(at-1, 0):min(at+2, len(record.Versions))], s.Version())
	})
}

// plant multiplies the CPU times that versions have of a case.
func plant(record *Record, name string, versions []string, factor float64) {
	for i, l := range record.Lines {
		if l.Full == name && slices.Contains(versions, l.Config["version"]) {
			record.Lines[i] = times(l, factor)
		}
	}
}

func times(l lines.Line, factor float64) lines.Line {
	l.Values = maps.Clone(l.Values)
	for _, unit := range []string{"client-cpu-ns/op", "server-cpu-ns/op", CPU} {
		if v, has := l.Values[unit]; has {
			l.Values[unit] = factor * v
		}
	}
	return l
}
