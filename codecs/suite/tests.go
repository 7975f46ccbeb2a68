package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/proof"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/race"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Conformance tests every entry with every message. It comes before any speed
// figure. With messages of one's own it fails where an entry refuses one or loses something
// of it.
func Conformance(t *testing.T) {
	env.mustBeReady(t)
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			if env.sample != nil {
				require.NoError(t, env.verdict(e).Error())
				return
			}
			t.Parallel()
			for _, k := range e.all() {
				t.Run("msg="+k.Kind.Name, func(t *testing.T) { conform(t, e, k) })
			}
		})
	}
}

func conform(t *testing.T, e Entry, k bed.Case) {
	if k.New == nil {
		t.Skip("the format has no such thing")
	}
	b, err := k.Open(bed.Warm)
	require.NoError(t, foreign.Error(err))
	require.NoError(t, foreign.Error(conformance.Messages(b, k.Kind, bed.Warm, e.expect)))
	require.NoError(t, foreign.Error(conformance.Append(b, k.Kind)))
	require.NoError(t, foreign.Error(conformance.Reuse(k, e.expect)))
	for _, op := range bed.Operations {
		if b.Can(op) {
			require.NoError(t, foreign.Error(b.Run(op, 2*bed.Warm)), op)
		}
	}
}

// aboutOurs skips a test that is about the messages of this suite, since it plants
// something in them, where there are messages of one's own.
func aboutOurs(tb testing.TB) {
	tb.Helper()
	if env.sample != nil {
		tb.Skipf("it needs the messages of the suite, and Config.Messages has %s", env.sample.Name)
	}
}

// Properties finds out the properties of every entry, and fails where one loses
// more or less than it declares.
func Properties(t *testing.T) {
	env.mustBeReady(t)
	aboutOurs(t)
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			p, err := e.properties()
			require.NoError(t, foreign.Error(err))
			t.Logf("%+v", p)
			assert.Equal(t, "kept", p.Input, "decoding may not write to its input")
			assert.Equal(t, e.Shares, p.Alias == "shares", "sharing memory with the input is declared by Shares")
		})
	}
}

// Reuse counts allocations: decoding into a value that was used before may not need
// more of them than decoding into a new one.
func Reuse(t *testing.T) {
	env.mustBeReady(t)
	if race.Enabled {
		t.Skip("the race detector drops what pools hold")
	}
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			skipRefused(t, e)
			for _, k := range env.measured(e) {
				fresh, reuse, err := allocations(k)
				require.NoError(t, foreign.Error(err))
				t.Logf("msg=%s: %.1f allocations, %.1f with reuse", k.Kind.Name, fresh, reuse)
				assert.LessOrEqual(t, reuse, fresh+0.1, "msg=%s", k.Kind.Name) // a collection empties pools
			}
		})
	}
}

// allocations are how many unmarshal and unmarshal_reuse need for a message.
func allocations(k bed.Case) (fresh, reuse float64, err error) {
	b, err := k.Open(bed.Warm)
	if err != nil {
		return 0, 0, err
	}
	count := func(op bed.Operation) float64 {
		return testing.AllocsPerRun(2, func() { err = errors.Join(err, b.Run(op, bed.Warm)) }) / bed.Warm
	}
	fresh, reuse = count(bed.Unmarshal), count(bed.UnmarshalReuse)
	return fresh, reuse, err
}

// Together has goroutines encode and decode at once, each with a serializer of
// its own, so that the race detector sees what they share.
func Together(t *testing.T) {
	env.mustBeReady(t)
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			if e.Races != "" {
				t.Skip(e.Races)
			}
			skipRefused(t, e)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for _, k := range env.measured(e) {
						assert.NoError(t, foreign.Error(together(e, k)))
					}
				})
			}
			all.Wait()
		})
	}
}

// together is what each goroutine does.
func together(e Entry, k bed.Case) error {
	if env.sample != nil {
		if v := proof.Try(k, env.sample).Verdict(); v.Refuses != "" { // Conformance tells of losses
			return v.Error()
		}
		return nil
	}
	b, err := k.Open(8)
	if err != nil {
		return err
	}
	return conformance.Messages(b, k.Kind, 8, e.expect)
}

// skipRefused skips an entry that cannot take the messages of one's own: Conformance fails.
func skipRefused(t *testing.T, e Entry) {
	t.Helper()
	if env.refuses(e) {
		t.Skip(env.verdict(e).Error())
	}
}

// Hostile gives every entry -mutations mutated messages in processes of their own, and
// fails if one does worse than its Hazard says. With -update it writes the verdicts to
// file.
func Hostile(t *testing.T, file string) {
	env.mustBeReady(t)
	if why := hostile.Unsupported(); why != "" {
		t.Skip(why)
	}
	results := map[string]hostileResult{}
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			skipRefused(t, e)
			v, err := hostile.Attack(e.target(env.sample), env.mutations, hostile.Timeout)
			require.NoError(t, foreign.Error(err))
			t.Logf("%+v", v)
			if v.Hazard() > e.Hazard {
				t.Errorf("worse than its entry's Hazard: %s", v.Worst)
			}
			results[e.ID()] = hostileResult{env.versionOf(e), time.Now().UTC().Format(time.DateOnly), v}
		})
	}
	if env.update {
		writeJSON(t, file, results)
	}
}

// hostileResult is a verdict, the version that it is about, and its day.
type hostileResult struct {
	Version string
	Date    string
	hostile.Verdict
}

func writeJSON(t *testing.T, file string, v any) {
	text, err := json.MarshalIndent(v, "", "\t")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(text, '\n'), 0o644))
}

// addSeeds adds encodings of the i-th case of an entry.
func addSeeds(f *testing.F, e Entry, i int, k bed.Case) {
	for n := range 4 {
		message := k.Kind.Seeded(n)
		src, err := k.New().Encode(bed.MarshalFresh, nil, message)
		require.NoError(f, foreign.Error(err))
		f.Add(i, src)
		if env.sample != nil { // it is proven, and the case has one message
			return
		}
		require.NoError(f, foreign.Error(conformance.Decode(k.New(), k.Kind, bed.Unmarshal, bytes.Clone(src), e.expect(message))))
	}
}

// Fuzz is a fuzz target of one entry, seeded with its own encodings. They must arrive
// as they were sent. A decoder that is Safe may not panic; panics of others are ignored.
// One that Kills is not fuzzed, since it would end the process: Hostile tests it.
func Fuzz(f *testing.F, e Entry) {
	env.mustBeReady(f)
	if env.sample != nil {
		require.NoError(f, env.verdict(e).Error())
	}
	cases := e.seeds(env.sample)
	for i, k := range cases {
		addSeeds(f, e, i, k)
	}
	if e.Hazard == Kills && testFlag("fuzz") != "" {
		f.Skip("kills its process: see the test of hostile input")
	}
	f.Fuzz(func(t *testing.T, kind int, src []byte) {
		o := hostile.Try(cases[uint(kind)%uint(len(cases))].New().DecodeNative, src)
		if o.What == hostile.Panicked && e.Hazard == Safe {
			t.Errorf("panics: %s", o.About)
		}
	})
}
