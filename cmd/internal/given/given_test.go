package given

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct{ about, args, say string }{
		{"none", "", ""},
		{"what is measured", "-test.run=^$ -test.bench=Echo -test.benchtime=1s -test.cpu=1,2 -conc=1", ""},
		{"once is what rounds do", "-test.count=1", ""},
		{"repeats in a process", "-test.bench=Echo -test.count=2", "-test.count=2: the rounds are the repeats, each in a process of its own: leave it out"},
		{"nothing at all", "-test.count=0", "-test.count=0: the rounds are the repeats"},
		{"with a word of its own", "-test.count 2", "-test.count=2: the rounds are the repeats"},
		{"with two dashes", "--test.count=2", "-test.count=2: the rounds are the repeats"},
		{"as go test has it", "-count=2", "-count=2: the rounds are the repeats"},
		{"as a value", "-name count=2", ""},
		{"names alone", "-test.list=.", "-test.list=.: it has names listed and nothing measured: leave it out"},
		{"fuzzing", "-test.fuzz=X", "-test.fuzz=X: it has inputs looked for"},
		{"a profile", "-test.cpuprofile=cpu.pprof", "-test.cpuprofile=cpu.pprof: each process would write over the file of the one before: for a profile, run the binary itself"},
		{"a profile of the server", "-server-mutexprofile=x", "-server-mutexprofile=x: each process would write over"},
		{"a profile of the client", "-client-cpuprofile=x", "-client-cpuprofile=x: each process would write over"},
		{"a trace of the server", "-server-trace x", "-server-trace=x: each process would write over"},
		{"profiles in a directory, new ones of each process", "-anatomy=dir", ""},
		{"a trace", "-test.trace=x", "-test.trace=x: each process would write over"},
		{"names of benchmarks as they begin", "-test.v", ""},
		{"events of go test -json", "-test.v=test2json", "-test.v=test2json: it is for go test -json, whose output is not read: leave it out"},
	} {
		err := Check(strings.Fields(c.args))
		if c.say == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.ErrorContains(t, err, c.say, c.about)
		}
	}
}
