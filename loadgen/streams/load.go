package streams

import (
	"context"
	"errors"
	"sync"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Load makes runs over streams. The streams live as long as they are open, over any
// number of runs: the Load receives from each in a goroutine of its own, which ends
// when its Recv returns an error.
type Load struct {
	running sync.Mutex
	courier *courier
}

// New returns a Load over the streams and begins to receive from them. Message n
// goes to stream n % len(list). To end the goroutines that receive, close the
// streams.
func New(cfg Config, list ...Stream) (*Load, error) {
	if err := cfg.validate(list); err != nil {
		return nil, err
	}
	l := &Load{courier: newCourier(cfg.withDefaults(len(list)), list)}
	for i := range l.courier.streams {
		go l.courier.receive(&l.courier.streams[i])
	}
	return l, nil
}

// Run sends messages as cfg says and returns what became of them. Its errors are
// those of [loadgen.Run].
//
// In an open loop Workers is not used: a Load has one for each stream, so that no
// stream has to wait for others. Timeout counts from when a message was handed to its stream.
// MaxLag also drops a message that its stream would send later than this after it
// was due, and MaxBacklog one that would wait behind more messages than this, of all
// streams together. Messages that wait on their streams when Drain is over, or when
// the run is cancelled, are Dropped, and those without an answer are Failed.
//
// In a closed loop each of the Workers sends a message, waits for its answer and sends
// the next, on the stream whose turn it is. Blocked is empty then.
func (l *Load) Run(ctx context.Context, cfg loadgen.Config) (*Result, error) {
	if !l.running.TryLock() {
		return nil, errors.New("streams: a Load makes one run at a time: wait until the last has returned")
	}
	defer l.running.Unlock()
	res, err := l.courier.measure(ctx, cfg)
	if res == nil {
		return nil, err
	}
	l.courier.accepting.Lock()
	defer l.courier.accepting.Unlock()
	return l.courier.result(res), err
}

// measure makes the run.
func (c *courier) measure(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	if cfg.OnCall != nil || cfg.Check != nil {
		return nil, errors.New("streams: OnCall and Check are for calls: Send learns the number of a message, and Recv can judge an answer")
	}
	if cfg.Schedule == loadgen.ClosedLoop {
		return c.measureClosed(ctx, cfg)
	}
	cfg.Workers = len(c.streams) + spareWorkers
	c.prepare(cfg)
	return loadgen.RunCarrier(ctx, cfg, c)
}

// spareWorkers wait for due times while a worker for each stream is held up.
const spareWorkers = 2

// Runner returns Run as what loadbench and the search for a capacity call.
func (l *Load) Runner() loadgen.Runner {
	return func(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
		res, err := l.Run(ctx, cfg)
		if res == nil {
			return nil, err
		}
		return res.Result, err
	}
}

// Ended returns how many streams have ended, and an error of one that has.
func (l *Load) Ended() (n int, example error) { return l.courier.ended() }
