package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
)

const (
	defaultServers = 16
	defaultIdle    = time.Minute
	maxBody        = 64 << 10 // bytes of a request
)

// times are how long a connection may take before it is closed.
type times struct {
	request time.Duration // to send a request
	reply   time.Duration // from the request's header to the end of the answer
	idle    time.Duration // between two requests
}

// usual returns the times of Serve. No answer takes as long as reply. A client drops its
// connections before idle has passed, see clientIdle, so that no request crosses the end
// of one.
func usual() times { return times{request: 10 * time.Second, reply: time.Minute, idle: time.Minute} }

// Config configures Serve. Prepare must be set.
type Config struct {
	Token string // see Listen
	About About
	// Identity is the key; nil for a new one.
	Identity *Identity
	// Prepare returns how to start what a request asks for. If it returns an
	// error, the request is refused with the error's text.
	Prepare func(Request) (host.Config, error)
	// Has returns an error if servers of a build cannot be started here. nil stands for one that has
	// none.
	Has func(builds.Build) error
	// Tell is called with what goes wrong on the way to a request, such as too few
	// file descriptors to accept connections, once a minute for each text, and with
	// panics of this package. nil drops it.
	Tell    func(text string)
	Servers int           // the most servers at once; 0 stands for 16, or as many as there are ports
	Ports   Ports         // of the servers; its zero value leaves them to the system
	Idle    time.Duration // a server is stopped when nobody has asked about it for this time; 0 stands for a minute
	times   times         // zero for usual
}

// Serve answers on l until ctx ends, and then stops the servers that it has started.
// They listen on the address of l.
func Serve(ctx context.Context, l net.Listener, c Config) error {
	ip, _, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	c.Servers, c.Idle = c.Ports.room(cmp.Or(c.Servers, defaultServers)), cmp.Or(c.Idle, defaultIdle)
	c.times = cmp.Or(c.times, usual())
	c.About.ID, c.About.Room = rand.Text(), c.Servers
	p := &pool{config: c, ip: ip, open: map[int]*entry{}, ports: choice{Ports: c.Ports}}
	defer p.stop()
	if c.Identity == nil {
		if c.Identity, err = NewIdentity(); err != nil {
			return err
		}
	}
	s := p.server()
	defer context.AfterFunc(ctx, func() { s.Close() })()
	if err := s.Serve(tls.NewListener(newDoor(l, c.Tell), c.Identity.config())); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// server bounds the time of a handshake by that of a request's header. It has no
// ReadTimeout, which would end the context of a request that takes longer to answer:
// handler bounds the reading of bodies.
func (p *pool) server() *http.Server {
	return &http.Server{
		Handler: p.handler(), ConnContext: withVisit, ErrorLog: log.New(panics(p.config.Tell), "", 0),
		ReadHeaderTimeout: p.config.times.request, WriteTimeout: p.config.times.reply, IdleTimeout: p.config.times.idle,
		MaxHeaderBytes: maxBody,
	}
}

// panics passes on the first line of what a server logs of a panic. The rest of what it logs is
// about handshakes of strangers.
type panics func(text string)

// Write implements io.Writer.
func (p panics) Write(text []byte) (int, error) {
	if line, _, _ := strings.Cut(string(text), "\n"); p != nil && strings.HasPrefix(line, "http: panic serving") {
		p(line)
	}
	return len(text), nil
}

// pool holds the servers that were started.
type pool struct {
	config Config
	ip     string // on which they listen

	mu       sync.Mutex
	last     int // the number of the newest server
	starting int
	open     map[int]*entry
	closed   bool
	ports    choice

	runs meetings // of ranks
}

// entry is a server with the timer that stops it when it is idle.
type entry struct {
	*host.Host
	port int // of the choice; 0 for any
	idle *time.Timer
}

func (p *pool) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /machine", func(w http.ResponseWriter, _ *http.Request) { answer(w, p.config.About, nil) })
	mux.HandleFunc("GET /machine/taken", func(w http.ResponseWriter, _ *http.Request) { answerTaken(w) })
	mux.HandleFunc("PUT /builds", p.has)
	mux.HandleFunc("POST /servers", p.start)
	mux.HandleFunc("DELETE /servers/{number}", p.end)
	for path, do := range map[string]func(*host.Host, http.ResponseWriter, *http.Request) error{
		"GET wait": p.wait, "GET cpu": cpu, "GET figures": figures, "GET handled": tally((*host.Host).Handled), "GET spans": tally((*host.Host).Spans), "POST peak": peak,
		"POST pause": pause, "POST resume": resume, "POST kill": kill,
		"POST profile": startProfile, "GET profile": stopProfile,
	} {
		mux.HandleFunc(strings.Replace(path, " ", " /servers/{number}/", 1), p.about(do))
	}
	all := http.NewServeMux()
	all.Handle("/", http.MaxBytesHandler(mux, maxBody))
	all.Handle("/runs/", p.runs.handler())
	return signed(timed(p.config.times.request, guarded(p.config.Token, all)))
}

// has answers whether servers of a build can be started here.
func (p *pool) has(w http.ResponseWriter, r *http.Request) {
	var b builds.Build
	err := json.NewDecoder(r.Body).Decode(&b)
	if err == nil && p.config.Has == nil {
		err = errors.New("servers are of the build of the serving side alone")
	}
	if err == nil {
		err = p.config.Has(b)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, struct{}{}, nil)
}

// start starts a server.
func (p *pool) start(w http.ResponseWriter, r *http.Request) {
	var q Request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		refuse(w, err)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // fails only if the client has gone
	c, err := p.config.Prepare(q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if !p.reserve() {
		http.Error(w, fmt.Sprintf("%d servers run already, the most at once", p.config.Servers), http.StatusTooManyRequests)
		return
	}
	c.Listen = p.ip
	h, err := p.launch(r.Context(), &c)
	number, err := p.add(h, c.Port, err)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, started{number, h.Ready()}, nil)
}

// launch starts a server at one of the ports.
func (p *pool) launch(ctx context.Context, c *host.Config) (h *host.Host, err error) {
	if c.Port, err = p.port(); err != nil {
		return nil, err
	}
	if h, err = host.Start(ctx, *c); err != nil {
		p.leave(c.Port)
	}
	return h, err
}

// port takes a port of those that servers may have; 0 if they may have any.
func (p *pool) port() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ports.take(p.ip)
}

// leave gives a port back.
func (p *pool) leave(port int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ports.give(port)
}

// reserve reserves a place for a new server, and reports whether there was one.
func (p *pool) reserve() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.open)+p.starting >= p.config.Servers {
		return false
	}
	p.starting++
	return true
}

// add puts h in the reserved place, or frees the place if there was an error.
func (p *pool) add(h *host.Host, port int, err error) (number int, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting--
	if err == nil && p.closed {
		h.Kill()
		err = errors.New("this machine serves no more")
	}
	if err != nil {
		return 0, err
	}
	p.last++
	number = p.last
	p.open[number] = &entry{h, port, time.AfterFunc(p.config.Idle, func() { p.remove(number) })}
	return number, nil
}

// remove removes a server from the pool and stops it.
func (p *pool) remove(number int) error {
	p.mu.Lock()
	e := p.open[number]
	delete(p.open, number)
	p.mu.Unlock()
	if e == nil {
		return nil
	}
	e.idle.Stop()
	defer p.leave(e.port)
	return e.Stop()
}

// stop stops all servers at the same time.
func (p *pool) stop() {
	p.mu.Lock()
	p.closed = true
	list := p.open
	p.open = nil
	p.mu.Unlock()
	var wg sync.WaitGroup
	for _, e := range list {
		e.idle.Stop()
		wg.Go(func() { e.Stop() })
	}
	wg.Wait()
}

// of returns the server that a request is about, and restarts its idle timer.
func (p *pool) of(w http.ResponseWriter, r *http.Request) (number int, e *entry) {
	number, _ = strconv.Atoi(r.PathValue("number"))
	p.mu.Lock()
	defer p.mu.Unlock()
	if e = p.open[number]; e == nil {
		http.Error(w, fmt.Sprintf("there is no server %d: it was stopped, perhaps since nobody asked about it for %v", number, p.config.Idle), http.StatusGone)
		return number, nil
	}
	e.idle.Reset(p.config.Idle)
	return number, e
}

// about returns a handler for requests about a server.
func (p *pool) about(do func(*host.Host, http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, e := p.of(w, r); e != nil {
			if err := do(e.Host, w, r); err != nil {
				refuse(w, err)
			}
		}
	}
}

// end stops a server.
func (p *pool) end(w http.ResponseWriter, r *http.Request) {
	if number, e := p.of(w, r); e != nil {
		answer(w, stateOf(p.remove(number)), nil)
	}
}

// wait answers when a server has ended, or after a while.
func (p *pool) wait(h *host.Host, w http.ResponseWriter, r *http.Request) error {
	select {
	case <-h.Done():
		return answer(w, stateOf(h.Err()), nil)
	case <-time.After(min(longestWait, p.config.Idle/3)):
	case <-r.Context().Done():
	}
	return answer(w, state{}, nil)
}

// stateOf returns the state of a server that ended with err.
func stateOf(err error) state {
	s := state{Ended: true}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

func cpu(h *host.Host, w http.ResponseWriter, _ *http.Request) error {
	d, err := h.CPU()
	return answer(w, d, err)
}

func figures(h *host.Host, w http.ResponseWriter, r *http.Request) error {
	f, err := h.Figures(r.Context())
	return answer(w, f, err)
}

func tally(count func(*host.Host, context.Context) (int64, error)) func(*host.Host, http.ResponseWriter, *http.Request) error {
	return func(h *host.Host, w http.ResponseWriter, r *http.Request) error {
		n, err := count(h, r.Context())
		return answer(w, n, err)
	}
}

func answerTaken(w http.ResponseWriter) {
	set, err := cpus.Available()
	if err != nil {
		refuse(w, err)
		return
	}
	t, err := cpus.ReadTaken(set)
	if err = answer(w, Taken{t, len(set)}, err); err != nil {
		refuse(w, err)
	}
}

func peak(h *host.Host, w http.ResponseWriter, r *http.Request) error {
	return answer(w, struct{}{}, h.ResetPeak(r.Context()))
}

func pause(h *host.Host, w http.ResponseWriter, _ *http.Request) error {
	return answer(w, struct{}{}, h.Pause())
}

func resume(h *host.Host, w http.ResponseWriter, _ *http.Request) error {
	return answer(w, struct{}{}, h.Resume())
}

func kill(h *host.Host, w http.ResponseWriter, _ *http.Request) error {
	h.Kill()
	return answer(w, struct{}{}, nil)
}

func startProfile(h *host.Host, w http.ResponseWriter, r *http.Request) error {
	return answer(w, struct{}{}, h.StartProfile(r.Context(), r.URL.Query().Get("kind")))
}

func stopProfile(h *host.Host, w http.ResponseWriter, r *http.Request) error {
	return h.StopProfile(r.Context(), r.URL.Query().Get("kind"), w)
}
