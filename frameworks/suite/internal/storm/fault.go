package storm

import (
	"errors"
	"time"
)

// Faults returns the ten kinds.
func Faults() []Fault {
	return []Fault{
		{Name: "latency", Harmless: true, change: late},
		{Name: "bandwidth", Harmless: true, change: slow},
		{Name: "pieces", Harmless: true, change: pieces},
		{Name: "blackhole", Harmless: true, rare: true, once: true, change: hold},
		{Name: "cut", oneWay: true, rare: true, change: cut},
		{Name: "reset", rare: true, change: reset},
		{Name: "half-close", oneWay: true, rare: true, change: halfClose},
		{Name: "refusal", rare: true, once: true, change: refuse},
		{Name: "flip", Wrong: true, oneWay: true, rare: true, change: flip},
		{Name: "disorder", oneWay: true, rare: true, change: disorder},
	}
}

// errCut ends a connection.
var errCut = errors.New("cut")

// late holds a chunk back for up to 1 ms.
func late(w *way, b []byte) error {
	time.Sleep(time.Duration(w.below(int(time.Millisecond))))
	return w.send(b)
}

// slow passes on at most 16 MiB a second.
func slow(w *way, b []byte) error {
	time.Sleep(time.Duration(len(b)) * time.Second / (16 << 20))
	return w.send(b)
}

// pieces sends each of the first bytes alone, and the others in pieces.
func pieces(w *way, b []byte) error {
	for i := 0; len(b) > 0; i++ {
		n := 1
		if i >= 32 {
			n = min(len(b), 1+w.below(256))
		}
		if err := w.send(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// pause is how long nothing passes: a share of the watchdog's time.
const pause = 300 * time.Millisecond

func hold(w *way, b []byte) error {
	time.Sleep(pause)
	return w.send(b)
}

// cut closes both directions in the middle of a chunk.
func cut(w *way, b []byte) error { return errors.Join(w.send(b[:w.below(len(b))]), errCut) }

// reset drops a chunk and resets both connections.
func reset(w *way, _ []byte) error {
	return errors.Join(w.from.SetLinger(0), w.to.SetLinger(0), errCut)
}

// halfClose ends one direction in the middle of a chunk. The other goes on.
func halfClose(w *way, b []byte) error {
	return errors.Join(w.send(b[:w.below(len(b))]), w.to.CloseWrite(), w.discard(), errCut)
}

func refuse(w *way, _ []byte) error {
	w.refuse(pause)
	return errCut
}

// flip flips a bit.
func flip(w *way, b []byte) error {
	w.flipBit(b)
	return w.send(b)
}

// disorder sends a chunk twice, or its second half first.
func disorder(w *way, b []byte) error {
	if half := len(b) / 2; w.below(2) == 0 {
		return errors.Join(w.send(b[half:]), w.send(b[:half]))
	}
	return errors.Join(w.send(b), w.send(b))
}
