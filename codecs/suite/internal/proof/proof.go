// Package proof sends the messages of a sample through a serializer, before anything is
// measured, and says what came of it.
package proof

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/sample"
)

// Verdict is what a serializer does with a sample. Without Refuses and Loses every message
// arrives as it was sent.
type Verdict struct {
	Refuses string   // why it cannot be measured: an error, or a panic; "" if it can
	Loses   []string // what differs on arrival, each once
	Sizes   []int    // bytes of each message
}

// most is the number of losses that are told.
const most = 3

// Losses is what the serializer loses, in one line; "" for nothing.
func (v Verdict) Losses() string {
	if len(v.Loses) > most {
		return fmt.Sprintf("%s; and %d more", strings.Join(v.Loses[:most], "; "), len(v.Loses)-most)
	}
	return strings.Join(v.Loses, "; ")
}

// Error is an error of a serializer that refuses or loses something.
func (v Verdict) Error() error {
	switch {
	case v.Refuses != "":
		return fmt.Errorf("refuses: %s", v.Refuses)
	case len(v.Loses) > 0:
		return fmt.Errorf("loses: %s", v.Losses())
	}
	return nil
}

// Try sends every message of a sample in all ways that are measured. What panics
// is recovered from; what overflows the stack ends the process. Several serializers may be
// tried at once.
func Try(k bed.Case, s *sample.Sample) *Trial {
	t := &Trial{kind: k, sample: s}
	if k.New == nil {
		t.err = errors.New("its entry has no Own case")
		return t
	}
	t.err = caught(t.all)
	t.appended, t.fresh = nil, nil
	return t
}

// Verdict is what came of it. To say which field is refused it copies messages, which nobody
// else may use meanwhile.
func (t *Trial) Verdict() Verdict {
	if t.err != nil {
		return Verdict{Refuses: t.where() + reason(t.err)}
	}
	return Verdict{Loses: t.lost, Sizes: t.sizes}
}

// caught calls f and makes an error of a panic.
func caught(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panics: %v", p)
		}
	}()
	return f()
}

// reason is the first line of an error, cut where it is long.
func reason(err error) string {
	const long = 160 // as much as can be read at a glance
	text, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if text = foreign.Line(text); len(text) > long {
		text = strings.ToValidUTF8(text[:long], "") + "…"
	}
	return text
}

// Trial is a proof of one serializer.
type Trial struct {
	kind   bed.Case
	sample *sample.Sample
	bed    bed.Bed
	at     int // the message that is under way
	// The encodings of each message, made in both ways. All are made before the first is
	// decoded, so that one that another overwrites is found out.
	appended, fresh [][]byte
	sizes           []int
	lost            []string
	err             error // why the serializer refuses the sample
}

func (t *Trial) all() error {
	t.bed = t.kind.New()
	if err := t.encode(); err != nil {
		return err
	}
	for _, op := range []bed.Operation{bed.Unmarshal, bed.UnmarshalReuse} {
		if err := t.decode(op); err != nil {
			return err
		}
	}
	return nil
}

func (t *Trial) encode() error {
	for i, m := range t.sample.List {
		t.at = i
		appended, err := t.bed.Encode(bed.Marshal, nil, m)
		if err != nil {
			return err
		}
		fresh, err := t.bed.Encode(bed.MarshalFresh, nil, m)
		if err != nil {
			return err
		}
		t.appended, t.fresh = append(t.appended, appended), append(t.fresh, fresh)
		t.sizes = append(t.sizes, len(appended))
	}
	return nil
}

// decode decodes all messages. To decode into a native that was used before it takes the
// one of the message before.
func (t *Trial) decode(op bed.Operation) error {
	sources := t.appended
	if op == bed.UnmarshalReuse {
		sources = t.fresh
	}
	for i, want := range t.sample.List {
		t.at = i
		got := t.sample.New()
		if err := t.bed.Decode(op, bytes.Clone(sources[i]), got); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		t.compare(op, got, want)
	}
	return nil
}

func (t *Trial) compare(op bed.Operation, got, want any) {
	if t.sample.Equal(got, want) {
		return
	}
	texts := t.sample.Differ(got, want)
	if len(texts) == 0 {
		texts = []string{"what is not equal, in no field that could be told"}
	}
	for _, text := range texts {
		text = foreign.Line(text)
		if op == bed.UnmarshalReuse && !slices.Contains(t.lost, text) {
			text = "in a used message: " + text
		}
		if !slices.Contains(t.lost, text) {
			t.lost = append(t.lost, text)
		}
	}
}
