package settings

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// envPrint has the test binary print its settings.
const envPrint = "RPCBENCH_TEST_SETTINGS"

func TestMain(m *testing.M) {
	if key := os.Getenv(envPrint); key != "" {
		fmt.Print(Here()[key])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestHere(t *testing.T) {
	for _, tt := range []struct{ about, env, key, want string }{
		{"the runtime's default", "GOGC=", "gogc", "100"},
		{"a percentage", "GOGC=50", "gogc", "50"},
		{"off", "GOGC=off", "gogc", "off"},
		{"less than 0 is off", "GOGC=-1", "gogc", "off"},
		{"what the runtime ignores", "GOGC=abc", "gogc", "100"},
		{"no limit", "GOMEMLIMIT=", "gomemlimit", "none"},
		{"a limit", "GOMEMLIMIT=1GiB", "gomemlimit", "1073741824"},
		{"the same in another unit", "GOMEMLIMIT=1024MiB", "gomemlimit", "1073741824"},
		{"no debugging", "GODEBUG=", "godebug", "none"},
		{"debugging", "GODEBUG=madvdontneed=1,asyncpreemptoff=1", "godebug", "madvdontneed=1,asyncpreemptoff=1"},
		{"a test binary does not know its profile", "", "pgo", "not told"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), envPrint+"="+tt.key, tt.env)
			out, err := cmd.Output()
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(out))
		})
	}
}

func TestBuilt(t *testing.T) {
	info := &debug.BuildInfo{Path: "example.com/x", Settings: []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}, {Key: "GOAMD64", Value: "v3"}}}
	assert.Equal(t, map[string]string{"goamd64": "v3", "pgo": "none"}, built(info, ""))
	info.Settings = []debug.BuildSetting{{Key: "-pgo", Value: "/home/a/cpu.pgo"}, {Key: "GOARM64", Value: "v8.0"}}
	assert.Equal(t, map[string]string{"goarm64": "v8.0", "pgo": "cpu.pgo"}, built(info, ""))
	assert.Equal(t, map[string]string{"pgo": "cpu.pgo"}, built(&debug.BuildInfo{Path: "example.com/x.test"}, "cpu.pgo"))
	if runtime.GOARCH == "amd64" {
		assert.True(t, strings.HasPrefix(Here()["goamd64"], "v"), Here())
	}
}

func TestCheck(t *testing.T) {
	for _, good := range []string{"", "off", "50", "-1"} {
		t.Setenv("GOGC", good)
		assert.NoError(t, Check(), good)
	}
	for _, bad := range []string{"abc", "50%", "99999999999"} {
		t.Setenv("GOGC", bad)
		assert.EqualError(t, Check(), "GOGC="+bad+": want a number of percent, or off; the runtime would ignore it and take 100")
	}
}

func TestDifferences(t *testing.T) {
	assert.Empty(t, Differences(map[string]string{"gogc": "100"}, map[string]string{"gogc": "100"}))
	assert.Equal(t, []string{"gogc is 100 here and 50 there", "tiny is v1 here and not known there"},
		Differences(map[string]string{"tiny": "v1", "gogc": "100"}, map[string]string{"gogc": "50"}))
}
