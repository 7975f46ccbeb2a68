package suite

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/require"
)

// Conformance tests every entry with every message. It comes before any speed
// figure.
func Conformance(t *testing.T) {
	env.mustBeReady(t)
	for _, e := range env.entries {
		t.Run("codec="+e.ID(), func(t *testing.T) {
			t.Parallel()
			for _, k := range e.all() {
				t.Run("msg="+k.kind.Name, func(t *testing.T) { conform(t, e, k) })
			}
		})
	}
}

func conform(t *testing.T, e Entry, k kindCase) {
	if k.make == nil {
		t.Skip("the format has no such thing")
	}
	bed, err := k.open(warmMessages)
	require.NoError(t, foreign.Error(err))
	require.NoError(t, foreign.Error(verify(e, k.kind, bed, warmMessages)))
	require.NoError(t, foreign.Error(verifyAppend(bed, k.kind)))
	require.NoError(t, foreign.Error(verifyReuse(e, k)))
	for _, op := range ops {
		if bed.can(op) {
			require.NoError(t, foreign.Error(bed.run(op, 2*warmMessages)), op)
		}
	}
}

// expect is the message as it should arrive.
func (e Entry) expect(message any) any {
	want := reflect.New(reflect.TypeOf(message).Elem()).Interface()
	if err := Convert(want, message); err != nil {
		panic(err) // of a type with itself
	}
	for _, l := range e.Losses {
		l.lose(want)
	}
	return want
}

// verify sends n messages through all ways of a bed, and compares what arrives
// with what should.
func verify(e Entry, kind messages.Kind, bed bed, n int) error {
	for i := range n {
		if err := verifyMessage(e, kind, bed, kind.Seeded(i)); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	return nil
}

func verifyMessage(e Entry, kind messages.Kind, bed bed, message any) error {
	want := e.expect(message)
	appended, err := bed.encode(marshal, nil, message)
	if err != nil {
		return fmt.Errorf("%s: %w", marshal, err)
	}
	fresh, err := bed.encode(marshalFresh, nil, message)
	if err != nil {
		return fmt.Errorf("%s: %w", marshalFresh, err)
	}
	if err := verifyDecode(bed, kind, unmarshal, appended, want); err != nil {
		return err
	}
	return verifyDecode(bed, kind, unmarshalReuse, fresh, want)
}

func verifyDecode(bed bed, kind messages.Kind, op operation, src []byte, want any) error {
	got := kind.New()
	if err := bed.decode(op, src, got); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s: got %s, want %s", op, show(got), show(want))
	}
	return nil
}

// verifyReuse decodes full messages and sparse ones in turn into the same native.
// Nothing of one may be left in the next, nor may decoding write to an input that
// came before, in whose memory the native may still be.
func verifyReuse(e Entry, k kindCase) error {
	bed := k.make()
	var sources, copies [][]byte
	list := []any{k.kind.Seeded(0), sparse(k.kind), k.kind.Seeded(1), k.kind.New(), k.kind.Seeded(2)}
	for _, message := range list {
		src, err := bed.encode(marshalFresh, nil, message)
		if err != nil {
			return err
		}
		sources, copies = append(sources, src), append(copies, bytes.Clone(src))
	}
	for i, message := range list {
		if err := verifyDecode(bed, k.kind, unmarshalReuse, sources[i], e.expect(message)); err != nil {
			return fmt.Errorf("after %d others: %w", i, err)
		}
	}
	if !slices.EqualFunc(sources, copies, bytes.Equal) {
		return fmt.Errorf("%s changes what was decoded before", unmarshalReuse)
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

// verifyAppend tells whether what stands in front of the encoding stays.
func verifyAppend(bed bed, kind messages.Kind) error {
	front := []byte("<front>\xff") // what an encoder that looks at all of dst would escape or replace
	src, err := bed.encode(marshal, append(make([]byte, 0, 4096), front...), kind.Seeded(0))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(src, front) {
		return fmt.Errorf("append changed what stood before: %q", src[:min(len(src), 16)])
	}
	got := kind.New()
	return bed.decode(unmarshal, bytes.Clone(src[len(front):]), got)
}

// show prints a message with what its pointers point to.
func show(message any) string {
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
