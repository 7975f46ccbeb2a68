package environ

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatAChildKnows(t *testing.T) {
	for _, c := range []struct {
		about, entry       string
		tools, run, leaves bool // whether tools and measured programs have it, and whether that is told
	}{
		{"the index of a hook", "GIT_INDEX_FILE=.git/index.lock", false, false, true},
		{"the repository of a hook", "GIT_DIR=.git/worktrees/x", false, false, true},
		{"what git -c was told for one command", "GIT_CONFIG_PARAMETERS='a.b=c'", false, false, true},
		{"the author of a commit", "GIT_AUTHOR_DATE=@1 +0000", false, false, false},
		{"how git asks for passwords", "GIT_ASKPASS=/bin/ask", true, true, false},
		{"how git reaches a server", "GIT_SSH_COMMAND=ssh -i key", true, true, false},
		{"a user's settings of git", "GIT_CONFIG_GLOBAL=/dev/null", true, true, false},
		{"a job's settings of git", "GIT_CONFIG_COUNT=1", true, true, false},
		{"one of them", "GIT_CONFIG_VALUE_0=*", true, true, false},
		{"a proxy, by which modules are had", "HTTPS_PROXY=http://a:b@127.0.0.1:1", true, false, true},
		{"a proxy in small letters", "all_proxy=socks5://127.0.0.1:1", true, false, true},
		{"what goes by no proxy", "no_proxy=127.0.0.1", true, false, true},
		{"where modules are had from is no proxy of connections", "GOPROXY=off", true, true, false},
		{"a setting of one framework", "KITEX_DISABLE_RPCINFO_POOL=1", true, false, true},
		{"a setting of one serializer", "SONIC_ENCODER_USE_VM=1", true, false, true},
		{"its certificates change no measurement", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=/c", true, true, false},
		{"a workspace", "GOWORK=/a/go.work", true, true, true},
		{"a setting of the runtime", "GODEBUG=madvdontneed=1", true, true, false},
		{"flags of go are for both sides", "GOFLAGS=-mod=vendor", true, true, false},
	} {
		env := []string{"HOME=/h", c.entry}
		assert.Equal(t, c.tools, strings.Contains(strings.Join(Tools(env), "\n"), c.entry), "tools: %s", c.about)
		assert.Equal(t, c.run, strings.Contains(strings.Join(Measured(env), "\n"), c.entry), "measured: %s", c.about)
		n, _, _ := strings.Cut(c.entry, "=")
		assert.Equal(t, c.leaves, Note(env) == "# environment: left out "+n+"\n", "told: %s", c.about)
		assert.Equal(t, c.leaves, Note(env) != "", "told: %s", c.about)
	}
}

// The last of two entries counts.
func TestGoHasNoWorkspace(t *testing.T) {
	for _, env := range [][]string{Tools([]string{"GOWORK=/a/go.work"}), Measured([]string{"GOWORK=/a/go.work"})} {
		cmd := exec.Command("go")
		cmd.Env = env
		assert.Contains(t, cmd.Environ(), "GOWORK=off")
		assert.NotContains(t, cmd.Environ(), "GOWORK=/a/go.work")
	}
	assert.Empty(t, LeftOut([]string{"GOWORK=off", "GOWORK=", "HOME=/h"}), "what leaves nothing out is not told")
}

// Git's own list of what is of one repository: of it, a job's settings are kept.
func TestGitsListIsLeftOut(t *testing.T) {
	list, err := exec.Command("git", "rev-parse", "--local-env-vars").Output()
	assert.NoError(t, err)
	for n := range strings.FieldsSeq(string(list)) {
		if n != "GIT_CONFIG_COUNT" {
			assert.Equal(t, []string{n}, LeftOut([]string{n + "=1"}), n)
		}
	}
}
