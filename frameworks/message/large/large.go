// Package large is the exchange of msg=large: a message of 32 nested ones, some 7.4 KB in
// Protocol Buffers. The messages are those that the serializers are measured with, with the
// same contents.
package large

import (
	"bytes"
	"math/rand/v2"

	"google.golang.org/protobuf/encoding/protodelim"

	own "github.com/rpcbench/rpcbench/frameworks/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Name is the value of msg=.
const Name = "large"

// samples is how many different messages are sent.
const samples = 64

// Exchange returns the exchange, for the function Sending of an adapter. The server sends the
// request back.
func Exchange() message.Exchange[Large, Large] {
	var encoded bytes.Buffer
	for n := range samples {
		_, _ = protodelim.MarshalTo(&encoded, nth(n)) // memory takes all
	}
	return own.Protobuf[Large, Large](own.Samples{Name: Name, Requests: encoded.Bytes(), Field: "id"})
}

// nth is the n-th message, which package messages of the codecs' suite fills in the same way.
func nth(n int) *Large {
	r := rand.New(rand.NewPCG(uint64(n), 581))
	m := &Large{Id: letters(r, 16), Ts: 1_700_000_000_000 + r.Int64N(1<<36)}
	for range 32 {
		m.Items = append(m.Items, item(r))
	}
	return m
}

func item(r *rand.Rand) *Item {
	it := &Item{
		Id: r.Int64N(1 << 34), Name: letters(r, 10+r.IntN(12)), Price: float64(1+r.IntN(1_000_000)) / 100,
		Flags: r.Int32N(1 << 14), Active: r.IntN(2) == 0, Blob: make([]byte, 32+r.IntN(17)),
	}
	for range 3 + r.IntN(3) {
		it.Labels = append(it.Labels, &Label{Key: letters(r, 4+r.IntN(5)), Val: letters(r, 6+r.IntN(7))})
	}
	for range 6 + r.IntN(4) {
		it.Vals = append(it.Vals, r.Uint64())
	}
	for i := range it.Blob {
		it.Blob[i] = byte(r.Uint32())
	}
	return it
}

func letters(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(26))
	}
	return string(b)
}
