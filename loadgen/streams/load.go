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
	carrier *carrier
}

// New returns a Load over the streams and begins to receive from them. Message n
// goes to stream n % len(list). To end the goroutines that receive, close the
// streams.
func New(cfg Config, list ...Stream) (*Load, error) {
	if err := cfg.validate(list); err != nil {
		return nil, err
	}
	l := &Load{carrier: newCarrier(cfg.withDefaults(len(list)), list)}
	for i := range l.carrier.streams {
		go l.carrier.receive(&l.carrier.streams[i])
	}
	return l, nil
}

// Run sends messages as cfg says and returns what became of them. Its errors are
// those of [loadgen.Run].
//
// Of cfg, Workers is not used: a Load has one for each stream, so that no stream has
// to wait for others. Timeout counts from when a message was handed to its stream.
// MaxLag also drops a message that its stream would send later than this after it
// was due, and MaxBacklog one that would wait behind more messages than this, of all
// streams together. Messages that wait on their streams when Drain is over, or when
// the run is cancelled, are Dropped, and those without an answer are Failed.
func (l *Load) Run(ctx context.Context, cfg loadgen.Config) (*Result, error) {
	if !l.running.TryLock() {
		return nil, errors.New("streams: a Load makes one run at a time: wait until the last has returned")
	}
	defer l.running.Unlock()
	c := l.carrier
	cfg.Workers = len(c.streams) + spareWorkers
	c.prepare(cfg)
	res, err := loadgen.RunCarrier(ctx, cfg, c)
	if res == nil {
		return nil, err
	}
	return c.result(res), err
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
func (l *Load) Ended() (n int, example error) { return l.carrier.ended() }
