package cpus

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// machine describes the files of a machine.
type machine struct {
	cores  string            // the CPUs of each core, as core_cpus_list has them; "" for no such files
	old    bool              // a kernel before 5.3
	nodes  []string          // the CPUs of each node
	kinds  map[string]string // cpu_core and its like → CPUs
	speed  string            // the file of the speed of a CPU
	speeds map[string]int    // CPUs → speed
	files  map[string]string // further ones
}

// root returns what its kernel shows below /.
func (m machine) root(t *testing.T) fstest.MapFS {
	root := fstest.MapFS{}
	write := func(file, text string) { root[file] = &fstest.MapFile{Data: []byte(text + "\n")} }
	cpus := func(text string) Set {
		set, err := Parse(text)
		require.NoError(t, err)
		return set
	}
	for _, siblings := range strings.Fields(m.cores) {
		for _, cpu := range cpus(siblings) {
			dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology", cpu)
			write(path.Join(dir, "thread_siblings_list"), siblings)
			if !m.old {
				write(path.Join(dir, "core_cpus_list"), siblings)
			}
		}
	}
	for i, list := range m.nodes {
		write(fmt.Sprintf("sys/devices/system/node/node%d/cpulist", i), list)
	}
	for kind, list := range m.kinds {
		write(path.Join("sys/devices", kind, "cpus"), list)
	}
	for list, speed := range m.speeds {
		for _, cpu := range cpus(list) {
			write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/%s", cpu, m.speed), strconv.Itoa(speed))
		}
	}
	for file, text := range m.files {
		write(file, text)
	}
	return root
}

// apart are n cores from a first one, whose two CPUs have numbers so far apart.
func apart(first, n, distance int) string {
	var list []string
	for i := first; i < first+n; i++ {
		list = append(list, fmt.Sprintf("%d,%d", i, i+distance))
	}
	return strings.Join(list, " ") + " "
}

// beside are n cores whose two CPUs have neighbouring numbers.
func beside(first, n int) string {
	var list []string
	for i := first; i < first+2*n; i += 2 {
		list = append(list, fmt.Sprintf("%d-%d", i, i+1))
	}
	return strings.Join(list, " ") + " "
}

// single are n cores of one CPU.
func single(first, n int) string {
	var list []string
	for i := first; i < first+n; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, " ") + " "
}

// every lists n CPUs from a first one, whose numbers differ by step.
func every(first, n, step int) string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(first+i*step))
	}
	return strings.Join(list, ",")
}

const frequency, capacity = "cpufreq/cpuinfo_max_freq", "cpu_capacity"

// Machines as their owners' lscpu shows them.
var (
	ryzen3700 = machine{cores: apart(0, 8, 8), nodes: []string{"0-15"}, speed: frequency, speeds: map[string]int{"0-15": 4426171}}
	cloud8    = machine{cores: beside(0, 4), nodes: []string{"0-7"}} // a virtual machine of a provider
	xeon2660  = machine{cores: apart(0, 20, 20), nodes: []string{"0-9,20-29", "10-19,30-39"}, speed: frequency, speeds: map[string]int{"0-39": 3000000}}
	xeon2696  = machine{cores: apart(0, 44, 44), nodes: []string{every(0, 44, 2), every(1, 44, 2)}} // even numbers on one socket, odd ones on the other
	epyc7451  = machine{cores: apart(0, 48, 48), nodes: []string{"0-5,48-53", "6-11,54-59", "12-17,60-65", "18-23,66-71", "24-29,72-77", "30-35,78-83", "36-41,84-89", "42-47,90-95"}}
	i9gen12   = machine{
		cores: beside(0, 8) + single(16, 8), nodes: []string{"0-23"}, kinds: map[string]string{"cpu_core": "0-15", "cpu_atom": "16-23"},
		speed: frequency, speeds: map[string]int{"0-7,12-15": 5100000, "8-11": 5200000, "16-23": 3900000},
	}
	ultra185h = machine{ // two of the slow cores are slower than the others
		cores: "0,5 1-2 3-4 " + beside(6, 3) + single(12, 10), nodes: []string{"0-21"}, kinds: map[string]string{"cpu_core": "0-11", "cpu_atom": "12-21"},
		speed: frequency, speeds: map[string]int{"0-11": 5100000, "12-19": 3800000, "20-21": 2500000},
	}
	rk3588   = machine{cores: single(0, 8), speed: capacity, speeds: map[string]int{"0-3": 530, "4-5": 1024, "6-7": 1007}}
	sm8550   = machine{cores: single(0, 8), speed: capacity, speeds: map[string]int{"0-2": 326, "3-6": 850, "7": 1024}}
	graviton = machine{cores: single(0, 4), nodes: []string{"0-3"}}
	epycVM   = machine{cores: single(0, 2), nodes: []string{"0-1"}, speed: capacity, speeds: map[string]int{"0-1": 1024}}
)

const (
	alone   = "server and client share the core of CPUs %s: each slows the other"
	differs = "server and client have cores of different kinds: one side is slower by its core"
)

func TestAuto(t *testing.T) {
	tests := []struct {
		about     string
		m         machine
		available string // as taskset and cpuset give it
		want      string // of Pinning.String
		cores     string
		doubts    []string
	}{
		{"both CPUs of a core go to one side", ryzen3700, "0-15", "0-3,8-11/4-7,12-15", "4 whole cores each", nil},
		{"also where they are neighbours", cloud8, "0-7", "0-3/4-7", "2 whole cores each", nil},
		{"two cores of two CPUs are one for each side", cloud8, "0-3", "0-1/2-3", "1 whole core each", nil},
		{"an odd core is left out", cloud8, "0-5", "0-1/2-3", "1 whole core each; without 4-5 (so that both sides are alike)", nil},
		{"an old kernel has another file", machine{cores: apart(0, 2, 2), old: true}, "0-3", "0,2/1,3", "1 whole core each", nil},
		{"cores without hyperthreads", graviton, "0-3", "0-1/2-3", "2 whole cores each", nil},
		{"this project's two CPUs", epycVM, "0-1", "0/1", "1 whole core each", nil},

		{"of two sockets one", xeon2660, "0-39", "0-4,20-24/5-9,25-29", "5 whole cores each, of node 0; without 10-19,30-39 (another node)", nil},
		{"sockets with alternate numbers", xeon2696, "0-87", every(0, 11, 2) + "," + every(44, 11, 2) + "/" + every(22, 11, 2) + "," + every(66, 11, 2), "11 whole cores each, of node 0; without " + every(1, 44, 2) + " (another node)", nil},
		{"of several nodes on a socket one", epyc7451, "0-95", "0-2,48-50/3-5,51-53", "3 whole cores each, of node 0; without 6-47,54-95 (another node)", nil},
		{"the node with the most cores", xeon2660, "0-3,10-15,20-23,30-35", "10-12,30-32/13-15,33-35", "3 whole cores each, of node 1; without 0-3,20-23 (another node)", nil},
		{"a core on each of two nodes is a node for each side", xeon2660, "0,10,20,30", "0,20/10,30", "1 whole core each, of node 0 and of node 1", nil},

		{"of a hybrid processor the fast cores", i9gen12, "0-23", "0-7/8-15", "4 whole cores each; without 16-23 (another kind of core)", nil},
		{"the slow ones, if there is but one of the others", i9gen12, "0-1,16-19", "16-17/18-19", "2 whole cores each; without 0-1 (another kind of core)", nil},
		{"cores of two kinds, if there are no others", i9gen12, "0-1,16", "0/16", "1 core each, 1 of their 2 CPUs; without 1 (so that both sides are alike)", []string{differs}},
		{"one slow core is slower than the others", ultra185h, "12,20", "12/20", "1 whole core each", []string{differs}},
		{"the first core's CPUs are 0 and 5", ultra185h, "0-21", "0-5/6-11", "3 whole cores each; without 12-21 (another kind of core)", nil},
		{"a hybrid processor tells its kinds by their speeds", machine{cores: single(0, 8), speed: frequency, speeds: map[string]int{"0-3": 3900000, "4-7": 5100000}}, "0-7", "4-5/6-7", "2 whole cores each; without 0-3 (another kind of core)", nil},
		{"of big and little cores the big ones", rk3588, "0-7", "4-5/6-7", "2 whole cores each; without 0-3 (another kind of core)", nil},
		{"a single biggest core is left out", sm8550, "0-7", "3-4/5-6", "2 whole cores each; without 0-2,7 (another kind of core)", nil},

		{"a mask without the second CPUs of cores", ryzen3700, "0-7", "0-3/4-7", "4 cores each, 4 of their 8 CPUs", nil},
		{"a mask that splits some cores deals both sorts alike", ryzen3700, "0-3,8-9", "0,2,8/1,3,9", "2 cores each, 3 of their 4 CPUs", nil},
		{"a mask of a whole and a split core", ryzen3700, "0-1,8", "0/1", "1 core each, 1 of their 2 CPUs; without 8 (so that both sides are alike)", nil},
		{"a mask of one core", ryzen3700, "3,11", "3/11", "half of one core each, 1 of its CPUs", []string{fmt.Sprintf(alone, "3,11")}},
		{"one CPU", ryzen3700, "3", "off (1 CPU available, 2 needed)", "", nil},

		{"a virtual machine that tells nothing", machine{}, "0-3", "0-1/2-3", "2 CPUs each, by their numbers: the machine does not tell its cores", nil},
		{"files that make no sense", machine{cores: "0-1 2-3", old: true, files: map[string]string{"sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "7", "sys/devices/system/cpu/cpu1/topology/thread_siblings_list": "x"}}, "0-3", "0/1", "1 whole core each; without 2-3 (another kind of core)", nil},
		{"files that contradict each other", machine{cores: "0-1 2-3", files: map[string]string{"sys/devices/system/cpu/cpu0/topology/core_cpus_list": "0"}}, "0-3", "1/2", "1 core each, 1 of their 2 CPUs; without 0 (another kind of core); without 3 (so that both sides are alike)", nil},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			available, err := Parse(tt.available)
			require.NoError(t, err)
			got, err := parsePin("auto", available, ReadTopology(tt.m.root(t), available), "linux")
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.String())
			assert.Equal(t, tt.cores, got.Cores)
			assert.Equal(t, tt.doubts, got.Doubts)
			assert.Len(t, got.Client, len(got.Server), "equal for both")
			assert.Empty(t, got.Server.minus(available).minus(got.Client))
		})
	}
}

func TestThisTopology(t *testing.T) {
	available, err := Available()
	require.NoError(t, err)
	topology := ReadTopology(os.DirFS("/"), available)
	var all Set
	for _, c := range topology.cores {
		all = append(all, c.free...)
	}
	assert.ElementsMatch(t, available, all, "each CPU is of one core")
	if runtime.GOOS == "linux" && len(available) > 1 {
		p, err := ParsePin("auto", available, topology)
		require.NoError(t, err)
		assert.True(t, p.Pinned())
	}
}
