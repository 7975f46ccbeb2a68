package hostile

import (
	"reflect"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/duplicate"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// seed is an encoding that mutations are made of, and where in it the lengths of its
// strings and lists are, as far as can be told from outside.
type seed struct {
	src     []byte
	lengths []int
}

// seeds encodes a message of each kind, and again with one string or list longer by one:
// the encodings begin to differ at a length.
func (t Target) seeds() (list []seed, err error) {
	for _, k := range t.Kinds {
		src, err := k.Encode(rich(k.Message))
		if err != nil {
			return nil, err
		}
		if len(src) == 0 {
			src = []byte{0} // mutators need a byte
		}
		s := seed{src: src}
		for _, longer := range longerOnes(k.Message) {
			if other, err := k.Encode(longer); err == nil { // a message of one's own may have to be as long as it is
				s.lengths = append(s.lengths, differences(src, other, 4)...)
			}
		}
		if len(s.lengths) == 0 {
			s.lengths = []int{0}
		}
		list = append(list, s)
	}
	return list, nil
}

// rich is a message of a kind with no empty lists.
func rich(kind messages.Kind) any {
	m := duplicate.Of(kind.Seeded(0)) // which is not ours, of messages of one's own
	switch m := m.(type) {
	case *messages.Bench:
		m.Field5 = []uint64{1, 2}
	case *messages.Flat:
		m.Field5 = []uint64{1, 2}
	}
	return m
}

// longerOnes are rich messages with one more element or letter somewhere.
func longerOnes(kind messages.Kind) (list []any) {
	of := reflect.TypeOf(kind.New())
	if !slices.ContainsFunc(messages.Measured, func(k messages.Kind) bool { return reflect.TypeOf(k.New()) == of }) {
		return grown(kind.Seeded(0))
	}
	for _, grow := range []func(m any){
		func(m any) {
			switch m := m.(type) {
			case *messages.Bench:
				m.Field5 = append(m.Field5, 3)
			case *messages.Flat:
				m.Field5 = append(m.Field5, 3)
			case *messages.Large:
				m.Items[0].Vals = append(m.Items[0].Vals, 3)
			}
		},
		func(m any) {
			switch m := m.(type) {
			case *messages.Bench:
				m.Field1 += "x"
			case *messages.Flat:
				m.Field1 += "x"
			case *messages.Small:
				m.Name += "x"
			case *messages.Large:
				m.Items = append(m.Items, m.Items[0])
			}
		},
		func(m any) {
			if m, ok := m.(*messages.Large); ok {
				m.Items[0].Labels = append(m.Items[0].Labels, messages.Label{})
			}
		},
		func(m any) {
			if m, ok := m.(*messages.Large); ok {
				m.Items[0].Blob = append(m.Items[0].Blob, 1)
			}
		},
	} {
		m := rich(kind)
		grow(m)
		list = append(list, m)
	}
	return list
}

// grown are copies of a message of one's own, each with one more letter or element in one of
// its strings and lists. The first of them are enough to find where lengths are.
func grown(message any) (list []any) {
	for i := range min(16, len(growing(reflect.ValueOf(message)))) {
		m := duplicate.Of(message)
		grow(growing(reflect.ValueOf(m))[i])
		list = append(list, m)
	}
	return list
}

// growing lists the strings and lists in v, of the elements of a list those in the first.
func growing(v reflect.Value) (list []reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			list = growing(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				list = append(list, growing(v.Field(i))...)
			}
		}
	case reflect.String:
		list = []reflect.Value{v}
	case reflect.Slice:
		list = []reflect.Value{v}
		if v.Len() > 0 {
			list = append(list, growing(v.Index(0))...)
		}
	}
	return list
}

func grow(v reflect.Value) {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.Len() > 0:
		v.Set(reflect.Append(v, v.Index(0)))
	default:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	}
}

// differences returns the first n places in which a and b differ.
func differences(a, b []byte, n int) (list []int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && len(list) < n {
			list = append(list, i)
		}
	}
	return list
}
