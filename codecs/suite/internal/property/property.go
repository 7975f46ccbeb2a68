// Package property finds out what serializers do that their formats leave open, by trying.
package property

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Properties are what Find finds out. Each is a word or two, as they stand in the table;
// "-" where the question does not arise.
type Properties struct {
	Alias         string // "copies", or "shares" when changing the input changes what was decoded
	Input         string // "kept", or "changed" when decoding writes to its input
	TextOut       string // invalid UTF-8 when encoding: "rejects", "replaces" or "accepts"
	TextIn        string // the same when decoding
	Presence      string // "kept", or what Losses say
	Deterministic string // "yes", "but for maps", or "no"
	Evolution     string // a reader that is older than the writer: "skips", "error", or "wrong"
}

// Subject is a serializer, with what is declared of it.
type Subject struct {
	Cases  []bed.Case // one of each kind of message
	Shares bool       // what was decoded shares memory with the input
	Losses []Loss
}

// Loss is something that messages lose on the way through a serializer.
type Loss struct {
	About string
	Lose  func(message any) // takes from a message what the serializer does
}

// Find finds out the properties of a serializer. It is an error if its losses are not
// those that are declared.
func Find(s Subject) (p Properties, err error) {
	for _, find := range []func(*Properties) error{
		s.alias, s.text, s.presence, s.order, s.evolution,
	} {
		if err := find(&p); err != nil {
			return p, err
		}
	}
	return p, nil
}

// of returns the case of a kind.
func (s Subject) of(kind messages.Kind) bed.Case {
	i := slices.IndexFunc(s.Cases, func(c bed.Case) bool { return c.Kind.Name == kind.Name })
	return s.Cases[i]
}

// encodes reports whether the serializer can encode.
func (s Subject) encodes() bool { return s.of(messages.KindSmall).New().Can(bed.MarshalFresh) }

// alias decodes, overwrites the input and looks whether what was decoded
// has changed. It does so with every message, since a library may copy some fields and
// not others.
func (s Subject) alias(p *Properties) error {
	p.Alias, p.Input = "copies", "kept"
	for _, kind := range messages.Measured {
		b, err := s.of(kind).Open(1)
		if err != nil {
			return err
		}
		src := bytes.Clone(b.Encoded()[0])
		before, after := kind.New(), kind.New()
		if s.Shares && b.Can(bed.Touch) {
			after = nil // what is read in place of overwritten bytes may take any memory
		}
		overwrite := func() {
			for i := range src {
				src[i] ^= 0x55
			}
		}
		if err := b.DecodeTwice(src, before, overwrite, after); err != nil {
			return err
		}
		overwrite()
		if !bytes.Equal(src, b.Encoded()[0]) {
			p.Input = "changed"
		}
		if !reflect.DeepEqual(before, after) {
			p.Alias = "shares"
		}
	}
	return nil
}

// marker is replaced in the encoding by broken, which has the same length and is not
// UTF-8.
const (
	marker = "Marker"
	broken = "\xff\xfe\xfd\xfc\xfb\xfa"
)

// text encodes and decodes a string that is not UTF-8.
func (s Subject) text(p *Properties) (err error) {
	small := s.of(messages.KindSmall)
	src, err := small.New().Encode(bed.Marshal, nil, &messages.Small{Name: broken})
	if !s.encodes() {
		p.TextOut = "-"
	} else if err != nil {
		p.TextOut = "rejects"
	} else if bytes.Contains(src, []byte(broken)) {
		p.TextOut = "accepts"
	} else {
		p.TextOut = "replaces"
	}
	b := small.New() // the first may not survive an error
	if src, err = b.Encode(bed.Marshal, nil, &messages.Small{Name: marker}); err != nil {
		return err
	}
	src = bytes.Replace(src, []byte(marker), []byte(broken), 1)
	var got messages.Small
	if err := b.Decode(bed.Unmarshal, src, &got); err != nil {
		p.TextIn = "rejects"
	} else if got.Name == broken {
		p.TextIn = "accepts"
	} else {
		p.TextIn = "replaces"
	}
	return nil
}

// presence sends messages whose optional fields are absent, zero and set. They lose what
// is declared, all of it.
func (s Subject) presence(p *Properties) error {
	p.Presence = "kept"
	var lost []string
	for i, l := range s.Losses {
		lost = append(lost, l.About)
		if s.sendAll(slices.Delete(slices.Clone(s.Losses), i, i+1)) == nil {
			return fmt.Errorf("%q is declared, and not so", l.About)
		}
	}
	if len(lost) > 0 {
		p.Presence = strings.Join(lost, "; ")
	}
	return s.sendAll(s.Losses)
}

// presences are messages with every optional field absent, zero, and set.
func presences() []*messages.Bench {
	zero := &messages.Bench{Field1: "x"}
	conformance.EachOptional(func(f reflect.Value) { f.Set(reflect.New(f.Type().Elem())) })(zero)
	return []*messages.Bench{{Field1: "x"}, zero, messages.KindBench.Seeded(0).(*messages.Bench)}
}

// sendAll sends presences, which must arrive as they are but for some losses.
func (s Subject) sendAll(losses []Loss) error {
	b := s.of(messages.KindBench).New()
	for _, message := range presences() {
		src, err := b.Encode(bed.Marshal, nil, message)
		if err != nil {
			return err
		}
		got, want := new(messages.Bench), *message
		for _, l := range losses {
			l.Lose(&want)
		}
		if err := b.Decode(bed.Unmarshal, src, got); err != nil {
			return err
		}
		if !reflect.DeepEqual(&want, got) {
			return fmt.Errorf("got %s, want %s", conformance.Show(got), conformance.Show(&want))
		}
	}
	return nil
}

// order encodes the same messages again and again.
func (s Subject) order(p *Properties) error {
	if !s.encodes() {
		p.Deterministic = "-"
		return nil
	}
	same := func(c bed.Case) bool {
		first, err := c.New().Encode(bed.Marshal, nil, c.Kind.Seeded(0))
		if err != nil {
			return false
		}
		for range 20 {
			again, err := c.New().Encode(bed.MarshalFresh, nil, c.Kind.Seeded(0))
			if err != nil || !bytes.Equal(first, again) {
				return false
			}
		}
		return true
	}
	p.Deterministic = "yes"
	for _, c := range s.Cases {
		if c.New == nil || same(c) {
			continue
		}
		if c.Kind.Name != messages.KindMapped.Name {
			p.Deterministic = "no"
			return nil
		}
		p.Deterministic = "but for maps"
	}
	return nil
}

// evolution has a reader of Small meet the Next of a newer writer.
func (s Subject) evolution(p *Properties) error {
	newer := s.of(messages.KindNext)
	if newer.New == nil {
		p.Evolution = "-"
		return nil
	}
	next := messages.KindNext.Seeded(0).(*messages.Next)
	src, err := newer.New().Encode(bed.Marshal, nil, next)
	if err != nil {
		return err
	}
	var got messages.Small
	want := messages.Small{ID: next.ID, Name: next.Name, Active: next.Active, Score: next.Score}
	err = s.of(messages.KindSmall).New().Decode(bed.Unmarshal, src, &got)
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
