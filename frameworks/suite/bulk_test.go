package suite

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// tinyVariant is one of tinyVariants.
func tinyVariant(name string) target {
	for _, v := range tinyVariants() {
		if v.Framework == name {
			return target{Variant: v}
		}
	}
	panic(name)
}

func TestAPayloadThatIsChanged(t *testing.T) {
	v := tinyVariant("mixed")
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
	require.NoError(t, err)
	defer c.Close()
	l := bulkLeaf(&flags{chunkSize: defaultChunk}, v, "bytes", 1<<20, 1)
	j, err := l.prepare(t.Context(), c, l)
	require.NoError(t, err)
	r, err := loadgen.Run(t.Context(), loadgen.Config{Workers: 1, Calls: 3, Schedule: loadgen.ClosedLoop, Check: j.check}, j.call)
	require.NoError(t, err)
	assert.EqualValues(t, 3, r.Failed)
	assert.Zero(t, r.OK, "no transfer counts that is not intact")
}

func TestTransfersThatAreTooLarge(t *testing.T) {
	out, errOut, code := self(t, bench("Bulk", "-framework=tiny,small", "-bulk=1KiB,2KiB", "-transfers=1,2")...)
	require.Zero(t, code, errOut)
	assert.Len(t, resultLines(out), 6, out)
	const reason = "# skipped: BenchmarkBulk: mode=bytes: a payload of 2048 bytes is over the largest of framework=small/transport=tcp/codec=gob, 1024 bytes\n"
	assert.Contains(t, out, reason)
}

func TestTheSizeOfMessagesIsShown(t *testing.T) {
	v := target{Variant: framework.Variant{Framework: "a", Streams: true, Profile: "tuned"}}
	f := &flags{chunkSize: 1 << 10, bulkSizes: []int{1 << 20}, parallels: []int{2}, networks: networks[:1], variants: []target{v}}
	var names []string
	for _, c := range bulk.cases(f) {
		names = append(names, c.keys())
	}
	assert.Equal(t, []string{
		"mode=bytes/size=1MiB/parallel=2/net=none/profile=tuned",
		"mode=stream/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB",
		"mode=stream-new/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB",
	}, names)
}

func TestWindowsAreForStreams(t *testing.T) {
	f := &flags{
		sizes: []int{1}, concs: []int{1}, bulkSizes: []int{1}, parallels: []int{1}, networks: networks[:1],
		variants: targets([]framework.Variant{{Framework: "a", Streams: true, Window: "16MiB"}}),
	}
	assert.Empty(t, echo.cases(f))
	assert.Len(t, streaming.cases(f), 2)
	assert.Equal(t, "mode=bytes/size=1B/parallel=1/net=none/window=16MiB", bulk.cases(f)[0].keys())
}

func TestTheWatchdogGivesTransfersTime(t *testing.T) {
	assert.Equal(t, 1024*time.Second, bulkLeaf(&flags{}, target{}, "bytes", 256<<20, 8).patience)
	assert.Zero(t, bulkLeaf(&flags{}, target{}, "bytes", 64<<10, 8).patience)
}

func TestErrorsNameTheTransfer(t *testing.T) {
	j := job{
		call:  func(context.Context, int) error { return errors.New("lost") },
		check: func(int) error { return errNotIntact },
	}.of(target{Variant: framework.Variant{Framework: "a", Transport: "b", Codec: "c"}}, 10)
	assert.EqualError(t, j.call(t.Context(), 0), "framework=a/transport=b/codec=c: a transfer of 10 bytes: lost")
	assert.EqualError(t, j.check(0), "framework=a/transport=b/codec=c: a transfer of 10 bytes: what came back is not what was sent")
}

func TestAppetite(t *testing.T) {
	for _, c := range []struct {
		about string
		probe probe
		say   string
	}{
		{"as much as is fair", probe{ownPeak: 17 << 20, idle: 1 << 20, inFlight: 4 << 20}, ""},
		{"more", probe{ownPeak: 21 << 20, idle: 1 << 20, inFlight: 4 << 20}, "5.0 × size × parallel"},
		{"of small transfers it says nothing", probe{ownPeak: 21 << 20, idle: 1 << 20, inFlight: 2 << 20}, ""},
		{"nor where the idle memory is not known", probe{ownPeak: 21 << 20, inFlight: 4 << 20}, ""},
	} {
		said := c.probe.appetite()
		if c.say == "" {
			assert.Empty(t, said, c.about)
		} else {
			assert.Contains(t, said, c.say, c.about)
		}
	}
}
