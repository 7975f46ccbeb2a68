// Package grpcload loads the methods of a gRPC server without code that was generated for
// them. It is for tests of a service, and for commands. Methods are known by the server's
// reflection, a descriptor set or .proto files, and requests are given in JSON. They are encoded
// once, before the load, and replies are not decoded unless a Check wants them, so that a call
// costs no more than one of generated code.
//
//	client, err := grpcload.Dial(ctx, grpcload.Config{
//		Address: "localhost:50051",
//		Targets: []grpcload.Target{{Method: "helloworld.Greeter/SayHello", Request: `{"name":"you"}`}},
//	})
//	...
//	defer client.Close()
//	result, err := client.Run(ctx, loadgen.Config{Workers: 100, Schedule: loadgen.Constant(500), Duration: time.Minute})
package grpcload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/loadgen/grpcload/internal/schema"
	"github.com/rpcbench/rpcbench/loadgen/internal/probe"
)

// ErrCertificate is what is wrong if the certificate of the server is not trusted.
var ErrCertificate = probe.ErrCertificate

// Client calls the targets of a Config over connections that stay open.
type Client struct {
	conns   []*grpc.ClientConn
	options []grpc.CallOption
	targets []*target
	names   []string // of the parts
	check   func(method string, reply proto.Message) error
}

// patience is how long Dial may take.
const patience = 20 * time.Second

// Dial connects to the server, finds the methods, and encodes the requests, within 20 s and
// as long as ctx lasts. Whatever is wrong with cfg, or with how the server is reached, is an
// error of Dial, in a sentence.
//
// Connections ignore proxies of the environment and what name servers say of a service. Calls
// that fail are not made again, but for those that a server has certainly not seen. They fail
// while there is no connection; where one breaks, a new one is tried for once a second.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	c, err := dial(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("grpcload: %w", err)
	}
	return c, nil
}

func dial(ctx context.Context, cfg Config) (*Client, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	known, err := cfg.Schema.read(ctx)
	if err != nil {
		return nil, err
	}
	if err := probe.Server(ctx, cfg.Address, cfg.TLS, true); err != nil {
		return nil, err
	}
	c := &Client{check: cfg.Check, options: callOptions(), names: cfg.Names()}
	err = c.connect(ctx, cfg)
	if err == nil && known == nil {
		known, err = schema.Ask(metadata.NewOutgoingContext(ctx, cfg.Metadata), c.conns[0])
	}
	if err == nil {
		err = c.prepare(cfg, known)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// read returns what files say; nil if the server is to be asked.
func (s Schema) read(ctx context.Context) (*schema.Schema, error) {
	switch {
	case s.Descriptors != "":
		return schema.Read(s.Descriptors)
	case len(s.Protos) > 0:
		return schema.Compile(ctx, s.Protos, s.Imports)
	}
	return nil, nil
}

// connect makes the connections, and returns when all can be used.
func (c *Client) connect(ctx context.Context, cfg Config) error {
	for range max(cfg.Conns, 1) {
		conn, err := grpc.NewClient("passthrough:///"+cfg.Address, dialOptions(cfg)...)
		if err != nil {
			return err
		}
		c.conns = append(c.conns, conn)
		conn.Connect()
	}
	for _, conn := range c.conns {
		if err := ready(ctx, conn); err != nil {
			return fmt.Errorf("no connection to %s: %w", cfg.Address, err)
		}
	}
	return nil
}

func dialOptions(cfg Config) []grpc.DialOption {
	security := insecure.NewCredentials()
	if cfg.TLS != nil {
		security = credentials.NewTLS(cfg.TLS)
	}
	wait := backoff.DefaultConfig
	wait.BaseDelay, wait.MaxDelay = time.Second/10, time.Second
	return []grpc.DialOption{
		grpc.WithTransportCredentials(security),
		grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(),
		grpc.WithDisableRetry(),
		grpc.WithIdleTimeout(0), // connections stay open between runs
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: wait, MinConnectTimeout: patience}),
	}
}

// ready returns when the connection can be used.
func ready(ctx context.Context, conn *grpc.ClientConn) error {
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if state == connectivity.TransientFailure {
			return errors.New("it was closed at once")
		}
		if !conn.WaitForStateChange(ctx, state) {
			return ctx.Err()
		}
	}
	return nil
}

// Close closes the connections. Calls under way fail.
func (c *Client) Close() error {
	var all error
	for _, conn := range c.conns {
		all = errors.Join(all, conn.Close())
	}
	return all
}
