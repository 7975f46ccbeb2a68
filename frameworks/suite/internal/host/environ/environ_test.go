package environ

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatChildrenKnow(t *testing.T) {
	for _, c := range []struct {
		about, name string
		child, told bool
	}{
		{"a proxy, which net/http and grpc go by way of", "HTTPS_PROXY", false, true},
		{"a proxy in small letters", "all_proxy", false, true},
		{"what goes by no proxy", "no_proxy", false, true},
		{"a proxy of somebody else's", "MY_HTTPS_PROXY", true, false},
		{"where modules are had from", "GOPROXY", true, false},
		{"a setting of grpc", "GRPC_ENFORCE_ALPN_ENABLED", false, true},
		{"its certificates change no measurement", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", true, false},
		{"a setting of kitex", "KITEX_DISABLE_RPCINFO_POOL", false, true},
		{"goroutines of netpoll", "USE_CLOUDWEGO_GOPOOL", false, true},
		{"a serializer's code", "SONIC_ENCODER_USE_VM", false, true},
		{"which spans are kept", "OTEL_TRACES_SAMPLER", false, true},
		{"the index of a hook", "GIT_INDEX_FILE", false, false},
		{"a workspace", "GOWORK", false, false},
		{"a place among tasks of Slurm", "SLURM_PROCID", false, false},
		{"a place among pods of a Job", "JOB_COMPLETION_INDEX", false, false},
		{"a place among tasks of Nomad", "NOMAD_ALLOC_INDEX", false, false},
		{"the token of serving sides", "RPCBENCH_TOKEN", false, false},
		{"the garbage collector is the same for all", "GOGC", true, false},
		{"tests that collect coverage have children that do", "GOCOVERDIR", true, false},
		{"certificates of the system", "SSL_CERT_FILE", true, false},
		{"where libraries are", "LD_LIBRARY_PATH", true, false},
		{"a server of somebody else reads its own", "MYAPP_CONFIG", true, false},
		{"what this process was told to tell", envLeftOut, false, false},
	} {
		entry := c.name + "=100"
		assert.Equal(t, c.child, slices.Contains(Child([]string{"HOME=/h", entry}), entry), c.about)
		assert.Equal(t, c.told, slices.Contains(Alone([]string{"HOME=/h", entry}), c.name), c.about)
	}
}

// without makes the environment one in which nothing is to be left out.
func without(t *testing.T) {
	for _, name := range append(Alone(os.Environ()), envLeftOut, "GRPC_GO_LOG_SEVERITY_LEVEL", "https_proxy") {
		t.Setenv(name, "") // restores it after the test
		assert.NoError(t, os.Unsetenv(name))
	}
}

func TestLeaveOut(t *testing.T) {
	without(t)
	times := 0
	again := func() error { times++; return errors.New("the system cannot") }
	names, err := LeaveOut(again)
	assert.Empty(t, names)
	assert.NoError(t, err)
	assert.Zero(t, times, "no process is executed again without need")

	t.Setenv("https_proxy", "http://secret@127.0.0.1:1")
	t.Setenv("GRPC_GO_LOG_SEVERITY_LEVEL", "info")
	want := []string{"GRPC_GO_LOG_SEVERITY_LEVEL", "https_proxy"}
	names, err = LeaveOut(again)
	assert.Equal(t, want, names)
	assert.EqualError(t, err, "the system cannot")
	assert.Empty(t, os.Getenv("https_proxy")+os.Getenv("GRPC_GO_LOG_SEVERITY_LEVEL"), "no framework reads them")
	names, err = LeaveOut(again)
	assert.Equal(t, want, names, "the process executed again tells the same")
	assert.NoError(t, err)
	assert.Equal(t, 1, times, "it is not executed for ever")

	Told()
	names, _ = LeaveOut(again)
	assert.Empty(t, names, "what it starts tells nothing")
	assert.Equal(t, "environment: left out GRPC_GO_LOG_SEVERITY_LEVEL, https_proxy", Note(want))
	assert.Empty(t, Note(nil))
}
