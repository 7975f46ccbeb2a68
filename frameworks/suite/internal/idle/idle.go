// Package idle opens many connections of a variant, by the framework's own clients, and
// keeps them open and silent. Each has carried a call, because servers and clients
// allocate buffers with the first one.
package idle

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

// A client has at most perClient connections: the callers of a pool call all at once, because
// only a call that finds no idle connection opens one. Clients of transports that share
// connections are dialed in groups of dialing.
const (
	perClient = 250
	dialing   = 4
)

// Config says which connections are opened, and how.
type Config struct {
	Variant  framework.Variant
	Addrs    []string      // of one server, > 0
	Conns    int           // that are wanted, > 0
	Size     int           // of the payload of the first calls, in bytes
	Patience time.Duration // of Dial, and for the first calls of a client

	// Hold keeps the server from answering until release is called. Without it fewer
	// connections of a pool are opened than there are callers, because calls that
	// return lend their connections to others. It may be nil.
	Hold func() (release func() error, err error)
	// Files returns how many descriptors this process has open; 0 if that is not known.
	Files func() int
	// Room says why no more connections should be opened; nil if they may be. It is
	// called before each client is dialed.
	Room func() error
}

// Connections are many open connections.
type Connections struct {
	// clients hold the connections.
	clients []framework.Client
	// Asked is how many connections the clients were asked for: fewer than
	// Config.Conns if something ended the opening.
	Asked int
	// Took is how long it took to open the connections, with their first calls.
	Took time.Duration
	// Short says why no more connections were opened; nil if all were.
	Short error
}

// Open opens connections until there are as many as wanted, or until something fails.
func Open(c Config) *Connections {
	o := opener{Config: c, Connections: new(Connections)}
	begin := time.Now()
	for o.Asked < c.Conns && o.Short == nil {
		o.more()
	}
	o.Took = time.Since(begin)
	return o.Connections
}

// Close closes the connections.
func (c *Connections) Close() error {
	var errs []error
	for _, client := range c.clients {
		errs = append(errs, client.Close())
	}
	c.clients = nil
	return errors.Join(errs...)
}

// opener opens them.
type opener struct {
	Config
	*Connections
	dialed int // clients so far
}

// more opens the connections of the next clients.
func (o *opener) more() {
	if o.Short = o.Room(); o.Short != nil {
		return
	}
	if pooled(o.Variant) {
		o.add(o.open(o.next()))
		return
	}
	var plans []batch
	for len(plans) < dialing && o.Asked < o.Conns {
		plans = append(plans, o.next())
	}
	clients, errs := make([]framework.Client, len(plans)), make([]error, len(plans))
	var wg sync.WaitGroup
	for i, b := range plans {
		wg.Go(func() { clients[i], errs[i] = o.open(b) })
	}
	wg.Wait()
	for i := range plans {
		o.add(clients[i], errs[i])
	}
}

// batch is the connections of one client.
type batch struct {
	addr string
	n    int
}

// next returns the batch of the next client. Clients take the addresses in turns.
func (o *opener) next() batch {
	b := batch{o.Addrs[o.dialed%len(o.Addrs)], min(perClient, o.Conns-o.Asked)}
	o.dialed++
	o.Asked += b.n
	return b
}

// add adds a client, or notes why there is none.
func (o *opener) add(client framework.Client, err error) {
	if client != nil {
		o.clients = append(o.clients, client)
	}
	if o.Short == nil {
		o.Short = err
	}
}

// open opens the connections of a batch. A client whose first calls failed is returned as
// well: it may have some of them.
func (o *opener) open(b batch) (framework.Client, error) {
	files := o.Files()
	client, err := limit.Get(limit.ToOpen(o.Patience, b.n), func() (framework.Client, error) {
		return o.Variant.Dial(b.addr, framework.DialOptions{Conns: b.n, Callers: b.n, Patience: o.Patience})
	}, func(late framework.Client) { late.Close() })
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	first := newFirst(client, b.n, o.Size, o.Patience)
	if pooled(o.Variant) {
		err = o.held(first.together, files+b.n)
	} else {
		err = first.each(o.Variant.Sharing)
	}
	if err != nil {
		err = fmt.Errorf("first calls: %w", err)
	}
	return client, err
}

func pooled(v framework.Variant) bool { return v.Sharing == framework.Pooled }

// held makes calls while the server is held, until this process has as many descriptors
// open as there are to be. It then lets the server answer.
func (o *opener) held(calls func() error, files int) error {
	if o.Hold == nil {
		return calls()
	}
	release, err := o.Hold()
	if err != nil {
		return fmt.Errorf("hold the server: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- calls() }()
	o.await(files)
	return errors.Join(release(), <-done)
}

// opening bounds the wait for connections to a server that is held. Its system accepts
// them, at once or a second later where its queue was full.
const opening = 3 * time.Second

// await waits until this process has a number of descriptors open, or until no more are
// opened. Counting many takes long, so it is done seldom.
func (o *opener) await(files int) {
	const first, growth, still = 4 * time.Millisecond, 2, 64 * time.Millisecond
	pause, before := first, 0
	for end := time.Now().Add(opening); time.Now().Before(end); pause *= growth {
		time.Sleep(pause)
		n := o.Files()
		if n >= files || n == before && pause >= still { // it is always 0 where it is not known
			return
		}
		before = n
	}
}
