package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
)

// Lines have the keys of -payload and -call-timeout where their calls have the payload and
// the deadline.
func TestKeysOfPayloadsAndDeadlines(t *testing.T) {
	const data, timeout, both = "/data=compressible", "/timeout=50ms", "/timeout=50ms/data=compressible"
	for _, c := range []struct{ says, pattern, keys string }{
		{"calls of Echo have both", "Echo", both},
		{"the bench message has its own bytes", "Message", timeout},
		{"and so at a rate", "Rate/./././msg", timeout},
		{"calls at a rate have both", "Rate", both},
		{"and at the capacity", "Capacity", both},
		{"and at a share of it", "Load", both},
		{"and those to a server that stands still", "Stall", both},
		{"and calls that work", "Workload", both},
		{"messages at a rate on streams end at a deadline", "Rate/./././streams", both},
		{"asynchronous calls have both", "Conn/././././conc=100", both},
		{"and those to several servers", "Cluster", both},
		{"and those among silent connections", "Idle", both},
		{"and first calls", "Dial", both},
		{"and small and large ones", "Mix", both},
		{"streams that stay open do not end at a deadline", "Stream", data},
		{"counts are of calls without one", "Count", data},
		{"transfers by calls have both", "Bulk/./mode=bytes", both},
		{"transfers by streams of their own, too", "Bulk/./mode=stream-new", both},
		{"those by streams that stay open have the payload alone", "Bulk/./mode=stream$", data},
	} {
		v := framework.Variant{Keys: framework.Keys{Framework: "a", Transport: "b", Codec: "c"}, Abilities: framework.Abilities{Async: true, Streams: true}, Recommended: true}
		p := planned(t, []framework.Variant{v}, "-bench="+c.pattern, "-payload=compressible", "-call-timeout=50ms", "-size=1KiB", "-bulk=1KiB")
		assert.NotEmpty(t, p.Names(), c.says)
		for _, name := range p.Names() {
			assert.Equal(t, c.keys, callKeys(name), "%s: %s", c.says, name)
		}
	}
}

// callKeys are the keys of payload and deadline of a name.
func callKeys(name string) (keys string) {
	for key := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(key, "data=") || strings.HasPrefix(key, "timeout=") {
			keys += "/" + key
		}
	}
	return keys
}

func TestThePlacesOfTheKeys(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a", Profile: "p"}, Abilities: framework.Abilities{Streams: true}, Recommended: true}
	flags := []string{"-payload=compressible", "-call-timeout=1500ms", "-size=1KiB", "-conc=1", "-bulk=1MiB", "-transfers=1", "-chunk=1KiB", "-net=none,delay-1ms", "-workload=nop"}
	for pattern, want := range map[string][]string{
		"Workload":               {"workload=nop/conc=1/profile=p/size=1KiB/timeout=1.5s/data=compressible", "workload=nop/conc=1/profile=p/size=1KiB/timeout=1.5s/net=delay-1ms/data=compressible"},
		"Bulk/./mode=stream-new": {"mode=stream-new/size=1MiB/parallel=1/net=none/profile=p/chunk=1KiB/timeout=1.5s/data=compressible", "mode=stream-new/size=1MiB/parallel=1/net=delay-1ms/profile=p/chunk=1KiB/timeout=1.5s/data=compressible"},
	} {
		assert.Equal(t, want, keys(planned(t, []framework.Variant{v}, append(flags, "-bench="+pattern)...)), pattern)
	}
}

// Attachments are bytes past the serializer, which only some protocols have, as brpc's.
func TestAttachmentsHaveTheKeyOfThePayload(t *testing.T) {
	raw := framework.Variant{Keys: framework.Keys{Framework: "a", Codec: "raw"}, Abilities: framework.Abilities{Kind: framework.Bytes}}
	p := planned(t, []framework.Variant{raw}, "-bench=Bulk", "-payload=compressible", "-bulk=1MiB", "-transfers=1")
	assert.Equal(t, []string{"mode=attachment/size=1MiB/parallel=1/net=none/data=compressible"}, keys(p))
}

// A line with the key has the payload, and one without has not: also of bytes that stand for
// the bench message.
func TestWhoHasThePayload(t *testing.T) {
	bare := framework.Variant{Keys: framework.Keys{Framework: "a"}, Abilities: framework.Abilities{Kind: framework.Bare}}
	for _, c := range []struct {
		pattern string
		want    bool
	}{{"Echo", true}, {"Message", false}} {
		p := planned(t, []framework.Variant{bare}, "-bench="+c.pattern, "-payload=compressible", "-size=1KiB")
		for _, selected := range p.Selected() {
			request := new(load.Settings).Requests(selected, 1).Messages()[0]
			assert.Equal(t, c.want, strings.Contains(string(request.Msg), "abcdefgh"), c.pattern)
		}
	}
}

func TestFlagsOfCallsThatChangeNothing(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a"}, Abilities: framework.Abilities{Streams: true}, Recommended: true}
	for _, c := range []struct{ says, pattern, flag, want string }{
		{"a payload that is sent", "Echo|Message", "-payload=compressible", ""},
		{"a payload of nobody", "Message", "-payload=compressible", "-payload=compressible: the requests of Message do not have that payload"},
		{"a deadline of some calls", "Stream|Echo", "-call-timeout=1s", ""},
		{"a deadline of none", "Stream|Count", "-call-timeout=1s", "-call-timeout=1s: the selected calls of Stream and Count do not end at a deadline"},
		{"nothing is measured", "^$", "-payload=compressible", ""},
	} {
		err := planned(t, []framework.Variant{v}, "-bench="+c.pattern, c.flag).CheckCalls()
		if c.want == "" {
			assert.NoError(t, err, c.says)
		} else {
			assert.EqualError(t, err, c.want, c.says)
		}
	}
}
