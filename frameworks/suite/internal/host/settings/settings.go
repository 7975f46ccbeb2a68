// Package settings tells how the Go runtime of this process is set, by the environment
// or by the program, and for which processors the binary was built. Results of
// different settings cannot be compared.
package settings

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
)

// none is the value of what is not set.
const none = "none"

// Here returns the settings of this process by the keys of their configuration lines:
//
//   - gogc is the percentage of GOGC as it is in force, or "off".
//   - gomemlimit is the soft limit of the memory in bytes, or "none".
//   - godebug is GODEBUG of the environment, or "none".
//   - goamd64 is the level of GOAMD64 that the binary was built for. On other
//     processors there is goarm64 and so on.
//   - pgo names the profile that the binary was built with, or is "none". A test binary
//     does not know it: it is "not told", unless the linker was given the name.
func Here() map[string]string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	here := built(info, profile)
	here["gogc"], here["gomemlimit"] = collector()
	here["godebug"] = cmp.Or(os.Getenv("GODEBUG"), none)
	return here
}

// collector reads what is in force.
func collector() (percent, limit string) {
	samples := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(samples)
	percent, limit = strconv.FormatUint(samples[0].Value.Uint64(), 10), strconv.FormatUint(samples[1].Value.Uint64(), 10)
	if samples[0].Value.Uint64() == math.MaxUint64 {
		percent = "off"
	}
	if samples[1].Value.Uint64() == math.MaxInt64 {
		limit = none
	}
	return percent, limit
}

// profile names the profile of a test binary. Only the linker sets it, as in
// -ldflags='-X github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings.profile=cpu.pgo'.
var profile string

// levels are the settings that say for which processors a binary was built.
var levels = []string{"GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM"}

// built returns the settings of the build. The profile is a path in the information,
// of which the directory tells nothing.
func built(info *debug.BuildInfo, profile string) map[string]string {
	settings := map[string]string{"pgo": none}
	if strings.HasSuffix(info.Path, ".test") || info.Path == "" {
		settings["pgo"] = cmp.Or(profile, "not told")
	}
	for _, s := range info.Settings {
		switch {
		case slices.Contains(levels, s.Key):
			settings[strings.ToLower(s.Key)] = s.Value
		case s.Key == "-pgo":
			settings["pgo"] = filepath.Base(s.Value)
		}
	}
	return settings
}

// Check returns an error if a setting of the environment has a value that the runtime
// silently ignores. A wrong GOMEMLIMIT ends a process before it begins.
func Check() error {
	value := os.Getenv("GOGC")
	if _, err := strconv.ParseInt(value, 10, 32); err != nil && value != "" && value != "off" {
		return fmt.Errorf("GOGC=%s: want a number of percent, or off; the runtime would ignore it and take 100", value)
	}
	return nil
}

// Differences lists the settings and versions that differ between here and there, in
// the order of their keys: "gogc is 100 here and 50 there".
func Differences(here, there map[string]string) (list []string) {
	var keys []string
	for _, side := range []map[string]string{here, there} {
		for key := range side {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if here[key] != there[key] {
			list = append(list, fmt.Sprintf("%s is %s here and %s there", key, cmp.Or(here[key], "not known"), cmp.Or(there[key], "not known")))
		}
	}
	return list
}
