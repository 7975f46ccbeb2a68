package fault

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Bits are flipped inside of payloads and nowhere else, in about half of them.
func TestFlipsAreInsideOfPayloads(t *testing.T) {
	q := call.Requests{Workers: 20, Size: 1 << 10}
	f, err := newFlipper(q)
	require.NoError(t, err)
	requests, head := q.Messages(), bytes.Repeat([]byte{0xaa}, 13)
	flips, places := 0, map[int]bool{}
	for range 200 {
		var sent []byte
		for _, r := range requests {
			sent = append(append(sent, head...), r.Msg...)
		}
		got := bytes.Clone(sent)
		n := f.flip(got)
		flips += n
		for i := range got {
			changed := bits.OnesCount8(got[i] ^ sent[i])
			n -= changed
			if place := i%(len(head)+q.Size) - len(head); changed > 0 {
				assert.GreaterOrEqual(t, place, 0, "byte %d is in a head", i)
				places[place*8/q.Size] = true
			}
		}
		assert.Zero(t, n, "it says how many")
	}
	assert.InDelta(t, 200*20/2, flips, 300)
	assert.Len(t, places, 8, "in every part of the payload")
}

// In JSON payloads are base64. What is flipped there decodes, to another payload.
func TestFlipsAreInsideOfBase64(t *testing.T) {
	for _, size := range []int{1 << 10, 1<<10 + 1, 1<<10 + 2} {
		q := call.Requests{Workers: 20, Size: size}
		f, err := newFlipper(q)
		require.NoError(t, err)
		flips, wrong := 0, 0
		for range 50 {
			for _, r := range q.Messages() {
				sent, err := json.Marshal(r)
				require.NoError(t, err)
				flips += f.flip(sent)
				var got framework.EchoMessage
				require.NoError(t, json.Unmarshal(sent, &got))
				assert.Equal(t, r.Action, got.Action)
				if !bytes.Equal(r.Msg, got.Msg) {
					wrong++
				}
			}
		}
		assert.InDelta(t, 50*20/2, flips, 150, "of %d bytes", size)
		assert.Equal(t, flips, wrong, "of %d bytes", size)
	}
}

// A payload begins with a number that is not in the array. The last digit of one whose length is no
// multiple of three has bits that mean nothing, and is never flipped.
func TestTheLastDigitStays(t *testing.T) {
	for _, size := range []int{1 << 10, 1<<10 + 1, 1<<10 + 2} {
		q := call.Requests{Workers: 300, Size: size}
		f, err := newFlipper(q)
		require.NoError(t, err)
		for worker, r := range q.Messages() {
			msg := append(make([]byte, call.NumberSize), r.Msg[call.NumberSize:]...)
			sent, err := json.Marshal(framework.EchoMessage{Msg: msg})
			require.NoError(t, err)
			form := f[1+worker%3]
			at := bytes.Index(sent, form.array[form.marker:form.marker+markerSize])
			require.Positive(t, at)
			_, to := form.around(sent, at)
			whole := bytes.Index(sent, []byte(`:"AAAA`)) + len(`:"`) + size/3*4 + size%3 // the digits of which all bits count
			assert.LessOrEqual(t, to, whole, "%d bytes, worker %d", size, worker)
			assert.Greater(t, to, whole-7, "%d bytes, worker %d", size, worker)
		}
	}
}

func TestPayloadsTooSmallToFind(t *testing.T) {
	_, err := newFlipper(call.Requests{Workers: 100, Size: 115})
	assert.EqualError(t, err, "-fault=flip: 100 callers need payloads of at least 116 bytes")
}

func TestNoiseFlipsSomeBits(t *testing.T) {
	flips := 0
	for range 100 * noiseEvery {
		flips += noise(make([]byte, 3))
	}
	assert.InDelta(t, 100, flips, 60)
	assert.Zero(t, noise(nil))
}

func TestFlipsThatNoComparisonSaw(t *testing.T) {
	for _, c := range []struct {
		about string
		kinds []loadgen.ErrorKind
		want  []string
	}{
		{"all are seen", []loadgen.ErrorKind{{Text: "reply: not what was sent", Count: 10}}, nil},
		{"on streams as well", []loadgen.ErrorKind{{Text: "stream: the message that came back is " + call.WhatWasSent, Count: 10}}, nil},
		{
			"a lost connection hides none",
			[]loadgen.ErrorKind{{Text: "EOF", Count: 200}, {Text: "reply: not what was sent", Count: 1}},
			[]string{"a bit was flipped in 10 payloads, and 1 of 201 failed calls had a wrong reply"},
		},
	} {
		m := load.Measured{Measured: loadbench.Measured{Result: new(loadgen.Result)}}
		m.ErrorKinds = c.kinds
		for _, k := range c.kinds {
			m.Failed += k.Count
		}
		CountFlips(Flip, 10, &m)
		assert.Equal(t, c.want, m.Doubts, c.about)
	}
}
