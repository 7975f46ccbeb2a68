package rig

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// requests makes one request per worker, each with a different payload. To save
// memory, all payloads are slices of one array, each starting a byte after the previous
// one.
func (q requestSpec) requests() []framework.EchoMessage {
	random := q.payloads()
	requests := make([]framework.EchoMessage, q.workers)
	for i := range requests {
		requests[i] = framework.EchoMessage{Action: cmp.Or(q.action, framework.ActionEcho), Msg: random[i : i+q.size : i+q.size]}
	}
	return requests
}

// payloads returns the array of which payloads are slices.
func (q requestSpec) payloads() []byte {
	random := RandomBytes(q.size+q.workers, 1)
	if q.compressible {
		makeCompressible(random)
	}
	return random
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
