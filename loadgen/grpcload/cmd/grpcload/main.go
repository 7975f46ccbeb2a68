// Grpcload calls methods of a gRPC server at a rate, or from callers that wait, and tells how
// long users wait. It needs no code of the methods: the server's reflection tells of them, or a
// descriptor set or .proto files.
//
//	grpcload -rate=500 -for=30s -require='p99<200ms,errors<0.1%' -body='{"name": "you"}' localhost:50051 helloworld.Greeter/SayHello
//	grpcload -rate=500 -targets=targets.json -descriptor=service.binpb localhost:50051
//
// -targets has a target a line, see package grpcload, and each method has results of its own.
// How much load, results and exit codes are those of the command load.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/loadgen/grpcload"
	"github.com/rpcbench/rpcbench/loadgen/internal/command"
	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
)

func main() { os.Exit(command.Main(new(protocol))) }

// protocol is gRPC as the flags have it.
type protocol struct {
	config        grpcload.Config
	targets, body string
	secure        bool
	trust         command.Trust
	contains      string
}

// Usage implements command.Protocol.
func (*protocol) Usage() string {
	return `grpcload -rate=500 [flags] HOST:PORT PACKAGE.SERVICE/METHOD
       grpcload -rate=500 [flags] -targets=FILE HOST:PORT

Calls methods of a gRPC server at a rate, and tells how long users wait for the replies.
`
}

// Flags implements command.Protocol.
func (p *protocol) Flags(fs *flag.FlagSet) commandline.Subject {
	fs.StringVar(&p.targets, "targets", "", "`file` with a target a line, as in {\"method\": \"a.B/C\", \"request\": {}}, which are called in turn; - is standard input")
	fs.StringVar(&p.body, "body", "", "`request` of the method, in JSON; @FILE is the text of a file; without it an empty message")
	fs.Func("metadata", "a `line` as in 'authorization: Bearer x', of each call; more than one may be given", command.Pair("authorization: Bearer x", p.addMetadata))
	fs.StringVar(&p.config.Schema.Descriptors, "descriptor", "", "`file` that protoc --include_imports -o wrote, for a server without reflection")
	fs.Func("proto", "a .proto `file` with the service, instead; more than one may be given", added(&p.config.Schema.Protos))
	fs.Func("I", "a `directory` of what the files of -proto import; more than one may be given", added(&p.config.Schema.Imports))
	fs.IntVar(&p.config.Conns, "conns", 1, "`connections` to the server")
	fs.BoolVar(&p.secure, "tls", false, "connect with TLS, as with -ca and -insecure")
	p.trust.Flags(fs)
	fs.StringVar(&p.contains, "contains", "", "`text` that each reply must contain as JSON without spaces, as in '\"status\":\"SERVING\"'")
	return commandline.Subject{Title: "Requests", Flags: []string{"targets", "body", "metadata", "descriptor", "proto", "I", "conns", "tls", "ca", "insecure", "contains"}}
}

func added(list *[]string) func(string) error {
	return func(one string) error {
		*list = append(*list, one)
		return nil
	}
}

func (p *protocol) addMetadata(key, value string) {
	if p.config.Metadata == nil {
		p.config.Metadata = metadata.MD{}
	}
	p.config.Metadata.Append(key, value)
}

// Open implements command.Protocol.
func (p *protocol) Open(args []string) (_ command.Service, err error) {
	if err := p.readTargets(args); err != nil {
		return nil, err
	}
	if p.config.Conns < 1 {
		return nil, fmt.Errorf("-conns=%d: must be more than 0", p.config.Conns)
	}
	if p.secure || p.trust != (command.Trust{}) {
		if p.config.TLS, err = p.trust.Config(); err != nil {
			return nil, err
		}
	}
	if p.contains != "" {
		p.config.Check = contains(p.contains)
	}
	return &service{config: p.config, names: p.config.Names()}, nil
}

func (p *protocol) readTargets(args []string) (err error) {
	switch {
	case p.targets != "" && len(args) != 1:
		return fmt.Errorf("one address is needed, as in localhost:50051, since -targets has the methods, and %d arguments are given", len(args))
	case p.targets != "" && p.body != "":
		return errors.New("-body is of a method, and -targets has its own")
	case p.targets == "" && len(args) != 2:
		return fmt.Errorf("an address and a method are needed, as in localhost:50051 package.Service/Method, and %d arguments are given", len(args))
	}
	p.config.Address = args[0]
	if p.targets != "" {
		p.config.Targets, err = grpcload.ReadFile(p.targets)
		return err
	}
	body, err := command.Body(p.body)
	p.config.Targets = []grpcload.Target{{Method: args[1], Request: string(body), Where: args[1]}}
	return err
}

// contains looks for a text in replies. protojson puts spaces where it likes.
func contains(text string) func(string, proto.Message) error {
	wanted, wrong := []byte(text), fmt.Errorf("the reply does not contain %q", text)
	return func(_ string, reply proto.Message) error {
		spaced, err := protojson.Marshal(reply)
		if err != nil {
			return err
		}
		var dense bytes.Buffer
		if err := json.Compact(&dense, spaced); err != nil {
			return err
		}
		if !bytes.Contains(dense.Bytes(), wanted) {
			return wrong
		}
		return nil
	}
}

// service is a server as a command has it.
type service struct {
	*grpcload.Client // nil until Connect
	config           grpcload.Config
	names            []string
}

// Name implements command.Service.
func (*service) Name() string { return "gRPC" }

// Facts implements command.Service.
func (s *service) Facts() map[string]string {
	return map[string]string{"server": s.config.Address, "methods": strings.Join(s.names, ", "), "conns": strconv.Itoa(s.config.Conns)}
}

// Endpoints implements command.Service.
func (s *service) Endpoints() []string { return s.names }

// Connect implements command.Service.
func (s *service) Connect(ctx context.Context) (err error) {
	s.Client, err = grpcload.Dial(ctx, s.config)
	s.config.Targets = nil // a file may have millions, which the client has in fewer bytes
	return command.Distrust(err, grpcload.ErrCertificate)
}

// Close implements command.Service.
func (s *service) Close() error {
	if s.Client == nil {
		return nil
	}
	return s.Client.Close()
}
