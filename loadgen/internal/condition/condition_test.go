package condition

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		about, text string
		want        Condition
	}{
		{"a percentile", "p99<200ms", Condition{Kind: Percentile, Quantile: .99, op: "<", Limit: 200e6}},
		{"spaces", " p99.9 <= 1s ", Condition{Kind: Percentile, Quantile: .999, op: "<=", Limit: 1e9}},
		{"a column", "service.p50<1.5ms", Condition{Kind: Percentile, Column: Service, Quantile: .5, op: "<", Limit: 1.5e6}},
		{"the column that is the default", "response.max>1us", Condition{Kind: Max, op: ">", Limit: 1e3}},
		{"the lag", "lag.mean<1ms", Condition{Kind: Mean, Column: Lag, op: "<", Limit: 1e6}},
		{"a share", "errors<0.1%", Condition{Kind: Errors, op: "<", Limit: .1, Share: true}},
		{"a count", "dropped=0", Condition{Kind: Dropped, op: "="}},
		{"an equals sign as in programs", "errors==3", Condition{Kind: Errors, op: "=", Limit: 3}},
		{"a rate", "goodput>=490/s", Condition{Kind: Goodput, op: ">=", Limit: 490}},
		{"a rate without a unit", "goodput>=490", Condition{Kind: Goodput, op: ">=", Limit: 490}},
		{"calls", "calls>=1e3", Condition{Kind: Calls, op: ">=", Limit: 1000}},
		{"warnings", "warnings=0", Condition{Kind: Warnings, op: "="}},
		{"a part", "p99{GET /a,b<c}<1s", Condition{Kind: Percentile, Quantile: .99, Part: "GET /a,b<c", op: "<", Limit: 1e9}},
		{"a part in braces", "errors{a{b}}=0", Condition{Kind: Errors, Part: "a{b}", op: "="}},
	} {
		list, err := Parse(c.text)
		require.NoError(t, err, c.about)
		require.Len(t, list, 1, c.about)
		assert.InDelta(t, c.want.Quantile, list[0].Quantile, 1e-12, c.about)
		assert.InDelta(t, c.want.Limit, list[0].Limit, 1e-12, c.about)
		got := list[0]
		got.Text, got.Quantile, got.Limit = "", c.want.Quantile, c.want.Limit
		assert.Equal(t, c.want, got, c.about)
	}
}

func TestSeveralConditions(t *testing.T) {
	list, err := Parse("p99<1s, errors{a,b}=0,", "max<2s")
	require.NoError(t, err)
	var texts []string
	for _, c := range list {
		texts = append(texts, c.Text)
	}
	assert.Equal(t, []string{"p99<1s", "errors{a,b}=0", "max<2s"}, texts)
}

func TestWhatIsNoCondition(t *testing.T) {
	for _, c := range []struct{ about, text, say string }{
		{"nothing", "", "no condition is given: conditions are as in p99<200ms"},
		{"commas alone", " , ", `condition "" has none of <, <=, >, >= and =`},
		{"no limit", "p99", `condition "p99" has none of <, <=, >, >= and =`},
		{"a figure that is not there", "p99.9.9<1s", `condition "p99.9.9<1s": "p99.9.9" is not known: conditions are as in`},
		{"a word", "latency<1s", `"latency" is not known`},
		{"no figure", "<1s", `"" is not known`},
		{"a percentile of all", "p100<1s", `"p100" is not known`},
		{"a percentile that is no number", "pNaN<1s", `"pNaN" is not known`},
		{"a share of another column", "service.errors<1%", `"service.errors" is not known`},
		{"a column that is not there", "blocked.p99<1s", `"blocked.p99" is not known`},
		{"a time without a unit", "p99<200", `"200" is not a time, as in 200ms or 1.5s`},
		{"a negative time", "p99<-1s", `"-1s" is not a time`},
		{"a count that is none", "errors<few", `"few" is not a number`},
		{"a count without end", "errors<Inf", `"Inf" is not a number`},
		{"a time of a count", "errors<1s", `"1s" is not a number`},
		{"a share of a rate", "goodput>90%", `"90%" is a share: only errors and dropped have one`},
		{"half a brace", "p99{a<1s", "the brace { has no }"},
		{"a name in the middle", "p9{a}9<1s", "the call must stand between the figure and the limit, as in p99{NAME}<200ms"},
		{"a name in front", "{a}p99<1s", "the call must stand between the figure and the limit"},
		{"a name and no limit", "p99{a}", "the call must stand between the figure and the limit"},
		{"no name", "p99{}<1s", "between { and } is no name of a call"},
		{"warnings of a part", "warnings{a}=0", "warnings are of all calls together"},
	} {
		_, err := Parse(c.text)
		assert.ErrorContains(t, err, c.say, c.about)
	}
}

func TestMet(t *testing.T) {
	for _, c := range []struct {
		op    string
		wants [3]bool // of less, equal and more
	}{
		{"<", [3]bool{true, false, false}},
		{"<=", [3]bool{true, true, false}},
		{">", [3]bool{false, false, true}},
		{">=", [3]bool{false, true, true}},
		{"=", [3]bool{false, true, false}},
		{"==", [3]bool{false, true, false}},
	} {
		list, err := Parse("calls" + c.op + "5")
		require.NoError(t, err)
		assert.Equal(t, c.wants, [3]bool{list[0].Met(4), list[0].Met(5), list[0].Met(6)}, c.op)
	}
}
