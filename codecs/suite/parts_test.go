package suite

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The messages are the same in every release: results that were kept are about them.
// Whoever changes them on purpose measures again, and changes the sum here.
func TestMessagesAreThoseOfTheKeptResults(t *testing.T) {
	sum := sha256.New()
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		for n := range 8 {
			text, err := json.Marshal(kind.Seeded(n))
			require.NoError(t, err)
			fmt.Fprintf(sum, "%s %s\n", kind.Name, text)
		}
	}
	assert.Equal(t, "f5b63e786ecb318f", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
}

func TestMessagesAreReset(t *testing.T) {
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		m := kind.Seeded(0)
		switch m := m.(type) {
		case *messages.Bench:
			m.Field5 = []uint64{1, 2}
		case *messages.Flat:
			m.Field5 = []uint64{1, 2}
		}
		m.(interface{ Reset() }).Reset()
		empty := kind.New()
		require.NoError(t, Convert(empty, m)) // which does not tell empty lists from nil
		assert.Equal(t, kind.New(), empty, kind.Name)
	}
	large := messages.KindLarge.Seeded(0).(*messages.Large)
	large.Reset()
	item := large.Items[:32][31]
	assert.Equal(t, messages.Label{}, item.Labels[:1][0])
	assert.NotZero(t, cap(item.Vals))
	assert.NotZero(t, cap(item.Blob))
	bench := &messages.Bench{Field5: make([]uint64, 3)}
	bench.Reset()
	assert.Equal(t, 3, cap(bench.Field5))
}

func TestConvertTypes(t *testing.T) {
	type inner struct{ N int32 }
	type from struct {
		Unsigned uint32
		Signed   int64
		Float    float32
		Text     string
		Flag     bool
		Maybe    *int32
		Absent   *int32
		Map      map[string]uint8
		List     []inner
		Bytes    []byte
		Nothing  []inner
		XXX_junk int //nolint:unused
	}
	type to struct {
		UNSIGNED  *int32
		Si_gned   uint64
		Float     float64
		Text      *string
		Flag      *bool
		Maybe     int64
		Absent    int64
		Map       map[string]int16
		List      []*inner
		Bytes     []byte
		Nothing   []*inner
		XXX_cache int
	}
	five := int32(5)
	src := from{
		Unsigned: 7, Signed: 8, Float: 1.5, Text: "x", Flag: true, Maybe: &five, Map: map[string]uint8{"a": 1},
		List: []inner{{1}, {2}}, Bytes: []byte("b"), Nothing: []inner{},
	}
	var got to
	require.NoError(t, Convert(&got, &src))
	seven, text, flag := int32(7), "x", true
	assert.Equal(t, to{
		UNSIGNED: &seven, Si_gned: 8, Float: 1.5, Text: &text, Flag: &flag, Maybe: 5, Map: map[string]int16{"a": 1},
		List: []*inner{{1}, {2}}, Bytes: []byte("b"),
	}, got)
	src.Bytes[0] = 'c'
	assert.Equal(t, "b", string(got.Bytes), "memory is copied")
	for _, row := range []struct {
		dst, src any
		say      string
	}{
		{&struct{ A int }{}, &struct{ A string }{}, "A: cannot convert string to int"},
		{&struct{ A []int }{}, &struct{ A []string }{[]string{"x"}}, "A: cannot convert string to int"},
		{&struct{ A map[string]int }{}, &struct{ A map[string]bool }{map[string]bool{"x": true}}, "A: cannot convert bool to int"},
		{&struct{ A struct{ B int } }{}, &struct{ A struct{ B string } }{}, "A: B: cannot convert string to int"},
		{&struct{ A int }{}, &struct{ B int }{}, "not both have"},
	} {
		assert.ErrorContains(t, Convert(row.dst, row.src), row.say)
	}
}

func TestLosses(t *testing.T) {
	type message struct {
		Number, Zero, None  *int
		Text, Empty, NoText *string
		Always              int
	}
	full := func() *message {
		one, zero, text, empty := 1, 0, "x", ""
		return &message{Number: &one, Zero: &zero, Text: &text, Empty: &empty}
	}
	for _, row := range []struct {
		loss Loss
		want func(m *message)
	}{
		{ZeroIsAbsent, func(m *message) { m.Zero, m.Empty = nil, nil }},
		{AbsentNumberIsZero, func(m *message) { m.None = new(int) }},
		{AbsentTextIsEmpty, func(m *message) { m.NoText = new(string) }},
		{EmptyTextIsAbsent, func(m *message) { m.Empty = nil }},
	} {
		got, want := full(), full()
		row.loss.lose(got)
		row.want(want)
		assert.Equal(t, want, got, row.loss.About)
	}
}

// What only decodes gets encodings of its input, and none of what encoding costs.
func TestDecodersAlone(t *testing.T) {
	wrong := errors.New("wrong")
	input := func(m any) ([]byte, error) {
		if m.(*messages.Small).Name == "" {
			return nil, wrong
		}
		return []byte("input"), nil
	}
	c := Of(func() Serializer[messages.Small] {
		return Serializer[messages.Small]{Input: input, Unmarshal: nothingDecoded}
	})
	b := c.make()
	require.NoError(t, b.load(messages.KindSmall.Sample(2)))
	assert.Equal(t, [][]byte{[]byte("input"), []byte("input")}, b.encoded())
	for _, op := range ops {
		assert.Equal(t, op == unmarshal || op == unmarshalReuse, b.can(op), op)
	}
	src, err := b.encode(marshal, []byte("an "), messages.KindSmall.Seeded(0))
	require.NoError(t, err)
	assert.Equal(t, "an input", string(src))
	_, err = b.encode(marshalFresh, nil, new(messages.Small))
	assert.ErrorIs(t, err, wrong)
	assert.ErrorIs(t, b.load([]any{new(messages.Small)}), wrong)

	e := Entry{Codec: "reader", Bench: c, Small: c}
	assert.False(t, e.encodes())
	var p properties
	require.NoError(t, probeText(e, &p))
	require.NoError(t, probeOrder(e, &p))
	assert.Equal(t, properties{TextOut: "-", TextIn: "replaces", Deterministic: "-"}, p)
}

func TestBedsRefuse(t *testing.T) {
	b := newBed(Serializer[messages.Small]{Append: nothingAppended, Unmarshal: nothingDecoded})
	assert.EqualError(t, b.load(messages.KindSmall.Sample(3)), "3 messages: not a power of two")
	assert.NoError(t, b.load(messages.KindSmall.Sample(4)))
	assert.Len(t, b.encoded(), 4)
	assert.EqualError(t, b.run("nothing", 1), `no operation "nothing"`)
	assert.True(t, b.can(marshal))
	assert.False(t, b.can(touch))
	assert.Error(t, b.load([]any{&struct{ Other int }{}}), "it cannot be built")
	_, err := b.encode(marshal, nil, &struct{ Other int }{})
	assert.Error(t, err)
	wrong := errors.New("wrong")
	b = newBed(Serializer[messages.Small]{
		Marshal:   func(*messages.Small) ([]byte, error) { return nil, wrong },
		Unmarshal: func([]byte, *messages.Small) error { return wrong },
		Touch:     func(*messages.Small) uint64 { return 1 },
	})
	assert.EqualError(t, b.load(messages.KindSmall.Sample(1)), "message 0: wrong")
	assert.False(t, b.can(marshal))
	assert.True(t, b.can(touch))
	n := b.(*nativeBed[messages.Small])
	n.natives, n.sources = []*messages.Small{{}}, [][]byte{nil}
	for _, op := range ops {
		assert.ErrorIs(t, b.run(op, 1), wrong, op)
		assert.NoError(t, b.run(op, 0), op)
	}
	assert.ErrorIs(t, b.decodeTwice(nil, nil, nil, nil), wrong)
	assert.ErrorIs(t, b.decode(unmarshal, nil, nil), wrong)
	assert.ErrorIs(t, b.attack(nil), wrong)
	_, err = kindCase{kind: messages.KindNext}.open(1)
	assert.EqualError(t, err, "no case for next")
}

func TestFigures(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	f := figuresOf(t, "key: a value: b\nnot a key: x\r\n"+long+"\nBenchmarkCodec/codec=a-2 10 5 ns/op\r\nBenchmarkCodec/codec=a-2 10 7 ns/op\n"+
		"BenchmarkCodec/codec=b 10 5 ns/op 4 B/op\nBenchmarkCodec/codec=c\nBenchmarkShort 1 2\nBenchmarkCodec/codec=d 10 many ns/op 3 B/op 9\n")
	assert.Equal(t, map[string]string{"key": "a value: b"}, f.config)
	assert.Equal(t, map[string]map[string][]float64{
		"Codec/codec=a": {"ns/op": {5, 7}}, "Codec/codec=b": {"ns/op": {5}, "B/op": {4}}, "Codec/codec=d": {"B/op": {3}},
	}, f.values)
	assert.Equal(t, 6.0, f.median("Codec/codec=a", "ns/op"))
	assert.Zero(t, f.median("Codec/codec=a", "B/op"))
	assert.Equal(t, map[string]bool{"a": true, "b": true, "d": true}, f.codecs())
	delete(f.values, "Codec/codec=d")
	assert.Equal(t, 1, f.rounds("ns/op"))
	assert.Equal(t, "2", keyOf("A/codec=a/procs=2", "procs"))
	assert.Empty(t, keyOf("A/codec=a", "procs"))
	_, err := readFigures("none")
	assert.ErrorContains(t, err, "none")
	for _, row := range []struct{ full, name, procs string }{{"A-16", "A", "16"}, {"A", "A", "1"}, {"A-b", "A-b", "1"}, {"-3", "", "3"}} {
		name, procs := cutProcs(row.full)
		assert.Equal(t, []string{row.name, row.procs}, []string{name, procs})
	}
}

func TestSetUpRefuses(t *testing.T) {
	assert.EqualError(t, unique([]Entry{{Codec: "a"}, {Codec: "a", Mode: "b"}, {Codec: "a"}}), "Config.Entries: a is there twice")
	assert.NoError(t, unique([]Entry{{Codec: "a"}, {Codec: "a", Mode: "b"}}))
	_, err := versionsOf([]byte("require ("))
	assert.ErrorContains(t, err, "Config.GoMod: ")
	versions, err := versionsOf([]byte(fakeGoMod))
	assert.NoError(t, err)
	assert.Equal(t, map[string]string{"fake.example/good": "v1.2.3"}, versions)
	tb := &fatal{}
	assert.PanicsWithValue(t, "ended", func() { new(environment).mustBeReady(tb) })
	assert.Contains(t, tb.said, "no set-up; add to the package: func TestMain")
	assert.NotPanics(t, func() { (&environment{ready: true}).mustBeReady(tb) })
}

// fatal is a test that keeps what ends it.
type fatal struct {
	testing.TB
	said string
}

func (*fatal) Helper() {}

func (f *fatal) Fatal(args ...any) {
	f.said = fmt.Sprint(args...)
	panic("ended")
}

func TestWriter(t *testing.T) {
	w := Writer("a")
	n, err := w.Write([]byte("bc"))
	assert.Equal(t, 2, n)
	assert.NoError(t, err)
	assert.NoError(t, w.WriteByte('d'))
	n, err = w.WriteString("efg")
	assert.Equal(t, 3, n)
	assert.NoError(t, err)
	assert.Equal(t, "abcdefg", string(w))
}

// TestProgressOfARun has both outputs go to one place, as go test has them.
func TestProgressOfARun(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.benchtime=1x", "-test.bench=Codec/codec=good/msg=small").CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "# 3 cases, about 0s\n")
	assert.Equal(t, 3, strings.Count(string(out), "\nBenchmarkCodec/codec=good/msg=small/op="))
	out, err = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.benchtime=1x", "-test.bench=Codec/codec=good/msg=small").Output()
	require.NoError(t, err)
	assert.NotContains(t, string(out), "# 3 cases", "nobody sees it")
	assert.Contains(t, string(out), "\nprocs: ")
	assert.Contains(t, string(out), "\ngo: go1.")
	assert.True(t, strings.HasPrefix(string(out), units))
}
