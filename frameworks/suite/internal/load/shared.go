package load

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// AtRate is a schedule that agents make themselves, of its rate and the flags of the run.
type AtRate struct {
	loadgen.Schedule
	Rate float64 // calls per second
}

// ownOf returns what agents must know of a run of cfg. It is nil where they cannot make the schedule,
// which is then that of their case.
func ownOf(cfg loadgen.Config, agents int) *Own {
	own := &Own{
		Agents: agents, Workers: cfg.Workers,
		Timeout: cfg.Timeout, MaxLag: cfg.MaxLag, Interval: cfg.Interval, Warmup: cfg.Warmup,
	}
	switch s := cfg.Schedule.(type) {
	case AtRate:
		own.Rate = s.Rate
	default:
		if s != loadgen.ClosedLoop {
			return nil
		}
	}
	return own
}

// shared is a run of several agents under way. Rank 0 adds up their batches and judges them.
type shared struct {
	*Clients
	cfg     loadgen.Config
	at      time.Time // when it begins
	members []member
	replies []RunReply
	done    []bool
	verdict Verdict
	err     error // of cfg.OnProgress
}

// Loads implements load. A run with fewer callers than there are agents is made by as many of
// them. cfg.Check is not heeded: agents check replies themselves.
//
// The agents stop at one due time. It is set so far ahead that all have heard of it by then, so
// that their calls are the first of the schedule, without a gap.
func (t *Clients) Loads(_ context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	n := min(len(t.members), cfg.Workers)
	s := &shared{Clients: t, cfg: cfg, at: time.Now().Add(t.Ahead()), members: t.members[:n], replies: make([]RunReply, n), done: make([]bool, n)}
	if err := s.start(); err != nil {
		return nil, err
	}
	time.Sleep(time.Until(s.at))
	happen(cfg.OnStart)
	if err := s.follow(); err != nil {
		return nil, err
	}
	happen(cfg.OnStop)
	return s.result()
}

// happen calls a hook, which may be nil.
func happen(hook func()) {
	if hook != nil {
		hook()
	}
}

// start tells all agents to begin. One without a call is done.
func (s *shared) start() error {
	own := ownOf(s.cfg, len(s.members))
	if own == nil {
		return errors.New("several clients make a schedule of one rate alone")
	}
	return s.eachOf(len(s.members), func(i int) error {
		calls := int64(shareOf(int(s.cfg.Calls), i, len(s.members)))
		if s.done[i] = s.cfg.Calls > 0 && calls == 0; s.done[i] {
			return nil
		}
		return s.members[i].Start(RunRequest{At: s.at, Calls: calls, Duration: s.cfg.Duration, Own: own})
	})
}

// follow judges batch by batch until all agents have ended.
func (s *shared) follow() error {
	for number := 0; ; number++ {
		batches := make([]*loadgen.Progress, len(s.members))
		err := s.eachOf(len(s.members), func(i int) (err error) {
			if !s.done[i] {
				batches[i], err = s.step(i, number)
			}
			return err
		})
		if err != nil {
			return err
		}
		p, under := sumOf(batches)
		if !under {
			return nil
		}
		s.judge(p)
	}
}

// step asks an agent for its next batch; nil if it has ended.
func (s *shared) step(i, number int) (*loadgen.Progress, error) {
	var reply StepReply
	err := s.members[i].Step(StepRequest{number, s.verdict}, &reply)
	if err == nil && reply.Done != nil {
		s.done[i], s.replies[i] = true, *reply.Done
	}
	return reply.Batch, err
}

// judge sets the verdict.
func (s *shared) judge(p loadgen.Progress) {
	if s.cfg.OnProgress == nil {
		return
	}
	switch err := s.cfg.OnProgress(p); {
	case err == nil || s.verdict != (Verdict{}):
	case errors.Is(err, loadgen.ErrEnough):
		s.verdict.End = time.Since(s.at) + s.Ahead()
	default:
		s.verdict.Fails, s.err = true, err
	}
	if s.failed() {
		s.verdict.Fails = true
	}
}

// failed reports whether an agent has ended for a reason of its own.
func (s *shared) failed() bool {
	for _, r := range s.replies {
		if r.Error != "" {
			return true
		}
	}
	return false
}

// result is what all have measured.
func (s *shared) result() (*loadgen.Result, error) {
	m, err := Merge(s.replies)
	end := s.verdict.End
	if end > 0 && s.cfg.Duration > 0 {
		end = min(end, s.cfg.Duration+s.cfg.Warmup)
	}
	if err == nil && s.err == nil {
		err = checkShares(s.cfg.Schedule, s.replies, end)
	}
	return m.Result, cmp.Or(err, s.err)
}

// sumOf adds up the batches that agents made at the same time; nil is of one that has ended. under
// is whether the run is under way: not all have.
func sumOf(batches []*loadgen.Progress) (sum loadgen.Progress, under bool) {
	sum.Responses = new(loadgen.Histogram)
	for _, p := range batches {
		if p == nil {
			continue
		}
		under = true
		sum.Elapsed = max(sum.Elapsed, p.Elapsed)
		sum.Ended += p.Ended
		sum.Over = sum.Over || p.Over
		sum.Last.Start, sum.Last.Length = p.Last.Start, max(sum.Last.Length, p.Last.Length)
		sum.Last.OK += p.Last.OK
		sum.Last.Failed += p.Last.Failed
		sum.Responses.Merge(p.Responses)
	}
	all := sum.Responses
	if all.Count() > 0 {
		sum.Last.P50, sum.Last.P90, sum.Last.P99, sum.Last.Max = all.Quantile(.5), all.Quantile(.9), all.Quantile(.99), all.Max()
	}
	return sum, under
}
