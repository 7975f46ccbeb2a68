package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// met is a meeting to which ranks of two have come.
func met(t *testing.T, all *meetings, ranks ...int) *meeting {
	t.Helper()
	m, err := all.open("run", false)
	require.NoError(t, err)
	for _, rank := range ranks {
		require.NoError(t, m.come(Place{Rank: rank, Ranks: 2, Visit: "first"}))
	}
	return m
}

// A rank that does not belong ends a meeting that waits for its place, and no other one.
func TestARefusedRankEndsAMeetingThatWaits(t *testing.T) {
	for _, c := range []struct {
		about string
		ranks []int
		place Place
		want  string
		ends  bool
	}{
		{"of another size, while one is missing", []int{0}, Place{Rank: 1, Ranks: 3}, "rank 1 is one of 3, and those who came before are of 2", true},
		{"of another size, when all are there", []int{0, 1}, Place{Rank: 2, Ranks: 3}, "rank 2 is one of 3, and those who came before are of 2", false},
		{"of a smaller run, when all are there", []int{0, 1}, Place{Rank: 1, Ranks: 1, Visit: "first"}, "rank 1 is one of 1, and those who came before are of 2", false},
		{"a rank that is there, while one is missing", []int{0}, Place{Rank: 0, Ranks: 2, Visit: "second"}, "there is a rank 0 already", false},
		{"a rank whose request is made again", []int{0}, Place{Rank: 0, Ranks: 2, Visit: "first"}, "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := met(t, new(meetings), c.ranks...)
			err := m.come(c.place)
			if c.want == "" {
				assert.NoError(t, err, c.about)
			} else {
				assert.ErrorContains(t, err, c.want, c.about)
			}
			assert.Equal(t, c.ends, m.ended != nil, c.about)
			assert.Len(t, m.members, len(c.ranks), c.about)
		})
	}
}

// answered is what the serving side answers to a request of a rank.
func answered(all *meetings, method, path, body string) (code int, text string) {
	w := httptest.NewRecorder()
	all.handler().ServeHTTP(w, httptest.NewRequest(method, "/runs/"+path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func TestHowManyMayMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := new(meetings)
		for run := range maxMeetings + 1 {
			code, text := answered(all, http.MethodPut, fmt.Sprintf("%d/come", run), fmt.Sprintf(`{"Rank":0,"Ranks":%d}`, maxRanks))
			if run == maxMeetings {
				assert.Equal(t, http.StatusConflict, code)
				assert.Contains(t, text, "16 runs meet here already")
			} else {
				assert.Equal(t, http.StatusOK, code, text)
			}
		}
		code, text := answered(all, http.MethodPut, "0/come", `{"Rank":1,"Ranks":1001}`)
		assert.Equal(t, http.StatusConflict, code)
		assert.Contains(t, text, "there may be 2 to 1000 ranks")
	})
}

// TestAnyNumberOfRunsMayMeet one after another. The names of the newest are remembered.
func TestAnyNumberOfRunsMayMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := new(meetings)
		for run := range mostRemembered + 2*maxMeetings {
			code, text := answered(all, http.MethodPut, fmt.Sprintf("%d/come", run), `{"Rank":0,"Ranks":2}`)
			require.Equal(t, http.StatusOK, code, "run %d: %s", run, text)
			code, text = answered(all, http.MethodPut, fmt.Sprintf("%d/end", run), `""`)
			require.Equal(t, http.StatusOK, code, "run %d: %s", run, text)
		}
		assert.Len(t, all.all, mostRemembered)
		_, text := answered(all, http.MethodPut, fmt.Sprintf("%d/come", mostRemembered), `{"Rank":0,"Ranks":2}`)
		assert.Contains(t, text, "rank 0 comes too late: the run is over")
		time.Sleep(remembered + time.Second)
		synctest.Wait()
		assert.Empty(t, all.all)
		assert.Empty(t, all.ended)
	})
}

// TestARefusedRankHoldsNothing, whatever it says: no meeting waits for others.
func TestARefusedRankHoldsNothing(t *testing.T) {
	all := new(meetings)
	for about, c := range map[string]struct{ path, body, want string }{
		"no JSON":                     {"run/come", `{"Rank":`, "unexpected EOF"},
		"a rank beyond":               {"run/come", `{"Rank":9,"Ranks":2}`, "rank 9 of 2"},
		"a body of 64 KiB":            {"run/come", `{"Machine":"` + strings.Repeat("x", maxBody) + `"}`, "too large"},
		"a name of control":           {"a%0ab/come", `{"Rank":0,"Ranks":2}`, "is no name of a run"},
		"a name that is not UTF-8":    {"a%ffb/come", `{"Rank":0,"Ranks":2}`, "is no name of a run"},
		"a name that is far too long": {strings.Repeat("x", mostName+1) + "/come", `{"Rank":0,"Ranks":2}`, "is no name of a run"},
	} {
		code, text := answered(all, http.MethodPut, c.path, c.body)
		assert.Equal(t, http.StatusConflict, code, about)
		assert.Contains(t, text, c.want, about)
		assert.Less(t, len(text), 2*mostName+200, about)
	}
	assert.Empty(t, all.all)
}

// TestOrdersAreHeldNoLongerThanNeeded: their memory is bounded, and free when replies have
// come and the run is over.
func TestOrdersAreHeldNoLongerThanNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a busy machine may need longer than a rank may be absent
		all := new(meetings)
		m := met(t, all, 0, 1)
		large := strings.Repeat("x", 8<<20)
		before := heap()
		for number := range 8 {
			path := fmt.Sprintf("run/ranks/1/orders/%d", number+1)
			code, text := answered(all, http.MethodPut, path, large)
			require.Equal(t, http.StatusOK, code, text)
			code, text = answered(all, http.MethodPut, strings.Replace(path, "orders", "replies", 1), "done")
			require.Equal(t, http.StatusOK, code, text)
		}
		assert.EqualValues(t, len("done"), all.room.taken, "the replies have come")
		_, _ = answered(all, http.MethodPut, "run/ranks/1/orders/9", large)
		assert.EqualValues(t, len(large), all.room.taken, "the order is under way")
		require.NoError(t, all.room.take(maxMessage))
		require.NoError(t, all.room.take(maxMessage))
		require.NoError(t, all.room.take(maxMessage))
		assert.ErrorContains(t, all.room.take(maxMessage), "256 MiB of orders and replies under way, the most at once")
		all.room.give(3 * maxMessage)
		m.end(errOver)
		assert.Zero(t, all.room.taken)
		assert.Less(t, heap(), before+4<<20, "of 72 MiB that were sent")
		code, _ := answered(all, http.MethodPut, "run/ranks/1/orders/10", large)
		assert.Equal(t, http.StatusOK, code, "the meeting says itself that it is over")
		assert.Zero(t, all.room.taken, "nobody will ask for it")
		runtime.KeepAlive(large)
	})
}

// heap is how many bytes are in use after a garbage collection.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A roster comes as soon as there are more ranks than are known, and after a while anyhow. It has
// those that are not known.
func TestRostersWaitForMore(t *testing.T) {
	for known, waits := range map[int]bool{-1: false, 0: false, 1: false, 2: true, 3: true} {
		synctest.Test(t, func(t *testing.T) {
			all := new(meetings)
			m := met(t, all, 0, 1)
			m.attend(m.members[0])
			m.attend(m.members[1])
			begin := time.Now()
			code, text := answered(all, http.MethodGet, fmt.Sprint("run/roster?known=", known), "")
			assert.Equal(t, http.StatusOK, code)
			assert.Equal(t, known < 1, strings.Contains(text, `"0":{"Rank":0`), "%d are known: %s", known, text)
			assert.Equal(t, known < 2, strings.Contains(text, `"1":{"Rank":1`), "%d are known: %s", known, text)
			assert.Equal(t, waits, time.Since(begin) == longestWait, "%d are known", known)
		})
	}
}

// rosters is what rank 0 asks for until it knows all of those who have come.
func rosters(t *testing.T, all *meetings, there Roster, ranks int) (longest, sum int) {
	t.Helper()
	for len(there) < ranks {
		code, text := answered(all, http.MethodGet, fmt.Sprint("run/roster?known=", len(there)), "")
		require.Equal(t, http.StatusOK, code, text)
		require.NoError(t, json.Unmarshal([]byte(text), &there))
		longest, sum = max(longest, len(text)), sum+len(text)
	}
	return longest, sum
}

// TestRostersOfAsManyAsMayMeet are read whole, and tell each rank once, whether all come before
// rank 0 asks or one by one.
func TestRostersOfAsManyAsMayMeet(t *testing.T) {
	for _, c := range []struct {
		about  string
		facts  string
		ranks  int
		before int // ranks that come between two questions
	}{
		{"all at once", strings.Repeat("x", 1200), maxRanks, maxRanks},
		{"one by one", strings.Repeat("x", 1200), maxRanks, 1},
		{"with all that they may say", strings.Repeat("<", 65_000), 20, 20},
		{"with nothing", "", 3, 3},
	} {
		synctest.Test(t, func(t *testing.T) { // a busy machine may need longer than a rank may be absent
			all, there := new(meetings), Roster{}
			var longest, sum int
			for rank := range c.ranks {
				code, text := answered(all, http.MethodPut, "run/come", fmt.Sprintf(`{"Rank":%d,"Ranks":%d,"Card":%q}`, rank, maxRanks, c.facts))
				require.Equal(t, http.StatusOK, code, text)
				if (rank+1)%c.before == 0 {
					most, bytes := rosters(t, all, there, rank+1)
					longest, sum = max(longest, most), sum+bytes
				}
			}
			assert.Less(t, longest, maxReply, c.about)
			assert.Less(t, sum, c.ranks*(6*len(c.facts)+200), c.about)
			assert.Len(t, there, c.ranks, c.about)
			all.all["run"].end(errOver)
		})
	}
}

func TestOthersAreInTheirOrder(t *testing.T) {
	there := Roster{}
	for rank := range 9 {
		there[rank] = Place{Rank: rank}
	}
	var got []int
	for _, o := range (&Rank{rank: 3}).Others(there) {
		got = append(got, o.Rank)
	}
	assert.Equal(t, []int{0, 1, 2, 4, 5, 6, 7, 8}, got)
}

// A message with an old number is a request that was made again: the first one counts.
func TestLettersThatAreMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := new(meetings)
		m := met(t, all, 0, 1)
		m.attend(m.members[0])
		m.attend(m.members[1])
		for _, c := range []struct{ about, put, body, get, want string }{
			{"a first order", "1/orders/1", "one", "1/orders/1", "one"},
			{"the same one again", "1/orders/1", "again", "1/orders/1", "one"},
			{"the next one", "1/orders/2", "two", "1/orders/2", "two"},
			{"an old one", "1/orders/1", "late", "1/orders/2", "two"},
			{"its reply is not the order", "1/replies/2", "done", "1/replies/2", "done"},
			{"the other rank has its own", "0/orders/2", "other", "1/replies/2", "done"},
			{"the order is held no more", "1/replies/2", "done", "1/orders/2", ""},
			{"what has not come is waited for", "1/orders/2", "", "1/orders/3", ""},
			{"what has been replaced as well", "1/orders/2", "", "1/orders/1", ""},
		} {
			code, _ := answered(all, http.MethodPut, "run/ranks/"+c.put, c.body)
			assert.Equal(t, http.StatusOK, code, c.about)
			begin := time.Now()
			_, text := answered(all, http.MethodGet, "run/ranks/"+c.get, "")
			assert.Equal(t, c.want, text, c.about)
			waited := time.Since(begin)
			assert.Equal(t, c.want == "", waited == longestWait, "%s: waited %v", c.about, waited)
		}
	})
}

// A rank is lost when nothing of it has attended for a time. It is short after a request that has
// broken off, and otherwise as long as a busy machine may need for the next one.
func TestAbsence(t *testing.T) {
	const begins, isAnswered, breaksOff = "begins", "is answered", "breaks off"
	for _, c := range []struct {
		about    string
		requests []string // what becomes of them, one a second
		lost     time.Duration
		attended int
	}{
		{"it never attends", nil, lateness, 0},
		{"it attends", []string{begins}, 0, 1},
		{"it has attended once", []string{begins, isAnswered}, time.Second + lateness, 0},
		{"it ends while it attends", []string{begins, breaksOff}, time.Second + absence, 0},
		{"it comes late", []string{begins, isAnswered, "", "", "", "", "", begins}, 0, 1},
		{"a request is answered after the next one has begun", []string{begins, begins, isAnswered}, 0, 1},
		{"one breaks off after the next one has begun", []string{begins, begins, breaksOff}, 0, 1},
		{"both are answered", []string{begins, begins, isAnswered, isAnswered}, 3*time.Second + lateness, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := met(t, new(meetings), 0)
			rank, start := m.members[0], time.Now()
			become := map[string]func(){
				begins: func() { m.attend(rank) }, isAnswered: func() { m.leave(rank, lateness) }, breaksOff: func() { m.leave(rank, absence) }, "": func() {},
			}
			for i, what := range c.requests {
				time.Sleep(time.Duration(min(i, 1)) * time.Second)
				become[what]()
			}
			assert.Equal(t, c.attended, rank.attending, c.about)
			lost := time.Duration(0)
			for range lateness/longestWait + 1 {
				if lost == 0 && m.until(t.Context(), func() bool { return false }) != nil {
					lost = time.Since(start)
				}
			}
			assert.Equal(t, c.lost, lost, c.about)
		})
	}
}

// A process that is started again in the place of one that does not attend takes it sooner than the
// meeting would find out. It takes none of a process that attends.
func TestAPlaceIsTaken(t *testing.T) {
	for _, c := range []struct {
		about   string
		attends bool
		code    int
		after   time.Duration
	}{
		{"the other one attends", true, http.StatusConflict, 0},
		{"the other one was answered, and asked no more", false, http.StatusOK, absence + time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			all := new(meetings)
			m := met(t, all, 0, 1)
			m.attend(m.members[0])
			m.attend(m.members[1])
			if !c.attends {
				m.leave(m.members[1], lateness)
			}
			start := time.Now()
			code, text := answered(all, http.MethodPut, "run/come", `{"Rank":1,"Ranks":2,"Visit":"again"}`)
			assert.Equal(t, c.code, code, "%s: %s", c.about, text)
			assert.InDelta(t, c.after.Seconds(), time.Since(start).Seconds(), .1, c.about)
			m.end(errOver)
		})
	}
}
