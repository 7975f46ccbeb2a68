package record

import (
	"context"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// shop is the result of a mix in fake time: 20 calls a second, of which a quarter fails.
func shop(t *testing.T, calls int64) (res *loadgen.Result) {
	t.Helper()
	call := func(takes time.Duration, err error) loadgen.Call {
		return func(context.Context, int) error { time.Sleep(takes); return err }
	}
	m := loadgen.Mix{
		Calls: []loadgen.MixedCall{{Name: "list", Call: call(2*time.Nanosecond, nil)}, {Name: "=buy()", Call: call(time.Microsecond, errors.New("sold out"))}},
		Pick: func(number int64) int {
			if number%4 == 3 {
				return 1
			}
			return 0
		},
	}
	synctest.Test(t, func(t *testing.T) {
		var err error
		res, err = m.Run(t.Context(), loadgen.Config{Workers: 1, Schedule: loadgen.Constant(20), Calls: calls, RuntimeTimers: true})
		require.NoError(t, err)
	})
	return res
}

func TestCSV(t *testing.T) {
	var text strings.Builder
	require.NoError(t, WriteCSV(&text, shop(t, 33)))
	assert.Equal(t, `part,interval,start_s,length_s,due,sent,ok,failed,dropped,goodput_per_s,error_ratio,p50_ms,p90_ms,p95_ms,p99_ms,p99.9_ms,max_ms
,,0,1.600000002,33,33,25,8,0,15.62499998046875,0.24242424242424243,0.000002,,,,,0.001
,0,0,1,,20,15,5,,15,0.25,0.000002,0.001,,0.001,,0.001
,1,1,0.600000002,,13,10,3,,16.66666661111111,0.23076923076923078,0.000002,0.001,,0.001,,0.001
list,,0,1.600000002,25,25,25,0,0,15.62499998046875,0,0.000002,,,,,0.000002
list,0,0,1,,15,15,0,,15,0,0.000002,0.000002,,0.000002,,0.000002
list,1,1,0.600000002,,10,10,0,,16.66666661111111,0,0.000002,0.000002,,0.000002,,0.000002
'=buy(),,0,1.600000002,8,8,0,8,0,0,1,0.001,,,,,0.001
'=buy(),0,0,1,,5,0,5,,0,1,0.001,0.001,,0.001,,0.001
'=buy(),1,1,0.600000002,,3,0,3,,0,1,0.001,0.001,,0.001,,0.001
`, text.String())
}

// TestCSVOfWhatIsNotKnown has an empty cell for it.
func TestCSVOfWhatIsNotKnown(t *testing.T) {
	merged := new(loadgen.Result)
	for range 2 {
		require.NoError(t, merged.Merge(shop(t, 20)))
	}
	merged.Series[0].Length = 0 // as an earlier version wrote it
	none := &loadgen.Result{}
	for about, c := range map[string]struct {
		result *loadgen.Result
		row    int
		want   string
	}{
		"points of several processes have no percentiles, and old ones no length": {merged, 2, ",0,0,,,40,30,10,,,0.25,,,,,,0.001"},
		"a run without calls has no figures":                                      {none, 1, ",,0,0,0,0,0,0,0,,,,,,,,"},
	} {
		var text strings.Builder
		require.NoError(t, WriteCSV(&text, c.result))
		assert.Equal(t, c.want, strings.Split(text.String(), "\n")[c.row], about)
	}
}

// TestNoNameIsAFormula, and any name comes back as it was but for the apostrophe.
func TestNoNameIsAFormula(t *testing.T) {
	for name, want := range map[string]string{
		"a":                  "a",
		"a=b":                "a=b",
		"":                   "",
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		"+1":                 "'+1",
		"-1":                 "'-1",
		"@SUM(A1)":           "'@SUM(A1)",
		"\t=1":               "'\t=1",
		"a,\"b\"\nc":         "a,\"b\"\nc",
	} {
		var text strings.Builder
		res := &loadgen.Result{Parts: []loadgen.Part{{Name: name, Result: &loadgen.Result{}}}}
		require.NoError(t, WriteCSV(&text, res))
		rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		require.NoError(t, err)
		assert.Equal(t, want, rows[2][0])
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestWhatCannotBeWritten(t *testing.T) {
	assert.EqualError(t, WriteCSV(full{}, shop(t, 20)), "the disk is full")
	assert.EqualError(t, aRecord(t).Encode(full{}), "the disk is full")
	var text strings.Builder
	bad := aRecord(t)
	bad.RunName = ""
	assert.EqualError(t, bad.Encode(&text), "record: the name of the run or of the benchmark is missing")
	assert.Empty(t, text.String())
}
