package framework

import "unsafe"

// Natives are the native requests of Client.Echo, one for each worker: NewNatives makes them,
// and its zero value has none. Each shares the memory of its request's Msg. It is made anew when
// that is other memory, since a call that was given up may still be sending the old one, and
// when it has another length. Workers may use Natives at once.
type Natives[N any] struct {
	requests []EchoMessage
	build    func(EchoMessage) N
	list     []builtNative[N]
}

type builtNative[N any] struct {
	native N
	of     *byte // the first byte of the request's Msg
	length int   // of the request's Msg
}

// NewNatives makes native requests of requests with build, which keeps the memory of Msg.
func NewNatives[N any](requests []EchoMessage, build func(EchoMessage) N) *Natives[N] {
	n := &Natives[N]{requests: requests, build: build, list: make([]builtNative[N], len(requests))}
	for worker := range n.list {
		n.renew(worker)
	}
	return n
}

// Of returns the native request of a worker, whose calls follow each other.
func (n *Natives[N]) Of(worker int) N {
	b, msg := &n.list[worker], n.requests[worker].Msg
	if b.of != unsafe.SliceData(msg) || b.length != len(msg) {
		n.renew(worker)
	}
	return b.native
}

func (n *Natives[N]) renew(worker int) {
	r := n.requests[worker]
	n.list[worker] = builtNative[N]{n.build(r), unsafe.SliceData(r.Msg), len(r.Msg)}
}
