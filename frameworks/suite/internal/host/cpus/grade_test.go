package cpus

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// twoNodes are two sockets of four cores with two CPUs each.
var twoNodes = machine{cores: apart(0, 8, 8), nodes: []string{"0-3,8-11", "4-7,12-15"}}

func TestGraded(t *testing.T) {
	for _, c := range []struct {
		about     string
		m         machine
		available string
		numbers   []int
		line      bool
		want      string // as grades, / and client, and / and line if it has a core of its own
		err       string
	}{
		{"two cores are one for each side, and shared by two", epycVM, "0-1", []int{1, 2}, false, "1:0 2:0-1-shared/1", ""},
		{"one core for the server leaves the other", epycVM, "0-1", []int{1}, false, "1:0/1", ""},
		{"a server that leaves no core shares all", epycVM, "0-1", []int{2}, false, "2:0-1-shared/0-1", ""},
		{"so it is of one core", epycVM, "0", []int{1}, false, "1:0-shared/0", ""},
		{"a line needs a core as well", epycVM, "0-1", []int{1}, true, "1:0-shared/0-1", ""},
		{"the client has what the largest leaves", graviton, "0-3", []int{1, 2}, false, "1:0 2:0-1/2-3", ""},
		{"as it stands beside all of them", graviton, "0-3", []int{3, 1, 2, 1}, false, "1:0 2:0-1 3:0-2/3", ""},
		{"the largest that leaves any", graviton, "0-3", []int{1, 2, 4}, false, "1:0 2:0-1 4:0-3-shared/2-3", ""},
		{"the line has the last core", graviton, "0-3", []int{1, 2}, true, "1:0 2:0-1/2/3", ""},
		{"whole cores of two CPUs", ryzen3700, "0-15", []int{1, 2, 4}, false, "1:0,8 2:0-1,8-9 4:0-3,8-11/4-7,12-15", ""},
		{"which may have neighbouring numbers", cloud8, "0-7", []int{1, 2, 3}, false, "1:0-1 2:0-3 3:0-5/6-7", ""},
		{"all are of one node where one suffices", twoNodes, "0-15", []int{1, 3}, false, "1:0,8 3:0-2,8-10/3,11", ""},
		{"a node is filled before the next, and the client is beside the largest server", twoNodes, "0-15", []int{2, 4}, false, "2:0-1,8-9 4:0-3,8-11/4-7,12-15", ""},
		{"servers of more than a node", twoNodes, "0-15", []int{4, 6}, true, "4:0-3,8-11 6:0-5,8-13/6,14/7,15", ""},
		{"the node with the most cores first", twoNodes, "2-7,10-15", []int{1, 4}, false, "1:4,12 4:4-7,12-15/2-3,10-11", ""},
		{"of a hybrid processor the fast cores", i9gen12, "0-23", []int{1, 4}, false, "1:0-1 4:0-7/8-15", ""},
		{"cores that a mask splits are the client's", ryzen3700, "0-3,8-9", []int{1, 2}, false, "1:0,8 2:0-1,8-9/2-3", ""},
		{"a machine that does not tell its cores", machine{}, "0-3", []int{1, 2}, false, "1:0 2:0-1/2-3", ""},
		{"more than there are", graviton, "0-3", []int{1, 5}, false, "", "a server cannot have 5 cores: this process may use 4 cores of one kind"},
		{"more than are fast", i9gen12, "0-23", []int{9}, false, "", "a server cannot have 9 cores: this process may use 8 cores of one kind"},
		{"more than a mask leaves whole", ryzen3700, "0-3,8", []int{2}, false, "", "a server cannot have 2 cores: this process may use 1 core of one kind"},
	} {
		t.Run(c.about, func(t *testing.T) {
			available, err := Parse(c.available)
			require.NoError(t, err)
			p, err := graded(c.numbers, c.line, available, ReadTopology(c.m.root(t), available), "linux")
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, gradesOf(p, available))
			assert.Equal(t, p.Grades[len(p.Grades)-1].CPUs, p.Server)
			assert.Empty(t, p.Doubts)
			for _, g := range p.Grades {
				assert.Equal(t, g.Shared, len(g.CPUs.minus(p.Client)) < len(g.CPUs), "%d cores", g.Cores)
				assert.Equal(t, g, p.Grade(g.Cores))
			}
		})
	}
	_, err := graded([]int{1}, false, Set{0, 1}, Topology{}, "darwin")
	assert.EqualError(t, err, "pinning is not supported on darwin")
}

func gradesOf(p Pinning, available Set) (text string) {
	for i, g := range p.Grades {
		text += fmt.Sprintf("%s%d:%s", " "[:min(i, 1)], g.Cores, g.CPUs)
		if g.Shared {
			text += "-shared"
		}
	}
	text += "/" + p.Client.String()
	if p.Line.String() != available.String() {
		text += "/" + p.Line.String()
	}
	return text
}

// TestGradesAreDescribed: who has what, what it takes, and what is doubtful.
func TestGradesAreDescribed(t *testing.T) {
	limited := graviton
	limited.files = map[string]string{"proc/self/cgroup": "0::/", "proc/self/mountinfo": mount2, "sys/fs/cgroup/cpu.max": "300000 100000"}
	for _, c := range []struct {
		about     string
		m         machine
		available string
		numbers   []int
		line      bool
		cores     string
		doubts    []string
	}{
		{"enough", graviton, "0-3", []int{1, 2}, false, "servers by cores=: 1 on 0, 2 on 0-1; client on 2-3", nil},
		{"with a line", graviton, "0-3", []int{1}, true, "servers by cores=: 1 on 0; client on 1-2; line on 3", nil},
		{"too few", epycVM, "0-1", []int{1, 2}, false, "servers by cores=: 1 on 0, 2 on 0-1; client on 1; with a core for the client cores=2 takes 3 cores of one kind, and there are 2: its client shares them", nil},
		{"too few with a line", epycVM, "0-1", []int{1, 2}, true, "servers by cores=: 1 on 0, 2 on 0-1; client on 0-1; with a core each for client and line cores=1 takes 3, cores=2 takes 4 cores of one kind, and there are 2: its client shares them", nil},
		{"of two nodes", twoNodes, "0-15", []int{6}, false, "servers by cores=: 6 on 0-5,8-13; client on 6-7,14-15; servers are on nodes 0-1", nil},
		{"cores that nobody tells", machine{}, "0-3", []int{1}, false, "servers by cores=: 1 on 0; client on 1-3; a CPU is taken for a core: the machine does not tell its cores", nil},
		{"a quota", limited, "0-3", []int{1, 2}, false, "servers by cores=: 1 on 0, 2 on 0-1; client on 2-3", []string{"a quota of 3 CPUs is less than the 4 of both sides, and holds back whichever runs when it is used up"}},
		{"a mask", ryzen3700, "0-3", []int{2}, false, "servers by cores=: 2 on 0-1; client on 2-3", []string{"cores of servers are not whole: this process may use 4 of their 8 CPUs"}},
	} {
		available, err := Parse(c.available)
		require.NoError(t, err)
		var root fstest.MapFS = c.m.root(t)
		p, err := graded(c.numbers, c.line, available, ReadTopology(root, available), "linux")
		require.NoError(t, err, c.about)
		assert.Equal(t, c.cores, p.Cores, c.about)
		assert.Equal(t, c.doubts, p.Doubts, c.about)
	}
}
