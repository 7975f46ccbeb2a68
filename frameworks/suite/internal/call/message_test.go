package call

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/loadgen"
)

type order struct {
	ID   int64
	Note string
}

// shop is a client of orders, which come back as deliver changes them.
type shop struct {
	fakes.Client
	orders  message.Exchange[order, order]
	deliver func(worker int, m order) order
}

func (*shop) CallUnknown(context.Context) error { return nil }

func (s *shop) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := s.orders.NewRequests(workers)
	return func(_ context.Context, worker int) error {
		reply := s.deliver(worker, *s.orders.Handle(requests.Of(worker)))
		requests.Done(worker)
		return check(worker, "", 0, &reply)
	}
}

// TestRepliesToOtherOrdersAreNoticed: by their numbers in every call, and by the rest in some.
func TestRepliesToOtherOrdersAreNoticed(t *testing.T) {
	const workers, calls = 3, 2 * callsPerWhole
	var last [workers]order
	stale := func(worker int, m order) order {
		m, last[worker] = last[worker], m
		return m
	}
	others := func(worker int, m order) order {
		m, last[0] = last[0], m
		return m
	}
	number := func(m *order) *int64 { return &m.ID }
	for _, c := range []struct {
		about   string
		mark    func(*order) *int64
		deliver func(worker int, m order) order
		wrong   int // of all calls
	}{
		{"the right reply", number, func(_ int, m order) order { return m }, 0},
		{"the reply to the worker's last call", number, stale, workers * calls},
		{"the reply to the last call of another worker", number, others, workers * calls},
		{"another field, in the first and every 256th reply to a worker", number, func(_ int, m order) order { m.Note = "x"; return m }, workers * 2},
		{"the right reply without a number", nil, func(_ int, m order) order { return m }, 0},
		{"the same contents of another call without a number", nil, stale, workers},
	} {
		t.Run(c.about, func(t *testing.T) {
			last = [workers]order{}
			orders := message.Own("order", []*order{{Note: "a"}}, nil, c.mark)
			sent := *orders.Sent()
			job, err := prepareMessage(&sent)(t.Context(), &shop{fakes.Client{}, orders, c.deliver}, Requests{Workers: workers})
			require.NoError(t, err)
			wrong := 0
			for i := range workers * calls {
				require.NoError(t, job.Call(t.Context(), i%workers))
				if err := job.Check(i % workers); err != nil {
					assert.ErrorIs(t, err, ErrWrongReply)
					wrong++
				}
				assert.ErrorIs(t, job.Check(i%workers), ErrNoReply, "it is compared once")
			}
			assert.Equal(t, c.wrong, wrong)
		})
	}
}
