package work

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
)

func TestNamesOfWorkloads(t *testing.T) {
	for _, bad := range []string{"", "a/b", "a=b", "a,b", "a b", "steady"} {
		w := New([]workload.Workload{{Name: "steady"}, {Name: bad}})
		assert.ErrorContains(t, w.Check(), "Config.Workloads: the name", "%q", bad)
	}
}

func TestASlowServerIsToldAFactor(t *testing.T) {
	w := New([]workload.Workload{{Name: "nop"}, {Name: "sleep", Flag: "sleep", Default: "1ms", Scales: true}, {Name: "cpu", Flag: "rounds", Scales: true}})
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	w.Register(fs)
	require.NoError(t, fs.Parse([]string{"-sleep=150us:90_2ms:10"}))
	assert.Equal(t, "sleep=150us:90_2ms:10", w.Arg("sleep"))
	arg, err := w.SlowArg("sleep", 10)
	require.NoError(t, err)
	assert.Equal(t, "sleep=10x:150us:90_2ms:10", arg)
	_, err = w.SlowArg("nop", 10)
	assert.EqualError(t, err, "workload=nop cannot take 10 times as long: of all workloads, only sleep and cpu can")
}
