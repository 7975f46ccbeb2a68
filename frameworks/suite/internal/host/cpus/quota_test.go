package cpus

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The lines of /proc/self/mountinfo.
const (
	mount2 = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	others = "21 23 0:19 / /sys rw,nosuid - sysfs sysfs rw\n33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
)

func TestQuota(t *testing.T) {
	for _, tt := range []struct {
		about string
		files map[string]string
		want  float64
	}{
		{"no cgroups", nil, 0},
		{"cgroup v2 without a limit", map[string]string{"cgroup": "0::/", "mountinfo": others + mount2, "sys/fs/cgroup/cpu.max": "max 100000"}, 0},
		{"the root of a container", map[string]string{"cgroup": "0::/", "mountinfo": others + mount2, "sys/fs/cgroup/cpu.max": "400000 100000"}, 4},
		{"part of a CPU", map[string]string{"cgroup": "0::/", "mountinfo": mount2, "sys/fs/cgroup/cpu.max": "150000 100000"}, 1.5},
		{"a cgroup above limits more", map[string]string{"cgroup": "0::/a.slice/b.scope", "mountinfo": mount2, "sys/fs/cgroup/a.slice/cpu.max": "200000 100000", "sys/fs/cgroup/a.slice/b.scope/cpu.max": "800000 100000"}, 2},
		{"cgroup v1", map[string]string{"cgroup": "9:name=systemd:/\n4:cpu,cpuacct:/docker/1f\n0::/", "mountinfo": others + mount2 + "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct", "sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us": "300000", "sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_period_us": "100000"}, 3},
		{"cgroup v1 in a container, whose mount shows its own part", map[string]string{"cgroup": "4:cpu,cpuacct:/docker/1f", "mountinfo": "32 31 0:29 /docker/1f /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000"}, 0.5},
		{"cgroup v1 without a limit", map[string]string{"cgroup": "4:cpu,cpuacct:/", "mountinfo": "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1", "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000"}, 0},
		{"a mount of another part", map[string]string{"cgroup": "0::/../other", "mountinfo": mount2, "sys/fs/cgroup/cpu.max": "200000 100000"}, 2},
	} {
		t.Run(tt.about, func(t *testing.T) {
			root := fstest.MapFS{}
			for file, text := range tt.files {
				if file == "cgroup" || file == "mountinfo" {
					file = "proc/self/" + file
				}
				root[file] = &fstest.MapFile{Data: []byte(text + "\n")}
			}
			assert.InDelta(t, tt.want, readQuota(kernel{root}), 1e-9)
		})
	}
}

func TestPinWithQuota(t *testing.T) {
	tests := []struct {
		about, spec, quota string
		want, cores        string
		doubts             []string
	}{
		{"enough for all", "auto", "1600000", "0-3,8-11/4-7,12-15", "4 whole cores each", nil},
		{"both sides get what the quota allows", "auto", "800000", "0-1,8-9/4-5,12-13", "2 whole cores each; without 2-3,6-7,10-11,14-15 (a quota of 8 CPUs)", nil},
		{"half a core each leaves its other half idle", "auto", "250000", "0/4", "1 core each, 1 of their 2 CPUs; without 1-3,5-15 (a quota of 2.5 CPUs)", nil},
		{"less than two CPUs hold both back", "auto", "150000", "0/4", "1 core each, 1 of their 2 CPUs; without 1-3,5-15 (a quota of 1.5 CPUs)", []string{"a quota of 1.5 CPUs is less than the 2 of both sides, and holds back whichever runs when it is used up"}},
		{"CPUs that were asked for", "0-3/4-7", "400000", "0-3/4-7", "", []string{"a quota of 4 CPUs is less than the 8 of both sides, and holds back whichever runs when it is used up"}},
		{"without pinning", "off", "400000", "off (as asked)", "", []string{"a quota of 4 CPUs is less than the 16 of both sides, and holds back whichever runs when it is used up"}},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			available, err := Parse("0-15")
			require.NoError(t, err)
			m := ryzen3700
			m.files = map[string]string{"proc/self/cgroup": "0::/", "proc/self/mountinfo": mount2, "sys/fs/cgroup/cpu.max": tt.quota + " 100000"}
			got, err := parsePin(tt.spec, available, ReadTopology(m.root(t), available), "linux")
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.String())
			assert.Equal(t, tt.cores, got.Cores)
			assert.Equal(t, tt.doubts, got.Doubts)
		})
	}
}
