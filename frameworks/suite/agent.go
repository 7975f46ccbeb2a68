package suite

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// agentID is what a process serves that makes a share of the calls, see -clients.
const agentID = "client"

// order tells an agent which share of which case it has.
type order struct {
	Flags      map[string]string // the suite's, by name
	Suite      string
	Case       string // its name
	Addrs      []string
	Rank, Size int
}

// startOrder tells an agent to make calls.
type startOrder struct {
	At       time.Time
	Calls    int64         // of this agent; of the whole in an open loop
	Duration time.Duration // see loadgen.Config
}

// outcome is what an agent measured.
type outcome struct {
	Result *loadgen.Result
	Error  string // why it ended early
}

// agent is a host.Server that takes orders by HTTP.
type agent struct {
	net.Listener
	config Config
	order  order
	c      benchCase
	load   *local
}

func newAgent(c Config) (*agent, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a := &agent{Listener: l, config: c}
	mux := http.NewServeMux()
	mux.Handle("POST /prepare", answer(a.prepare))
	mux.Handle("POST /run", answer(a.run))
	go http.Serve(l, mux) // ends with the process
	return a, nil
}

// Addr implements host.Server.
func (a *agent) Addr() string { return a.Listener.Addr().String() }

// answer handles one kind of request: JSON both ways, or an error's text.
func answer[Q, A any](do func(Q) (A, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q Q
		err := json.NewDecoder(r.Body).Decode(&q)
		var reply A
		if err == nil {
			reply, err = do(q)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(reply) // a parent that left needs no answer
	})
}

// prepare makes the client of this agent's share, ready to run.
func (a *agent) prepare(o order) (_ struct{}, err error) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	env.register(fs)
	env.works.register(fs, a.config.Workloads)
	for name, value := range o.Flags {
		err = cmp.Or(err, fs.Set(name, value))
	}
	if err == nil {
		err = env.parse(a.config.Frameworks, nil)
	}
	if err != nil {
		return struct{}{}, err
	}
	if a.c, err = findCase(o.Suite, o.Case); err != nil {
		return struct{}{}, err
	}
	a.order = o
	a.load, err = newLocal(a.c, o.Addrs, shareOf(a.c.workers, o.Rank, o.Size), max(env.conns/o.Size, 1))
	return struct{}{}, err
}

func findCase(suite, name string) (benchCase, error) {
	for _, s := range suites {
		if s.name != suite {
			continue
		}
		for _, group := range s.groups(&env.flags) {
			for _, c := range group {
				if c.name() == name {
					return c, nil
				}
			}
		}
	}
	return benchCase{}, fmt.Errorf("no case %q", name)
}

// shareOf is what rank has of a whole that is divided among size.
func shareOf(whole, rank, size int) int {
	share := whole / size
	if rank < whole%size {
		share++
	}
	return share
}

// run makes this agent's calls.
func (a *agent) run(s startOrder) (outcome, error) {
	if a.load == nil {
		return outcome{}, errors.New("run before prepare")
	}
	cfg := loadgen.Config{
		Workers:  shareOf(a.c.workers, a.order.Rank, a.order.Size),
		Schedule: loadgen.Share(a.c.schedule, a.order.Rank, a.order.Size),
		Calls:    s.Calls, Duration: s.Duration,
		Timeout: env.timeout, Progress: watchdog(a.c.patience),
	}
	time.Sleep(time.Until(s.At))
	result, err := a.load.loads(cfg)
	if result == nil {
		return outcome{}, err
	}
	o := outcome{Result: result}
	if err != nil {
		o.Error = err.Error()
	}
	return o, nil
}
