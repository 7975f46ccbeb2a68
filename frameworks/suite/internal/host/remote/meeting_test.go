package remote

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rankOf brings a rank of two to a run.
func rankOf(t *testing.T, m *Machine, run string, rank int) *Rank {
	t.Helper()
	r, err := m.Come(t.Context(), run, Place{Rank: rank, Ranks: 2, Machine: "here", PID: rank + 1, Facts: json.RawMessage(`{}`)})
	require.NoError(t, err)
	return r
}

// pair is a run of two ranks, the second of which follows.
func pair(t *testing.T, addr string, do func(path string, body []byte) (any, error)) (first *Rank, second *Other, followed chan error) {
	first = rankOf(t, dial(t, addr), t.Name(), 0)
	other := rankOf(t, dial(t, addr), t.Name(), 1)
	followed = make(chan error, 1)
	go func() { followed <- other.Follow(patience, do) }()
	there, err := first.Gather(2, patience, func(int) {})
	require.NoError(t, err)
	return first, first.Others(there)[0], followed
}

func TestOrders(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	first, second, followed := pair(t, addr, func(path string, body []byte) (any, error) {
		if path == "/fail" {
			return nil, errors.New("it\nfailed")
		}
		return path + string(body), nil
	})
	assert.Equal(t, "rank 1 (here, process 2)", second.Name())
	long := strings.Repeat("x", 3<<20)
	for range 3 {
		var reply string
		require.NoError(t, second.Ask("/a", long, &reply))
		assert.Equal(t, `/a"`+long+`"`, reply)
	}
	err := second.Ask("/fail", nil, new(string))
	assert.EqualError(t, err, `rank 1 (here, process 2): it\nfailed`)
	require.NoError(t, first.End(""))
	assert.NoError(t, <-followed, "an orderly end")
	_, err = dial(t, addr).Come(t.Context(), t.Name(), Place{Rank: 1, Ranks: 2})
	assert.ErrorContains(t, err, "rank 1 comes too late: the run is over; each run has a name of its own (-run-name)")
}

// TestAnEndDuringAnOrder is an orderly one for the rank that carries it out, too.
func TestAnEndDuringAnOrder(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	first, second := rankOf(t, dial(t, addr), t.Name(), 0), rankOf(t, dial(t, addr), t.Name(), 1)
	there, err := first.Gather(2, patience, func(int) {})
	require.NoError(t, err)
	go first.Others(there)[0].Ask("/a", nil, new(string))
	assert.NoError(t, second.Follow(patience, func(string, []byte) (any, error) {
		assert.NoError(t, first.End(""))
		<-second.ctx.Done()
		return nil, nil
	}))
}

func TestARunThatIsGivenUp(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	first, second, followed := pair(t, addr, func(string, []byte) (any, error) { return nil, nil })
	require.NoError(t, first.End("rank 0 was interrupted"))
	assert.ErrorContains(t, <-followed, "rank 0 was interrupted")
	assert.Error(t, second.Ask("/a", nil, new(string)))
}

// TestNamesOfRuns: each is told as it is, or refused before anybody is asked.
func TestNamesOfRuns(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	m := dial(t, addr)
	for _, name := range []string{"a/b", "a/../b", "a//b", "%2e%2e", "a?b#c", "2026-01-01T10:00", "läuft gut", "...", strings.Repeat("x", mostName)} {
		r, err := m.Come(t.Context(), name, Place{Rank: 0, Ranks: 2})
		if assert.NoError(t, err, name) {
			r.end(errors.New("enough"))
		}
		assert.Error(t, m.call(t.Context(), patience, http.MethodGet, "/runs/b/roster", nil, &struct{}{}), "it is another run: %s", name)
	}
	for _, name := range []string{"", ".", "..", "a\nb", "a\x00b", "a\xffb", strings.Repeat("x", mostName+1)} {
		_, err := m.Come(t.Context(), name, Place{Rank: 0, Ranks: 2})
		assert.ErrorContains(t, err, "is no name of a run", "%q", name)
	}
}

// A rank that has gone is missed, and named to the others.
func TestARankThatGoes(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	first := rankOf(t, dial(t, addr), "run", 0)
	gone := rankOf(t, dial(t, addr), "run", 1)
	there, err := first.Gather(2, patience, func(int) {})
	require.NoError(t, err)
	gone.end(errors.New("its process has ended"))
	err = first.Others(there)[0].Ask("/a", nil, new(string))
	assert.ErrorContains(t, err, "rank 1 (here, process 2) has ended, or its machine is cut off")
}

func TestWhoMayCome(t *testing.T) {
	t.Parallel()
	addr, _ := serving(t, Config{})
	m := dial(t, addr)
	for about, c := range map[string]struct {
		place Place
		want  string
	}{
		"twice":           {Place{Rank: 0, Ranks: 2}, "there is a rank 0 already: rank 0 (here, process 1)"},
		"of another size": {Place{Rank: 1, Ranks: 3}, "rank 1 is one of 3, and those who came before are of 2"},
		"alone":           {Place{Rank: 0, Ranks: 1}, "there may be 2 to 1000 ranks"},
		"beyond":          {Place{Rank: 2, Ranks: 2}, "rank 2 of 2: there may be"},
		"below":           {Place{Rank: -1, Ranks: 2}, "rank -1 of 2: there may be"},
	} {
		rankOf(t, m, about, 0)
		_, err := m.Come(t.Context(), about, c.place)
		assert.ErrorContains(t, err, c.want, about)
	}
	_, err := rankOf(t, m, "run", 0).Gather(2, 300*time.Millisecond, func(int) {})
	assert.EqualError(t, err, "rank 1 of 2 has not come within 300ms")
	assert.Equal(t, "ranks 0, 2 of 4 have", missing(Roster{1: {}, 3: {}}, 4))
	err = m.call(t.Context(), patience, http.MethodGet, "/runs/nowhere/roster", nil, &struct{}{})
	assert.ErrorContains(t, err, `there is no run "nowhere" here`)
}

// A clock that is a little wrong is corrected, and one that is far off refused.
func TestClocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		about string
		ahead time.Duration // of the serving side
		want  string
	}{
		{"a little", 500 * time.Millisecond, ""},
		{"far", time.Minute, `the clock of rank 0 \(here\) is -\d`},
		{"as far behind", -time.Minute, `the clock of rank 0 \(here\) is \d`},
	} {
		addr := peer(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(servingHeader, "1")
			switch r.URL.Path {
			case "/machine":
				json.NewEncoder(w).Encode(About{})
			case "/runs/clock":
				json.NewEncoder(w).Encode(time.Now().Add(tt.ahead))
			default:
				w.Write([]byte("{}"))
			}
		})
		r, err := dial(t, addr).Come(t.Context(), "run", Place{Ranks: 2, Machine: "here"})
		if tt.want != "" {
			require.Error(t, err, tt.about)
			assert.Regexp(t, tt.want, err.Error(), tt.about)
			continue
		}
		require.NoError(t, err, tt.about)
		now := time.Now()
		assert.WithinDuration(t, now.Add(tt.ahead), r.There(now), 450*time.Millisecond) // less than it is ahead
		assert.WithinDuration(t, now, r.Here(r.There(now)), time.Microsecond)
		r.end(errors.New("enough"))
	}
}
