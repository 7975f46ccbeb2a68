package rig

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// requests makes one request per worker, each with a different payload. To save
// memory, all payloads are slices of one array of random bytes, each starting a byte
// after the previous one.
func (q requestSpec) requests() []framework.EchoMessage {
	random := RandomBytes(q.size+q.workers, 1)
	if q.compressible {
		makeCompressible(random)
	}
	requests := make([]framework.EchoMessage, q.workers)
	for i := range requests {
		requests[i] = framework.EchoMessage{Action: cmp.Or(q.action, framework.ActionEcho), Msg: random[i : i+q.size : i+q.size]}
	}
	return requests
}

// EchoRequests makes requests of random bytes, one per worker.
func EchoRequests(workers, size int) []framework.EchoMessage {
	return requestSpec{workers: workers, size: size}.requests()
}

// The values of -payload.
const (
	payloadRandom       = "random"
	payloadCompressible = "compressible"
)

// makeCompressible keeps the first 8 of every 64 bytes random and makes the others
// constant. The result compresses to about a fifth, as text and records do.
func makeCompressible(b []byte) {
	for i := range b {
		if i%64 >= 8 {
			b[i] = "abcdefgh"[i%8]
		}
	}
}

// RandomBytes returns n random bytes, always the same for the same seed.
func RandomBytes(n int, seed uint64) []byte {
	random := rand.NewPCG(seed, 0)
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, random.Uint64())
	}
	return b[:n]
}

// checkEnds compares the length and both ends of a reply with the request. That is
// cheap enough to be done inside a call, and detects another worker's reply.
func checkEnds(requests []framework.EchoMessage) framework.EchoCheck {
	return func(worker int, reply framework.EchoMessage) error {
		want, got := requests[worker].Msg, reply.Msg
		if len(got) != len(want) {
			return fmt.Errorf("reply: %d bytes, want %d", len(got), len(want))
		}
		n := min(len(want), 8)
		if !bytes.Equal(got[:n], want[:n]) || !bytes.Equal(got[len(got)-n:], want[len(want)-n:]) {
			return errWrongReply
		}
		return nil
	}
}

// CheckAll compares the whole reply with the request.
func CheckAll(requests []framework.EchoMessage) framework.EchoCheck {
	ends := checkEnds(requests)
	return func(worker int, reply framework.EchoMessage) error {
		if err := ends(worker, reply); err != nil {
			return err
		}
		if !bytes.Equal(reply.Msg, requests[worker].Msg) || reply.Action != requests[worker].Action {
			return errWrongReply
		}
		return nil
	}
}

var errWrongReply = errors.New("reply: not what was sent")
