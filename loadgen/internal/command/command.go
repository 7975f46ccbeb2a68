// Package command is what the commands have in common that load a server: how much load, for how
// long, what has to hold, where the results go, and how it ends.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Protocol is a way to call servers.
type Protocol interface {
	// Usage is the first lines of the help. They begin with the command's name.
	Usage() string
	// Flags adds the flags of the protocol.
	Flags(fs *flag.FlagSet) commandline.Subject
	// Open returns what is called with the arguments that are no flags. Its error is one of the
	// command line, or of a file that it names.
	Open(args []string) (Service, error)
}

// Service is what is called.
type Service interface {
	// Name is as in "HTTP", and Facts go into records.
	Name() string
	Facts() map[string]string
	// Endpoints are the names of what is called, one at least. Each of several has results of
	// its own.
	Endpoints() []string
	// Connect fails if the servers cannot be called. It makes no call.
	Connect(ctx context.Context) error
	Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error)
	Close() error
}

// The exit codes.
const (
	exitFailed      = 1 // a condition that is not met, or a load that could not be made
	exitUsage       = 2
	exitInterrupted = 130 // as a shell has it of SIGINT
)

// Main runs a command and returns its exit code.
func Main(p Protocol) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	log.SetOutput(io.Discard)    // net/http says there what servers send that nobody has asked for
	return Run(ctx, p, os.Args[1:], os.Stdout, os.Stderr)
}

// Run runs a command until it is over, or ctx is.
func Run(ctx context.Context, p Protocol, args []string, stdout, stderr io.Writer) (exitCode int) {
	l := &load{stdout: stdout, stderr: stderr}
	name, _, _ := strings.Cut(p.Usage(), " ")
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "%s: %s\n", name, foreign.Line(sentence(err)))
		return code
	}
	service, err := l.openUntil(ctx, p, name, args)
	switch {
	case err != nil && ctx.Err() != nil:
		return fail(exitInterrupted, errInterrupted)
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return fail(exitUsage, err)
	}
	defer service.Close()
	err = l.run(ctx, service)
	switch {
	case ctx.Err() != nil:
		return fail(exitInterrupted, errInterrupted)
	case err != nil:
		return fail(exitFailed, err)
	}
	return 0
}

var errInterrupted = errors.New("interrupted")

// openUntil is open, unless ctx is over first: what is read may be a pipe without an end.
func (l *load) openUntil(ctx context.Context, p Protocol, name string, args []string) (Service, error) {
	done := make(chan struct{})
	var opened Service
	var failed error
	go func() {
		defer close(done)
		opened, failed = l.open(p, name, args)
	}()
	select {
	case <-done:
		return opened, failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// sentence is an error without the package that it comes from, which a user has not called.
func sentence(err error) string {
	from, text, found := strings.Cut(err.Error(), ": ")
	if found && slices.Contains([]string{"loadgen", "httpload", "grpcload", "agent", "record"}, from) {
		return text
	}
	return err.Error()
}

// open reads the command line and all that is known before the first connection.
func (l *load) open(p Protocol, name string, args []string) (Service, error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	own := p.Flags(fs)
	l.register(fs)
	others, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		if _, failed := fmt.Fprintf(l.stdout, "Usage: %s%s", p.Usage(), commandline.Help(fs, append([]commandline.Subject{own}, subjects()...)...)); failed != nil {
			return nil, failed
		}
	}
	if err == nil {
		err = l.check(fs)
	}
	if err != nil {
		return nil, err
	}
	service, err := p.Open(others)
	if err != nil {
		return nil, err
	}
	if err := l.checkEndpoints(service.Endpoints()); err != nil {
		service.Close()
		return nil, err
	}
	return service, nil
}

// parse reads flags, which may stand behind other arguments, and returns those.
func parse(fs *flag.FlagSet, args []string) (others []string, err error) {
	for {
		if err := commandline.Parse(fs, args, nil); err != nil || fs.NArg() == 0 {
			return others, err
		}
		others, args = append(others, fs.Arg(0)), fs.Args()[1:]
	}
}
