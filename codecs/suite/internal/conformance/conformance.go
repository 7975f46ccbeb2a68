// Package conformance tests that messages arrive as they were sent.
package conformance

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Messages sends the first n seeded messages in all ways that the suite measures. expect
// returns a message as it should arrive.
func Messages(b bed.Bed, kind messages.Kind, n int, expect func(message any) any) error {
	for i := range n {
		message := kind.Seeded(i)
		if err := send(b, kind, message, expect(message)); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	return nil
}

func send(b bed.Bed, kind messages.Kind, message, want any) error {
	appended, err := b.Encode(bed.Marshal, nil, message)
	if err != nil {
		return fmt.Errorf("%s: %w", bed.Marshal, err)
	}
	fresh, err := b.Encode(bed.MarshalFresh, nil, message)
	if err != nil {
		return fmt.Errorf("%s: %w", bed.MarshalFresh, err)
	}
	if err := Decode(b, kind, bed.Unmarshal, appended, want); err != nil {
		return err
	}
	return Decode(b, kind, bed.UnmarshalReuse, fresh, want)
}

// Decode decodes src, from which want should come.
func Decode(b bed.Bed, kind messages.Kind, op bed.Operation, src []byte, want any) error {
	got := kind.New()
	if err := b.Decode(op, src, got); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s: got %s, want %s", op, Show(got), Show(want))
	}
	return nil
}

// Reuse decodes full messages and sparse ones in turn into the same native.
// Nothing of one may be left in the next, nor may decoding write to an earlier input,
// in whose memory the native may still be.
func Reuse(c bed.Case, expect func(message any) any) error {
	b := c.New()
	var sources, copies [][]byte
	list := []any{c.Kind.Seeded(0), sparse(c.Kind), c.Kind.Seeded(1), c.Kind.New(), c.Kind.Seeded(2)}
	for _, message := range list {
		src, err := b.Encode(bed.MarshalFresh, nil, message)
		if err != nil {
			return err
		}
		sources, copies = append(sources, src), append(copies, bytes.Clone(src))
	}
	for i, message := range list {
		if err := Decode(b, c.Kind, bed.UnmarshalReuse, sources[i], expect(message)); err != nil {
			return fmt.Errorf("after %d others: %w", i, err)
		}
	}
	if !slices.EqualFunc(sources, copies, bytes.Equal) {
		return fmt.Errorf("%s changes what was decoded before", bed.UnmarshalReuse)
	}
	return nil
}

// sparse is a message with empty ones in its list, if it has one.
func sparse(kind messages.Kind) any {
	m := kind.New()
	if large, ok := m.(*messages.Large); ok {
		large.Items = make([]messages.Item, 5)
	}
	return m
}

// Append encodes a message behind something else, which must stay as it is.
func Append(b bed.Bed, kind messages.Kind) error {
	front := []byte("<front>\xff") // what an encoder that looks at all of dst would escape or replace
	src, err := b.Encode(bed.Marshal, append(make([]byte, 0, 4096), front...), kind.Seeded(0))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(src, front) {
		return fmt.Errorf("append changed what stood before: %q", src[:min(len(src), 16)])
	}
	return b.Decode(bed.Unmarshal, bytes.Clone(src[len(front):]), kind.New())
}

// Show writes a message with what its pointers point to.
func Show(message any) string {
	var b bytes.Buffer
	v := reflect.ValueOf(message).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		fmt.Fprintf(&b, "%s:%s ", v.Type().Field(i).Name, foreign.Line(fmt.Sprint(f)))
	}
	return b.String()
}

// EachOptional returns a function that visits the optional fields of a message.
func EachOptional(visit func(field reflect.Value)) func(message any) {
	return func(message any) {
		v := reflect.ValueOf(message).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Pointer {
				visit(f)
			}
		}
	}
}
