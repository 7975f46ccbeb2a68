package suite

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// atInit is what a package of grpc has read before main.
var atInit = os.Getenv("GRPC_GO_LOG_SEVERITY_LEVEL")

// envKnows is the environment variable that has TestTheClientKnows print.
const envKnows = "KNOWS"

// TestTheClientKnows is run by TestWhatOneFrameworkAloneReads, in another process.
func TestTheClientKnows(*testing.T) {
	if os.Getenv(envKnows) == "" {
		return
	}
	os.Stdout.WriteString("the client knows " + atInit + os.Getenv("HTTPS_PROXY") + "\n")
}

func TestWhatOneFrameworkAloneReads(t *testing.T) {
	unraced(t)
	t.Parallel()
	env := []string{
		envKnows + "=1", "HTTPS_PROXY=http://secret@127.0.0.1:1", "GRPC_GO_LOG_SEVERITY_LEVEL=info",
		"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=/etc/ssl/cert.pem",
	}
	const note = "# environment: left out GRPC_GO_LOG_SEVERITY_LEVEL, HTTPS_PROXY\n"
	for _, c := range []struct {
		about string
		args  []string
		told  int // times
	}{
		{"a run that measures tells it once", measuring("Echo", "-framework=tiny", "-size=64B", "-conc=1", "-test.benchtime=10x", "-pin=off"), 1},
		{"one that is executed again to be pinned as well", measuring("Echo", "-framework=tiny", "-size=64B", "-conc=1", "-test.benchtime=10x"), 1},
		{"a run of tests measures nothing", nil, 0},
		{"nor does a list of cases", measuring("Echo", "-framework=tiny", "-cases"), 0},
	} {
		out, errOut, code := selfIn(t, env, append(c.args, "-test.run=^TestTheClientKnows$")...)
		assert.Zero(t, code, "%s: %s", c.about, errOut)
		assert.Equal(t, c.told, strings.Count(out+errOut, note), "%s: %s%s", c.about, out, errOut)
		assert.Equal(t, c.told, strings.Count(out+errOut, "left out"), c.about)
		assert.NotContains(t, out+errOut, "secret", c.about)
		if len(c.args) == 0 || c.told > 0 {
			assert.Contains(t, out, "the client knows \n", "%s: packages have not read it either", c.about)
		}
	}
	out, errOut := servedOnce(t, env, os.Args[0], "-serve", "-framework=tiny", "-pin=off")
	assert.Equal(t, 1, strings.Count(out, note), "the serving side tells what its servers lack: %s%s", out, errOut)
}
