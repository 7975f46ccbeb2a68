package hostile

import "github.com/rpcbench/rpcbench/codecs/suite/messages"

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
		s := seed{src: src}
		for _, longer := range longerOnes(k.Message) {
			other, err := k.Encode(longer)
			if err != nil {
				return nil, err
			}
			s.lengths = append(s.lengths, differences(src, other, 4)...)
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
	m := kind.Seeded(0)
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

// differences returns the first n places in which a and b differ.
func differences(a, b []byte, n int) (list []int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && len(list) < n {
			list = append(list, i)
		}
	}
	return list
}
