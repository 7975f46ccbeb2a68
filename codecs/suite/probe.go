package suite

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// properties are what probe finds out about an entry by trying. Each is a word
// or two, as they stand in the table; "-" where the question does not arise.
type properties struct {
	Alias         string // "copies", or "shares" when changing the input changes what was decoded
	Input         string // "kept", or "changed" when decoding writes to its input
	TextOut       string // invalid UTF-8 when encoding: "rejects", "replaces" or "accepts"
	TextIn        string // the same when decoding
	Presence      string // "kept", or what Losses say
	Deterministic string // "yes", "but for maps", or "no"
	Evolution     string // a reader that is older than the writer: "skips", "error", or "wrong"
}

// probe finds out the properties of an entry.
func probe(e Entry) (p properties, err error) {
	for _, find := range []func(Entry, *properties) error{
		probeAlias, probeText, probePresence, probeOrder, probeEvolution,
	} {
		if err := find(e, &p); err != nil {
			return p, fmt.Errorf("%s: %w", e.ID(), err)
		}
	}
	return p, nil
}

// probeAlias decodes, overwrites the input and looks whether what was decoded
// has changed. It does so with every message, since libraries differ in what
// they copy.
func probeAlias(e Entry, p *properties) error {
	p.Alias, p.Input = "copies", "kept"
	for _, k := range e.cases() {
		bed, err := k.open(1)
		if err != nil {
			return err
		}
		src := bytes.Clone(bed.encoded()[0])
		before, after := k.kind.New(), k.kind.New()
		if e.Shares && bed.can(touch) {
			after = nil // what is read in place of overwritten bytes may take any memory
		}
		overwrite := func() {
			for i := range src {
				src[i] ^= 0x55
			}
		}
		if err := bed.decodeTwice(src, before, overwrite, after); err != nil {
			return err
		}
		overwrite()
		if !bytes.Equal(src, bed.encoded()[0]) {
			p.Input = "changed"
		}
		if !reflect.DeepEqual(before, after) {
			p.Alias = "shares"
		}
	}
	return nil
}

// The marker is replaced in the encoding by bytes of the same length that are
// not UTF-8.
const (
	marker = "Marker"
	broken = "\xff\xfe\xfd\xfc\xfb\xfa"
)

func probeText(e Entry, p *properties) (err error) {
	bed := e.Small.make()
	src, err := bed.encode(marshal, nil, &messages.Small{Name: broken})
	if !e.encodes() {
		p.TextOut = "-"
	} else if err != nil {
		p.TextOut = "rejects"
	} else if bytes.Contains(src, []byte(broken)) {
		p.TextOut = "accepts"
	} else {
		p.TextOut = "replaces"
	}
	bed = e.Small.make() // the first may not survive an error
	if src, err = bed.encode(marshal, nil, &messages.Small{Name: marker}); err != nil {
		return err
	}
	src = bytes.Replace(src, []byte(marker), []byte(broken), 1)
	var got messages.Small
	if err := bed.decode(unmarshal, src, &got); err != nil {
		p.TextIn = "rejects"
	} else if got.Name == broken {
		p.TextIn = "accepts"
	} else {
		p.TextIn = "replaces"
	}
	return nil
}

// probePresence sends messages whose optional fields are absent, zero and set.
// What is lost must be what the entry says, all of it.
func probePresence(e Entry, p *properties) error {
	p.Presence = "kept"
	var lost []string
	for _, l := range e.Losses {
		lost = append(lost, l.About)
		without := e
		without.Losses = nil
		for _, other := range e.Losses {
			if other.About != l.About {
				without.Losses = append(without.Losses, other)
			}
		}
		if sendAll(without, presences()) == nil {
			return fmt.Errorf("%q is declared, and not so", l.About)
		}
	}
	if len(lost) > 0 {
		p.Presence = strings.Join(lost, "; ")
	}
	return sendAll(e, presences())
}

// presences are messages with every optional field absent, zero, and set.
func presences() []any {
	zero := &messages.Bench{Field1: "x"}
	eachPointer(func(f reflect.Value) { f.Set(reflect.New(f.Type().Elem())) })(zero)
	return []any{&messages.Bench{Field1: "x"}, zero, messages.KindBench.Seeded(0)}
}

func sendAll(e Entry, list []any) error {
	bed := e.Bench.make()
	for _, message := range list {
		src, err := bed.encode(marshal, nil, message)
		if err != nil {
			return err
		}
		got, want := new(messages.Bench), e.expect(message)
		if err := bed.decode(unmarshal, src, got); err != nil {
			return err
		}
		if !reflect.DeepEqual(want, any(got)) {
			return fmt.Errorf("got %s, want %s", show(got), show(want))
		}
	}
	return nil
}

// probeOrder encodes the same messages again and again.
func probeOrder(e Entry, p *properties) error {
	if !e.encodes() {
		p.Deterministic = "-"
		return nil
	}
	same := func(k kindCase) bool {
		first, err := k.make().encode(marshal, nil, k.kind.Seeded(0))
		if err != nil {
			return false
		}
		for range 20 {
			again, err := k.make().encode(marshalFresh, nil, k.kind.Seeded(0))
			if err != nil || !bytes.Equal(first, again) {
				return false
			}
		}
		return true
	}
	p.Deterministic = "yes"
	for _, k := range e.all() {
		if k.make == nil || same(k) {
			continue
		}
		if k.kind.Name != messages.KindMapped.Name {
			p.Deterministic = "no"
			return nil
		}
		p.Deterministic = "but for maps"
	}
	return nil
}

// probeEvolution has a reader of Small meet the Next of a newer writer.
func probeEvolution(e Entry, p *properties) error {
	if e.Next.make == nil {
		p.Evolution = "-"
		return nil
	}
	next := messages.KindNext.Seeded(0).(*messages.Next)
	src, err := e.Next.make().encode(marshal, nil, next)
	if err != nil {
		return err
	}
	var got messages.Small
	want := messages.Small{ID: next.ID, Name: next.Name, Active: next.Active, Score: next.Score}
	err = e.Small.make().decode(unmarshal, src, &got)
	switch {
	case err != nil:
		p.Evolution = "error"
	case got == want:
		p.Evolution = "skips"
	default:
		p.Evolution = "wrong"
	}
	return nil
}
