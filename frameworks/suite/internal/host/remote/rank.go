package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
)

// maxSkew is how far the clock of a rank may be from that of the serving side. One that is
// farther off is set wrongly, and the times in its records would mislead.
const maxSkew = time.Second

// Rank is this process as one of the ranks of a run.
type Rank struct {
	machine *Machine
	path    string
	rank    int
	visit   string        // of this process
	known   int           // of the ranks that came, how many it has heard of; for rank 0
	skew    time.Duration // of this clock against that of the serving side
	ctx     context.Context
	end     context.CancelCauseFunc
}

// Come brings a rank to the meeting of the run, and stays a member until End or the end
// of ctx.
func (m *Machine) Come(ctx context.Context, run string, p Place) (*Rank, error) {
	if err := CheckRun(run); err != nil {
		return nil, err
	}
	r := &Rank{machine: m, path: "/runs/" + url.PathEscape(run), rank: p.Rank}
	p.Visit = rand.Text()
	r.visit = p.Visit
	var err error
	if r.skew, err = m.clock(ctx); err != nil {
		return nil, err
	}
	if r.skew.Abs() > maxSkew {
		return nil, fmt.Errorf("the clock of rank %d (%s) is %v from that of the serving side: set one of them", p.Rank, p.Machine, r.skew.Round(time.Millisecond))
	}
	if err := m.call(ctx, controlTimeout, http.MethodPut, r.path+"/come", p, &struct{}{}); err != nil {
		return nil, err
	}
	r.ctx, r.end = context.WithCancelCause(ctx)
	connected := make(chan struct{})
	go r.attend(sync.OnceFunc(func() { close(connected) }))
	<-connected // the rank's next request would take the connection, and a busy machine seconds for another
	return r, nil
}

// clock returns how far this clock is ahead of that of the serving side. Of a few answers it
// takes the one that came back soonest, in whose middle the other clock was read.
func (m *Machine) clock(ctx context.Context) (skew time.Duration, err error) {
	shortest := time.Duration(-1)
	for range 8 {
		var there time.Time
		begin := time.Now()
		if err := m.call(ctx, controlTimeout, http.MethodGet, "/runs/clock", nil, &there); err != nil {
			return 0, err
		}
		if took := time.Since(begin); shortest < 0 || took < shortest {
			shortest, skew = took, begin.Add(took/2).Round(0).Sub(there)
		}
	}
	return skew, nil
}

// There is a time of this clock by that of the serving side.
func (r *Rank) There(here time.Time) time.Time { return here.Round(0).Add(-r.skew) }

// Here is a time of the serving side's clock by this one.
func (r *Rank) Here(there time.Time) time.Time { return there.Add(r.skew) }

// Err is why the run has ended; nil while it goes on.
func (r *Rank) Err() error { return context.Cause(r.ctx) }

// AfterEnd has do called when the run has ended, unless stop is called before.
func (r *Rank) AfterEnd(do func()) (stop func() bool) { return context.AfterFunc(r.ctx, do) }

// attend has the rank stay a member. It calls connected when a connection is that of its request.
func (r *Rank) attend(connected func()) {
	defer connected()
	ctx := httptrace.WithClientTrace(r.ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected() }})
	for r.ctx.Err() == nil {
		if err := r.callIn(ctx, http.MethodGet, pathOf(r.rank, "attend", r.visit), nil, &struct{}{}); err != nil {
			r.end(err)
		}
	}
}

func (r *Rank) call(method, path string, body, answer any) error {
	return r.callIn(r.ctx, method, path, body, answer)
}

// callIn is call in a context that comes of that of the rank.
func (r *Rank) callIn(ctx context.Context, method, path string, body, answer any) error {
	err := r.machine.call(ctx, longestWait+controlTimeout, method, r.path+path, body, answer)
	if err != nil && r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return err
}

// pathOf is where requests about a rank go, as long as it is the process that made a visit.
func pathOf(rank int, what, visit string) string {
	return fmt.Sprintf("/ranks/%d/%s?visit=%s", rank, what, visit)
}

// Gather waits until all ranks have come, and returns what they say of themselves. It tells
// how many are there.
func (r *Rank) Gather(ranks int, most time.Duration, tell func(there int)) (Roster, error) {
	there := Roster{}
	return there, r.Complete(there, ranks, most, tell)
}

// Complete waits until all ranks of a run are in a roster, from which those are missing that were
// lost. The places of others change if another process has taken them.
func (r *Rank) Complete(there Roster, ranks int, most time.Duration, tell func(there int)) error {
	ctx, cancel := context.WithTimeout(r.ctx, most)
	defer cancel()
	for len(there) < ranks {
		came := Roster{}
		path := fmt.Sprintf("%s/roster?known=%d", r.path, r.known)
		err := r.machine.call(ctx, longestWait+controlTimeout, http.MethodGet, path, nil, &came)
		switch {
		case r.ctx.Err() != nil:
			return context.Cause(r.ctx)
		case ctx.Err() != nil:
			return fmt.Errorf("%s not come within %v", missing(there, ranks), most)
		case err != nil:
			return err
		}
		r.known += len(came)
		before := len(there)
		if maps.Copy(there, came); len(there) > before {
			tell(len(there))
		}
	}
	return nil
}

// missing names the ranks that are not there.
func missing(there Roster, ranks int) string {
	var list []string
	for rank := range ranks {
		if _, ok := there[rank]; !ok {
			list = append(list, strconv.Itoa(rank))
		}
	}
	if len(list) == 1 {
		return fmt.Sprintf("rank %s of %d has", list[0], ranks)
	}
	return fmt.Sprintf("ranks %s of %d have", strings.Join(list, ", "), ranks)
}

// End ends the run for all ranks. why is "" for an orderly end.
func (r *Rank) End(why string) error {
	err := r.machine.call(context.Background(), controlTimeout, http.MethodPut, r.path+"/end", why, &struct{}{})
	r.end(errors.New("the run has ended"))
	return err
}

// Other is another rank, to which rank 0 gives orders.
type Other struct {
	Place
	rank   *Rank
	mu     sync.Mutex
	number int // of the last order
	lost   atomic.Bool
}

// AskBuild is the order that asks a rank whether it can start a build.
const AskBuild = "/build"

// Has returns an error if the rank cannot start a build.
func (o *Other) Has(b builds.Build) error { return o.Ask(AskBuild, b, &struct{}{}) }

// Lost reports whether the rank was found to have ended.
func (o *Other) Lost() bool { return o.lost.Load() }

// Others returns the other ranks of a roster, in their order.
func (r *Rank) Others(there Roster) (list []*Other) {
	for _, p := range there {
		if p.Rank != r.rank {
			list = append(list, &Other{Place: p, rank: r})
		}
	}
	slices.SortFunc(list, func(a, b *Other) int { return a.Rank - b.Rank })
	return list
}

// order is what a rank is asked, and reply what it says.
type (
	order struct {
		Path string
		Body json.RawMessage
	}
	reply struct {
		Body  json.RawMessage
		Error string // "" for none
	}
)

// Ask gives the rank an order and waits for its reply.
func (o *Other) Ask(path string, question, answer any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	o.number++
	var said reply
	err = o.rank.call(http.MethodPut, pathOf(o.Rank, fmt.Sprintf("orders/%d", o.number), o.Visit), order{path, body}, &struct{}{})
	if err == nil {
		err = o.rank.message(pathOf(o.Rank, fmt.Sprintf("replies/%d", o.number), o.Visit), &said)
	}
	if err != nil {
		o.lost.Store(errors.As(err, new(Lost)))
		return err
	}
	if said.Error != "" {
		return fmt.Errorf("%s: %s", o.Name(), foreign.Line(said.Error))
	}
	return json.Unmarshal(said.Body, answer)
}

// message waits for an order or a reply.
func (r *Rank) message(path string, into any) error {
	for {
		var text bytes.Buffer
		if err := r.call(http.MethodGet, path, nil, &text); err != nil {
			return err
		}
		if text.Len() > 0 {
			return json.Unmarshal(text.Bytes(), into)
		}
	}
}

// ErrNoOrder is why a rank follows no more: there is no run.
var ErrNoOrder = errors.New("rank 0 has given no order: is it there?")

// Follow carries out the orders of rank 0 until the run ends, of which the first has to come
// within a time. The error says why the run ended, and is nil for an orderly end.
func (r *Rank) Follow(most time.Duration, do func(path string, body []byte) (any, error)) error {
	late := time.AfterFunc(most, func() { r.end(fmt.Errorf("within %v %w", most, ErrNoOrder)) })
	defer late.Stop()
	for number := 1; ; number++ {
		err := r.obey(number, func(path string, body []byte) (any, error) {
			late.Stop()
			return do(path, body)
		})
		switch {
		case errors.Is(err, errGone): // the run may end before rank 0's machine has said that it took the reply
			return nil
		case err != nil:
			return err
		}
	}
}

// obey carries out the order that has a number.
func (r *Rank) obey(number int, do func(path string, body []byte) (any, error)) error {
	var o order
	if err := r.message(pathOf(r.rank, fmt.Sprintf("orders/%d", number), r.visit), &o); err != nil {
		return err
	}
	return r.call(http.MethodPut, pathOf(r.rank, fmt.Sprintf("replies/%d", number), r.visit), replyOf(do(o.Path, o.Body)), &struct{}{})
}

func replyOf(a any, err error) (said reply) {
	if err == nil {
		said.Body, err = json.Marshal(a)
	}
	if err != nil {
		said.Error = err.Error()
	}
	return said
}
