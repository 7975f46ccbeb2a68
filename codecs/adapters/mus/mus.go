// Package mus measures mus-go.
package mus

import (
	"slices"

	"github.com/mus-format/mus-go"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "mus", About: "MUS: fields in their order", Code: "musgen-go, Go structs", Module: "github.com/mus-format/mus-go",
		Bench:  suite.Of(codec[messages.Bench](BenchMUS)),
		Flat:   suite.Of(codec[messages.Flat](FlatMUS)),
		Small:  suite.Of(codec[messages.Small](SmallMUS)),
		Large:  suite.Of(codec[messages.Large](LargeMUS)),
		Next:   suite.Of(codec[messages.Next](NextMUS)),
		Mapped: suite.Of(codec[messages.Mapped](MappedMUS)),
		Hazard: suite.Kills, // without validators a list has the length that the input says
	}
}

func codec[N any](s mus.Serializer[N]) func() suite.Serializer[N] {
	return func() suite.Serializer[N] {
		return suite.Serializer[N]{
			Append: func(dst []byte, m *N) ([]byte, error) {
				size := s.Size(*m)
				end := len(dst) + size
				dst = slices.Grow(dst, size)[:end]
				s.Marshal(*m, dst[end-size:])
				return dst, nil
			},
			Marshal: func(m *N) ([]byte, error) {
				dst := make([]byte, s.Size(*m))
				s.Marshal(*m, dst)
				return dst, nil
			},
			Unmarshal: func(src []byte, m *N) (err error) {
				*m, _, err = s.Unmarshal(src)
				return err
			},
		}
	}
}
