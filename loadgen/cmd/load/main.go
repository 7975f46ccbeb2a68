// Load sends HTTP requests at a rate, or from callers that wait, and tells how long users wait.
//
//	load -rate=500 -for=30s -require='p99<200ms,errors<0.1%' http://127.0.0.1:8080/
//	load -rate=500 -targets=targets.txt
//
// Latency runs from when a call was due, so that a server that stands still is seen. -targets
// takes vegeta's format, see package httpload, and each endpoint has results of its own. On
// several machines each makes its share, see README.md.
//
// Standard output has the report, and standard error a line of progress each second. On
// SIGINT or SIGTERM no more calls are sent, those in flight have 10 s, and the report is of
// what was made. The exit code is 0, 1 if a condition of -require is not met, no call succeeded or
// the load could not be made, 2 if the command line or a file that it names is wrong, and 130 if
// the run was interrupted.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/httpload"
	"github.com/rpcbench/rpcbench/loadgen/internal/command"
	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
)

func main() { os.Exit(command.Main(new(protocol))) }

// protocol is HTTP as the flags have it.
type protocol struct {
	method, body, targets string
	header                http.Header
	version, conns        int
	trust                 command.Trust
	status, contains      string
	where                 string // what is called, as records have it
}

// Usage implements command.Protocol.
func (*protocol) Usage() string {
	return `load -rate=500 [flags] URL
       load -rate=500 [flags] -targets=FILE

Sends HTTP requests at a rate, and tells how long users wait for the replies.
`
}

// Flags implements command.Protocol.
func (p *protocol) Flags(fs *flag.FlagSet) commandline.Subject {
	fs.StringVar(&p.targets, "targets", "", "`file` of requests, in the format of vegeta, which are made in turn; - is standard input")
	fs.StringVar(&p.method, "method", "", "`method` for the URL; GET, or POST with -body")
	fs.StringVar(&p.body, "body", "", "`text` to be sent to the URL; @FILE is the text of a file")
	fs.Func("header", "a `line` as in 'Accept: text/plain', of each request; more than one may be given", command.Pair("Accept: text/plain", p.addHeader))
	fs.IntVar(&p.version, "http", 1, "`version` of HTTP: 1, where each call in flight has a connection, or 2")
	fs.IntVar(&p.conns, "conns", 1, "`connections` to each server with -http=2")
	p.trust.Flags(fs)
	fs.StringVar(&p.status, "status", "2xx", "right `statuses` of replies, as in 2xx,404; redirections are not followed")
	fs.StringVar(&p.contains, "contains", "", "`text` that the body of each reply must contain")
	return commandline.Subject{Title: "Requests", Flags: []string{"targets", "method", "body", "header", "http", "conns", "ca", "insecure", "status", "contains"}}
}

func (p *protocol) addHeader(name, value string) {
	name = http.CanonicalHeaderKey(name)
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header[name] = append(p.header[name], value)
}

// Open implements command.Protocol.
func (p *protocol) Open(args []string) (command.Service, error) {
	targets, err := p.readTargets(args)
	if err != nil {
		return nil, err
	}
	cfg := httpload.Config{Targets: targets, Header: p.header, HTTP2: p.version == 2}
	switch {
	case p.version != 1 && p.version != 2:
		return nil, fmt.Errorf("-http=%d: must be 1 or 2", p.version)
	case p.conns < 1 || p.conns > 1 && p.version == 1:
		return nil, fmt.Errorf("-conns=%d: must be more than 0, and is of -http=2", p.conns)
	case p.version == 2:
		cfg.Conns = p.conns
	}
	if cfg.TLS, err = p.trust.Config(); err != nil {
		return nil, err
	}
	if cfg.Status, err = statuses(p.status); err != nil {
		return nil, fmt.Errorf("-status=%s: %w", p.status, err)
	}
	if p.contains != "" {
		cfg.Check = contains(p.contains)
	}
	client, err := httpload.New(cfg)
	return &service{client, targets, p}, err
}

func (p *protocol) readTargets(args []string) (*httpload.Targets, error) {
	switch {
	case p.targets != "" && len(args) > 0:
		return nil, errors.New("-targets has the URLs: give none beside it")
	case p.targets != "" && p.method+p.body != "":
		return nil, errors.New("-method and -body are of a URL, and -targets has its own")
	case p.targets != "":
		p.where = p.targets
		return httpload.ReadFile(p.targets)
	case len(args) != 1:
		return nil, fmt.Errorf("one URL is needed, or -targets=FILE, and %d are given", len(args))
	}
	body, err := command.Body(p.body)
	if err != nil {
		return nil, err
	}
	target := httpload.Target{Method: p.method, URL: args[0], Body: body}
	if target.Method == "" && p.body != "" {
		target.Method = http.MethodPost
	}
	if u, err := url.Parse(args[0]); err == nil {
		p.where = u.Redacted()
	}
	return httpload.List(target)
}

// statuses reads right statuses.
func statuses(text string) (right func(status int) bool, err error) {
	var known [600]bool
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		first, last := one, one
		if class, is := strings.CutSuffix(one, "xx"); is {
			first, last = class+"00", class+"99"
		}
		from, err := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		if err != nil || from < 100 || to >= len(known) {
			return nil, fmt.Errorf("%q is not a status, as in 200 or 2xx", one)
		}
		for status := from; status <= to; status++ {
			known[status] = true
		}
	}
	return func(status int) bool { return status >= 0 && status < len(known) && known[status] }, nil
}

func contains(text string) func(httpload.Reply) error {
	wanted, err := []byte(text), fmt.Errorf("the body does not contain %q", text)
	return func(r httpload.Reply) error {
		if bytes.Contains(r.Body, wanted) {
			return nil
		}
		return err
	}
}

// service is the client as a command has it.
type service struct {
	*httpload.Client
	targets *httpload.Targets
	*protocol
}

// Name implements command.Service.
func (*service) Name() string { return "HTTP" }

// Facts implements command.Service.
func (s *service) Facts() map[string]string {
	return map[string]string{"targets": s.where, "http": strconv.Itoa(s.version), "endpoints": strings.Join(s.targets.Endpoints(), ", ")}
}

// Endpoints implements command.Service.
func (s *service) Endpoints() []string { return s.targets.Endpoints() }

// Connect implements command.Service.
func (s *service) Connect(ctx context.Context) error {
	return command.Distrust(s.Client.Connect(ctx), httpload.ErrCertificate)
}

// Close implements command.Service.
func (s *service) Close() error {
	s.Client.Close()
	return s.targets.Close()
}
