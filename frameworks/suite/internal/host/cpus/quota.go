package cpus

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// readQuota returns how many CPUs the cgroups of this process let it use on average;
// 0 for no limit. Every cgroup above its own may be the one that limits.
func readQuota(k kernel) (least float64) {
	mount, dir, limit := k.cgroup()
	if limit == nil {
		return 0
	}
	for {
		if n := limit(dir); n > 0 && (least == 0 || n < least) {
			least = n
		}
		if dir == mount || dir == "." {
			return least
		}
		dir = path.Dir(dir)
	}
}

// cgroup returns where the cgroups with the controller of CPUs are mounted, the
// directory of this process there, and a function that reads a directory's limit. The
// function is nil if there are none.
func (k kernel) cgroup() (mount, dir string, limit func(dir string) float64) {
	var own string
	for line := range strings.Lines(k.text("proc/self/cgroup")) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		switch {
		case len(fields) < 3:
		case slices.Contains(strings.Split(fields[1], ","), "cpu"):
			own, limit = fields[2], k.limit1
			mount, dir = k.mounted(own, "cgroup", "cpu")
			return mount, dir, limit
		case fields[0] == "0":
			own, limit = fields[2], k.limit2
		}
	}
	mount, dir = k.mounted(own, "cgroup2", "")
	return mount, dir, limit
}

// mounted returns where a kind of file system is mounted, and a cgroup's directory there.
// Inside a container the mount may show a part of the cgroups only.
func (k kernel) mounted(own, kind, option string) (mount, dir string) {
	for line := range strings.Lines(k.text("proc/self/mountinfo")) {
		before, after, _ := strings.Cut(strings.TrimSpace(line), " - ")
		at, what := strings.Fields(before), strings.Fields(after)
		if len(at) < 5 || len(what) < 3 || what[0] != kind || option != "" && !slices.Contains(strings.Split(what[2], ","), option) {
			continue
		}
		mount = strings.TrimPrefix(path.Clean(at[4]), "/")
		below, inside := strings.CutPrefix(own, strings.TrimSuffix(at[3], "/"))
		if !inside {
			below = ""
		}
		return mount, path.Join(mount, path.Clean("/"+below))
	}
	return ".", "."
}

// limit2 reads a directory of cgroup v2, "QUOTA PERIOD" or "max PERIOD".
func (k kernel) limit2(dir string) float64 {
	quota, period, _ := strings.Cut(k.text(path.Join(dir, "cpu.max")), " ")
	return share(quota, period)
}

// limit1 reads a directory of cgroup v1, where −1 is no quota.
func (k kernel) limit1(dir string) float64 {
	return share(k.text(path.Join(dir, "cpu.cfs_quota_us")), k.text(path.Join(dir, "cpu.cfs_period_us")))
}

func share(quota, period string) float64 {
	q, _ := strconv.ParseFloat(quota, 64)
	p, _ := strconv.ParseFloat(period, 64)
	if q <= 0 || p <= 0 {
		return 0
	}
	return q / p
}
