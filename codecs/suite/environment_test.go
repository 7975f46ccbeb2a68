package suite

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// atInit is what a package of sonic has read before main.
var atInit = os.Getenv("SONIC_ENCODER_USE_VM")

// envKnows is the environment variable that has TestTheTestKnows print.
const envKnows = "RPCBENCH_TEST_KNOWS"

// TestTheTestKnows is run by TestWhatOneSerializerAloneReads, in another process.
func TestTheTestKnows(*testing.T) {
	if os.Getenv(envKnows) == "" {
		return
	}
	os.Stdout.WriteString("the test knows " + atInit + os.Getenv("HTTPS_PROXY") + "\n")
}

func TestWhatOneSerializerAloneReads(t *testing.T) {
	env := []string{envKnows + "=1", "HTTPS_PROXY=http://secret@127.0.0.1:1", "SONIC_ENCODER_USE_VM=1"}
	const note = "\n# environment: left out HTTPS_PROXY, SONIC_ENCODER_USE_VM\n"
	for _, c := range []struct {
		about, args string
		told        int // times
	}{
		{"a run that measures tells it once", "-test.bench=Codec/codec=good/msg=small -test.benchtime=1x", 1},
		{"a run of tests measures nothing", "", 0},
		{"nor does a list of cases", "-cases -test.bench=Codec/codec=good/msg=small", 0},
	} {
		out, errOut, code := selfIn(t, "", env, append(strings.Fields(c.args), "-test.run=^TestTheTestKnows$")...)
		assert.Zero(t, code, "%s: %s", c.about, errOut)
		assert.Equal(t, c.told, strings.Count(out, note), "%s: %s", c.about, out)
		assert.Equal(t, c.told, strings.Count(out+errOut, "left out"), c.about)
		if !strings.Contains(c.args, "-cases") {
			assert.Contains(t, out, "the test knows \n", "%s: packages have not read it either", c.about)
		}
	}
}
