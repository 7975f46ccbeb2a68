// Package gob measures the standard library's encoding/gob in two ways: the types are
// sent with every message, or once before.
package gob

import (
	"bytes"
	"encoding/gob"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Fresh sends the types with every message, as is needed to store messages.
func Fresh() suite.Entry {
	return suite.Entry{
		Codec: "gob", About: "encoding/gob, types in every message", Code: "reflection",
		Bench:  suite.OfReset(fresh[messages.Bench]),
		Flat:   suite.OfReset(fresh[messages.Flat]),
		Small:  suite.OfReset(fresh[messages.Small]),
		Large:  suite.OfReset(fresh[messages.Large]),
		Next:   suite.OfReset(fresh[messages.Next]),
		Mapped: suite.OfReset(fresh[messages.Mapped]),
		Losses: []suite.Loss{suite.ZeroIsAbsent},
	}
}

// Stream sends the types once, as on a connection.
func Stream() suite.Entry {
	return suite.Entry{
		Codec: "gob", Mode: "stream", About: "encoding/gob, types sent once", Code: "reflection",
		Bench:  suite.OfReset(stream[messages.Bench]),
		Flat:   suite.OfReset(stream[messages.Flat]),
		Small:  suite.OfReset(stream[messages.Small]),
		Large:  suite.OfReset(stream[messages.Large]),
		Mapped: suite.OfReset(stream[messages.Mapped]),
		Losses: []suite.Loss{suite.ZeroIsAbsent},
	}
}

// Own is the line of a message of one's own, in a struct of Go, as in Fresh.
func Own[N any](c suite.Conversion[N]) suite.Entry {
	e := Fresh()
	e.Own = c.Of(fresh[N])
	return e
}

// OwnStream is Own as in Stream.
func OwnStream[N any](c suite.Conversion[N]) suite.Entry {
	e := Stream()
	e.Own = c.Of(stream[N])
	return e
}

func fresh[N any]() suite.Serializer[N] {
	var w suite.Writer
	return suite.Serializer[N]{
		Append: func(dst []byte, m *N) ([]byte, error) {
			w = dst
			err := gob.NewEncoder(&w).Encode(m)
			return w, err
		},
		Marshal: func(m *N) ([]byte, error) {
			var buf bytes.Buffer
			err := gob.NewEncoder(&buf).Encode(m)
			return buf.Bytes(), err
		},
		Unmarshal: func(src []byte, m *N) error {
			return gob.NewDecoder(bytes.NewReader(src)).Decode(m)
		},
	}
}

// stream returns an encoder and a decoder that have exchanged the type. The messages
// after that are independent of each other and can be decoded in any order.
func stream[N any]() suite.Serializer[N] {
	var w suite.Writer
	var r bytes.Reader
	encoder, decoder := gob.NewEncoder(&w), gob.NewDecoder(&r)
	encode := func(dst []byte, m *N) ([]byte, error) {
		w = dst
		err := encoder.Encode(m)
		return w, err
	}
	prime := func() {
		first := gob.NewEncoder(&w)
		w = nil
		first.Encode(new(N)) // a type that cannot be encoded fails with its first message, too
		r.Reset(w)
		decoder = gob.NewDecoder(&r)
		decoder.Decode(new(N))
	}
	encode(nil, new(N))
	prime()
	return suite.Serializer[N]{
		Append: encode,
		Unmarshal: func(src []byte, m *N) error {
			r.Reset(src)
			err := decoder.Decode(m)
			if err != nil {
				prime() // a gob stream cannot be read after an error
			}
			return err
		},
	}
}
