package suite

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
)

// planted are variants that one process proves beside each other. The faulty ones have the
// text by which Conformance must tell them, those that are right have "".
type planted struct {
	parts string // of Conformance that are run, as a pattern; all have to pass where there is no fault
	says  map[string]string
}

// plantedFaults keeps those that wait long apart, since a part that runs alone waits for all
// others of its process.
func plantedFaults() map[string]planted {
	return map[string]planted{
		"none": {".", map[string]string{"tiny": "", "small": "", "bare": ""}},
		"calls": {"echo|sizes|promises|concurrent|handler_error|message", map[string]string{
			"mixed":   "reply: not what was sent",
			"deaf":    "/handler_error",
			"flaky":   " × flaky",
			"vain":    "by Kind, Async and Streams",
			"shy":     "by Kind, Async and Streams",
			"pooled":  "before the worker's next call: reply: not what was sent",
			"fewer":   "the reply differs: Field7: ",
			"lasting": "0 bytes after others, 0 bytes further on",
		}},
		"replies": {"replies|concurrent", map[string]string{
			"mute":    "reply: the client handed none to the check",
			"mirror":  "reply: it is the request's own memory",
			"copycat": "the reply is not what the server sent",
			"barecat": "the replies are not what came from the server",
		}},
		"deadlines": {"deadline", map[string]string{
			"patient": "a limit of the client's own",
			"hasty":   "a limit of the client's own",
		}},
		"connections": {"connections", map[string]string{"leaver": "Close left connections open"}},
		"layers": {"layers", map[string]string{
			"unveiled": "a client that does not trust the server's certificate",
			"trusting": "a client that does not trust the server's certificate",
			"heavy":    "bytes of a request",
		}},
		"metadata": {"metadata", map[string]string{
			"forgetful": "bytes of a request's metadata",
			"heavy":     "metadata: more came back than was sent",
		}},
		"chain": {"chain", map[string]string{
			"untraced": "interceptors of the server",
			"spanless": "interceptors of the client",
		}},
		"spans of the server": {"layers", map[string]string{"untraced": "spans of the server"}},
		"spans of the client": {"layers", map[string]string{"spanless": "spans of the client"}},
	}
}

// TestConformanceNoticesFaults proves variants of which each has a fault, but for a few.
// Slow: a client that leaves its connections open has 20 s to close them.
func TestConformanceNoticesFaults(t *testing.T) {
	t.Parallel()
	if race.Enabled {
		t.Skip("the packages of the frameworks run Conformance under the race detector; here it would watch faults")
	}
	for name, p := range plantedFaults() {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "connections" {
				t.Skip("it takes 20 s")
			}
			t.Parallel()
			var names []string
			for variant := range p.says {
				names = append(names, variant)
			}
			out, errOut, code := self(t, "-test.parallel=8", "-test.run=^TestConformanceOf$/./././("+p.parts+")", "-framework="+strings.Join(names, ","))
			assert.Equal(t, name != "none", code != 0, "%s%s", out, errOut)
			failed := failedVariants(out)
			for variant, want := range p.says {
				text, fails := failed[variant]
				assert.Equal(t, want != "", fails, "%s: %s", variant, out)
				assert.Contains(t, text, want, variant)
				delete(failed, variant)
			}
			assert.Empty(t, failed, "no other part of the test fails")
		})
	}
}

// failedVariants returns what a run of Conformance printed of each variant that failed.
func failedVariants(out string) map[string]string {
	failed, name := map[string]string{}, ""
	ofOne := regexp.MustCompile(`^ +--- FAIL: TestConformanceOf/framework=(\w+)/`)
	for line := range strings.Lines(out) {
		if found := ofOne.FindStringSubmatch(line); found != nil {
			name = found[1]
		} else if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "FAIL") {
			name = ""
		}
		if name != "" {
			failed[name] += line
		}
	}
	return failed
}
