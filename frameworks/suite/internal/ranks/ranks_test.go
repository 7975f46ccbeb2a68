package ranks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
)

func TestWhatGoesTogether(t *testing.T) {
	mine := Self{Build: builds.Build{Hash: "a"}, Flags: map[string]string{"conc": "1", "size": "1KiB"}}
	for _, c := range []struct {
		about string
		other Self
		want  string
	}{
		{"the same", mine, ""},
		{"on another machine", Self{Build: builds.Build{Hash: "a"}, Flags: mine.Flags, System: "other", Procs: 8}, ""},
		{"another build", Self{Build: builds.Build{Hash: "b"}, Flags: mine.Flags}, "runs another build than rank 0: start the same file everywhere"},
		{"another value", Self{Build: builds.Build{Hash: "a"}, Flags: map[string]string{"conc": "2", "size": "1KiB"}}, "has -conc=2, and rank 0 has -conc=1: start all with the same flags"},
		{"one that stays", Self{Build: builds.Build{Hash: "b"}, Stays: true}, ""},
		{"other hosts", Self{Build: builds.Build{Hash: "a"}, Flags: mine.Flags, Hosts: []string{"b"}}, "has other serving sides in -host than rank 0, or in another order: name the same machines in the same order everywhere"},
		{"a flag less", Self{Build: builds.Build{Hash: "a"}, Flags: map[string]string{"conc": "1"}}, "has -size=, and rank 0 has -size=1KiB: start all with the same flags"},
	} {
		err := mine.refuse(c.other)
		if c.want == "" {
			assert.NoError(t, err, c.about)
			continue
		}
		assert.EqualError(t, err, c.want, c.about)
	}
}

func TestMachinesOfRanks(t *testing.T) {
	roster := remote.Roster{0: {Machine: "n1"}, 1: {Machine: "n1"}, 2: {Machine: "n2\nBenchmarkX"}}
	c := totalOf(roster, []Self{{System: "linux", Procs: 4, CPUs: 6}, {System: "linux", Procs: 4, CPUs: 6}, {System: "linux", Procs: 2, CPUs: 6}})
	assert.Equal(t, 8, c.Procs, "two ranks share the CPUs of n1")
	assert.Equal(t, `2 on n1 (linux); 1 on n2\nBenchmarkX (linux)`, c.Machines)
}
