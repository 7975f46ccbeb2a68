package call

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// Messages makes one request per worker, each with a different payload. Each payload is
// a slice of one array, starting a byte after the previous one. Those that have a number
// are copies, since each worker writes into its own.
func (q Requests) Messages() []framework.EchoMessage {
	return q.requestsOf(q.Payloads())
}

func (q Requests) requestsOf(array []byte) []framework.EchoMessage {
	requests := make([]framework.EchoMessage, q.Workers)
	for i := range requests {
		requests[i] = framework.EchoMessage{Action: cmp.Or(q.Action, handler.ActionEcho), Msg: array[i : i+q.Size : i+q.Size]}
	}
	if q.numbered() {
		separate(requests, q.Size)
	}
	return requests
}

// separate copies payloads of n bytes, each to cache lines of its own.
func separate(requests []framework.EchoMessage, n int) {
	const line = 64
	room := (n + line - 1) / line * line
	all := make([]byte, room*len(requests))
	for i := range requests {
		own := all[i*room:][:n:n]
		copy(own, requests[i].Msg)
		requests[i].Msg = own
	}
}

// Payloads returns the array of which payloads are slices.
func (q Requests) Payloads() []byte {
	random := RandomBytes(q.Size+q.Starts(), 1)
	if q.Compressible {
		makeCompressible(random)
	}
	return random
}

// EchoRequests makes requests of random bytes, one per worker.
func EchoRequests(workers, size int) []framework.EchoMessage {
	return Requests{Workers: workers, Size: size}.Messages()
}

// The values of -payload.
const (
	PayloadRandom       = "random"
	PayloadCompressible = "compressible"
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
