package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// planOf plans benchmarks of a framework that sends messages of a user's own, and of raw TCP.
func planOf(pattern string, sent *message.Sent) (*plan.Plan, error) {
	f := rig.NewFlags(rig.Table{
		Frameworks: []framework.Variant{{Keys: framework.Keys{Framework: "apple", Transport: "t", Codec: "c"}, Sent: sent}},
		References: []framework.Variant{{Keys: framework.Keys{Framework: "tcp", Transport: "mux", Codec: "none"}, Recommended: true, Sent: sent}},
	}, All)
	f.Options.Pattern, f.Options.Binary = pattern, []string{"BenchmarkEcho", "BenchmarkMessage", "BenchmarkRate", "BenchmarkCount"}
	f.Options.Concs.Set("100")
	return f.Plan()
}

// TestMessagesOfAUser have a name in the lines of all drivers, as the bench message has. The
// reference echoes as many bytes.
func TestMessagesOfAUser(t *testing.T) {
	number := int64(1)
	mark := func(n *int64) *int64 { return n }
	marked, unmarked := message.Own("Order", []*int64{&number}, nil, mark), message.Own("Order", []*int64{&number}, nil, nil)
	marked.Size = 321
	for _, c := range []struct {
		about, pattern string
		sent           *message.Sent
		want, unmarked []string
	}{
		{"a closed loop", "Message", marked.Sent(), []string{"Message/…/msg=Order/conc=100"}, nil},
		{"an open loop", "Rate/./././msg=Order/rate=10000", marked.Sent(), []string{"Rate/…/msg=Order/rate=10000"}, nil},
		{"counts", "Count/./././msg=", marked.Sent(), []string{"Count/…/msg=Order"}, nil},
		{"without a field for the number of a call", "Message", unmarked.Sent(), []string{"Message/…/msg=Order/conc=100"}, []string{"Order"}},
		{"Echo has no such messages", "Echo/./././size=1KiB/conc=100$", unmarked.Sent(), []string{"Echo/…/size=1KiB/conc=100"}, nil},
		{"the bench message", "Message", nil, []string{"Message/…/conc=100"}, nil},
	} {
		p, err := planOf(c.pattern, c.sent)
		require.NoError(t, err, c.about)
		var want []string
		for _, variant := range []string{"framework=apple/transport=t/codec=c", "framework=tcp/transport=mux/codec=none"} {
			for _, name := range c.want {
				want = append(want, "Benchmark"+strings.Replace(name, "…", variant, 1))
			}
		}
		assert.ElementsMatch(t, want, p.Names(), c.about)
		assert.Equal(t, c.unmarked, p.Unmarked(), c.about)
	}
	_, err := planOf("Message", message.Own[int64]("Order", nil, nil, nil).Sent())
	assert.EqualError(t, err, "framework=apple/transport=t/codec=c: msg=Order: there are no requests to send")
}

// otherPlan plans with the flag -msg, of which apple can send another message than the bench
// message and pear cannot.
func otherPlan(pattern, msg, frameworks string) (*plan.Plan, error) {
	number := int64(1)
	x := message.Own("Order", []*int64{&number}, nil, nil)
	of := func(name string, sent *message.Sent) framework.Variant {
		return framework.Variant{Keys: framework.Keys{Framework: name, Transport: "t", Codec: "c"}, Sent: sent}
	}
	f := rig.NewFlags(rig.Table{
		Frameworks: []framework.Variant{of("apple", nil), of("pear", nil)},
		References: []framework.Variant{of("tcp", nil)},
		Others: []rig.Other{{
			Name:       "Order",
			Frameworks: func() []framework.Variant { return []framework.Variant{of("apple", x.Sent())} },
		}},
	}, All)
	f.Options.Pattern, f.Options.Binary, f.Options.Message = pattern, []string{"BenchmarkMessage", "BenchmarkRate"}, msg
	f.Options.Concs.Set("100")
	if frameworks != "" {
		f.Options.Frameworks.Set(frameworks)
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f.Plan()
}

// TestAnotherMessage is sent by the frameworks that can, and the others are named.
func TestAnotherMessage(t *testing.T) {
	p, err := otherPlan("Message|Rate", "Order", "")
	require.NoError(t, err)
	const apple = "/framework=apple/transport=t/codec=c/msg=Order/"
	assert.Equal(t, []string{"BenchmarkMessage" + apple + "conc=100", "BenchmarkRate" + apple + "rate=10000", "BenchmarkRate" + apple + "rate=20000"}, p.Names())
	assert.Equal(t, []string{"-msg=Order: lacked by pear"}, p.Absent())
	p, err = otherPlan("Message", "bench", "")
	require.NoError(t, err)
	assert.Len(t, p.Names(), 3)
	assert.Empty(t, p.Absent())
	for _, c := range []struct{ about, msg, frameworks, say string }{
		{"a message that there is not", "Ordr", "", `-msg: unknown "Ordr"; did you mean Order?`},
		{"a framework that cannot send it", "Order", "pear", "-framework=pear -msg=Order: its adapter cannot send that message; these can: apple"},
	} {
		_, err := otherPlan("Message", c.msg, c.frameworks)
		assert.EqualError(t, err, c.say, c.about)
	}
}
