package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKindsOfErrors(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for about, c := range map[string]struct {
		texts []string
		want  []ErrorKind
	}{
		"ports, numbers and addresses differ, and statuses are told apart": {
			[]string{
				"read tcp 127.0.0.1:43210->127.0.0.1:80: reset", "read tcp 127.0.0.1:55555->127.0.0.1:80: reset",
				"bad magic 0x1f", "bad magic 0xffffffff", "status 503", "status 504",
			},
			[]ErrorKind{{"bad magic …", 2}, {"read tcp 127.0.0.1:…->127.0.0.1:80: reset", 2}, {"status 503", 1}, {"status 504", 1}},
		},
		"a number ends where its digits do": {[]string{"120x1fg0x0x1234.123-12345"}, []ErrorKind{{"12…g…x….123-…", 1}}},
		"a text of 256 bytes is whole":      {[]string{long[:256]}, []ErrorKind{{long[:256], 1}}},
		"of a longer one 253 bytes are":     {[]string{long[:257], long}, []ErrorKind{{long[:253] + "…", 2}}},
		"what comes later tells nothing apart": {
			[]string{long[:300] + "a", long[:300] + "b"},
			[]ErrorKind{{long[:253] + "…", 2}},
		},
		"a number at the cut is one that differs": {
			[]string{long[:250] + "12345 refused", long[:250] + "13579 refused"},
			[]ErrorKind{{long[:250] + "…", 2}},
		},
		"a number of any length is one": {[]string{"n " + strings.Repeat("7", 240)}, []ErrorKind{{"n …", 1}}},
		"a character is not cut in two": {[]string{long[:251] + "負荷試験"}, []ErrorKind{{long[:251] + "…", 1}}},
		"nor one of four bytes":         {[]string{long[:250] + "📈📈"}, []ErrorKind{{long[:250] + "…", 1}}},
		"bytes that are no text are cut": {
			[]string{strings.Repeat("\x80", 300)},
			[]ErrorKind{{strings.Repeat("\x80", 253) + "…", 1}},
		},
		"an error may say nothing": {[]string{"", ""}, []ErrorKind{{"", 2}}},
	} {
		var f failure.Calls
		for _, text := range c.texts {
			f.Add(errors.New(text), time.Millisecond, 0)
		}
		assert.Equal(t, c.want, listOf(f.Kinds), about)
		for _, k := range listOf(f.Kinds) {
			assert.LessOrEqual(t, len(k.Text), failure.MaxKind, about)
			assert.Equal(t, k.Text, string(failure.Append(nil, k.Text)), "a kind is of its own kind")
		}
	}
}

// differing is what "…" stands for in a kind.
var differing = regexp.MustCompile(`0x[0-9a-f]+|[0-9]{4,}`)

// FuzzKinds: a kind is short, and text if the error is.
func FuzzKinds(f *testing.F) {
	for _, text := range []string{"0x1f", strings.Repeat("負12345", 99), "0x\xff0000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kind := string(failure.Append(nil, text))
		assert.LessOrEqual(t, len(kind), failure.MaxKind)
		assert.True(t, utf8.ValidString(kind) || !utf8.ValidString(text))
		if len(text) <= failure.MaxKind {
			assert.Equal(t, differing.ReplaceAllString(text, "…"), kind)
		}
	})
}

// TestKindsAreFew however many texts differ, and no call is lost: in a run, by Merge and
// in JSON.
func TestKindsAreFew(t *testing.T) {
	failing := func(rank int) Call {
		n := 0
		return func(context.Context, int) error {
			n++
			time.Sleep(time.Millisecond)
			return fmt.Errorf("%c%d of rank %d: %s", 'a'+n%26, n/26, rank, strings.Repeat("負", 3000))
		}
	}
	var sum Result
	for rank := range 20 {
		res, err := fake(t, Config{Workers: 1, Schedule: ClosedLoop, Calls: 1000}, failing(rank))
		require.NoError(t, err)
		checkSums(t, res)
		assert.Len(t, res.ErrorKinds, failure.MaxKinds+1)
		assert.Equal(t, ErrorKind{failure.Others, 980}, res.ErrorKinds[0])
		assert.LessOrEqual(t, len(res.Warnings[0].Error()), 2100, "every call failed")
		require.NoError(t, sum.Merge(res))
	}
	assert.Len(t, sum.ErrorKinds, maxMergedKinds+1)
	assert.Equal(t, ErrorKind{failure.Others, 20_000 - maxMergedKinds}, sum.ErrorKinds[0])
	data, err := json.Marshal(&sum)
	require.NoError(t, err)
	var read Result
	require.NoError(t, json.Unmarshal(data, &read))
	assert.Equal(t, sum.ErrorKinds, read.ErrorKinds)
}

// TestTextsThatAreReadAreBounded: those of an earlier version, or of anybody.
func TestTextsThatAreReadAreBounded(t *testing.T) {
	r := goodResult()
	long := strings.Repeat("負", 100_000)
	r.ErrorKinds = []ErrorKind{{long + "a", 2}, {long + "b", 1}}
	for range 3 * maxWarnings {
		r.Warnings = append(r.Warnings, fmt.Errorf("rank 7: %w: %s", ErrBusy, long))
		long = "short"
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var read Result
	require.NoError(t, json.Unmarshal(data, &read))
	assert.Equal(t, []ErrorKind{{strings.Repeat("負", 84) + "…", 3}}, read.ErrorKinds)
	require.Len(t, read.Warnings, maxWarnings)
	assert.LessOrEqual(t, len(read.Warnings[0].Error()), maxWarning)
	assert.ErrorIs(t, read.Warnings[0], ErrBusy)
	assert.EqualError(t, read.Warnings[maxWarnings-1], fmt.Sprint(2*maxWarnings+1, " more warnings"))
}

// TestNamesOfAMixAreShort enough for every line and record that has them.
func TestNamesOfAMixAreShort(t *testing.T) {
	for about, c := range map[string]struct{ name, say string }{
		"as long as can be": {strings.Repeat("x", maxName), ""},
		"too long":          {strings.Repeat("負", maxName/3+1), "Mix.Calls[0]: a name of 258 bytes is too long: at most 256"},
		"no text":           {"\xff", `Mix.Calls[0]: the name "\xff" is not UTF-8`},
	} {
		_, err := Mix{Calls: []MixedCall{{Name: c.name, Weight: 1, Call: nop}}}.Run(t.Context(), Config{Workers: 1, Schedule: ClosedLoop, Calls: 1})
		if c.say == "" {
			assert.NoError(t, err, about)
			continue
		}
		assert.ErrorContains(t, err, c.say, about)
	}
	_, err := Mix{Calls: make([]MixedCall, maxParts+1)}.Run(t.Context(), Config{Workers: 1, Schedule: ClosedLoop, Calls: 1})
	assert.EqualError(t, err, "loadgen: a Mix of 257 calls: at most 256 can be measured each by itself")
}

// TestTheTimeOfATextIsInNoCall: what it takes to make the text of an error comes after the
// end of the call that failed, and before the next begins.
func TestTheTimeOfATextIsInNoCall(t *testing.T) {
	for _, schedule := range []Schedule{ClosedLoop, Constant(100)} {
		res, err := fake(t, Config{Workers: 1, Schedule: schedule, Calls: 10, Check: func(int) error { return nil }}, func(context.Context, int) error {
			time.Sleep(time.Millisecond)
			return slowText{}
		})
		require.NoError(t, err)
		assert.EqualValues(t, 10, res.Failed)
		assert.Zero(t, res.Service.Over(time.Millisecond))
	}
}

// slowText takes its time to say what is wrong.
type slowText struct{}

func (slowText) Error() string { time.Sleep(5 * time.Millisecond); return "slow" }
