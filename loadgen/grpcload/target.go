package grpcload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rpcbench/rpcbench/loadgen/grpcload/internal/schema"
)

// target is a Target that is ready to be sent.
type target struct {
	*method
	part     int
	request  mem.Buffer
	metadata metadata.MD
}

// method is what targets of one method share.
type method struct {
	name           string // as in Target
	path           string // as on the wire
	stream         bool   // of replies
	request, reply protoreflect.MessageDescriptor
}

// prepare makes the targets of a Config ready.
func (c *Client) prepare(cfg Config, known *schema.Schema) error {
	methods, parts := map[string]*method{}, map[string]int{}
	for i, name := range c.names {
		parts[name] = i
	}
	for i, t := range cfg.Targets {
		ready, err := encode(t, methods, known)
		if err != nil {
			return fmt.Errorf("%s: %w", cmp.Or(t.Where, fmt.Sprintf("Targets[%d]", i)), err)
		}
		ready.metadata = both(cfg.Metadata, t.Metadata)
		ready.part = parts[t.part()]
		c.targets = append(c.targets, ready)
	}
	return nil
}

// encode makes a target ready to be sent. Methods that were found are kept.
func encode(t Target, methods map[string]*method, known *schema.Schema) (*target, error) {
	if err := checkMetadata(t.Metadata); err != nil {
		return nil, err
	}
	m := methods[t.Method]
	if m == nil {
		found, err := callable(known, t.Method)
		if err != nil {
			return nil, err
		}
		m, methods[t.Method] = found, found
	}
	request, err := marshal(t.Request, m.request, known.Types())
	if err != nil {
		return nil, fmt.Errorf("the request is no %s: %s", m.request.FullName(), plain(err))
	}
	return &target{method: m, request: mem.SliceBuffer(request)}, nil
}

// callable finds a method with one request.
func callable(known *schema.Schema, name string) (*method, error) {
	m, err := known.Method(name)
	if err != nil {
		return nil, err
	}
	if m.IsStreamingClient() {
		return nil, fmt.Errorf("%s takes a stream of requests: only methods with one request can be called", name)
	}
	path := fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name())
	return &method{name, path, m.IsStreamingServer(), m.Input(), m.Output()}, nil
}

// marshal encodes a message that is given in JSON.
func marshal(text string, m protoreflect.MessageDescriptor, types schema.Types) ([]byte, error) {
	message := dynamicpb.NewMessage(m)
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	if err := (protojson.UnmarshalOptions{Resolver: types}).Unmarshal([]byte(text), message); err != nil {
		return nil, err
	}
	return proto.Marshal(message)
}

// plain is the text of an error without the name of the module, after which there may be a
// space of either kind.
func plain(err error) string {
	return strings.TrimLeft(strings.TrimPrefix(err.Error(), "proto:"), " \u00a0")
}

// both is what is in one or the other. Most targets share that of the Config.
func both(all, own metadata.MD) metadata.MD {
	if len(own) == 0 {
		return all
	}
	return metadata.Join(all, own)
}

func callOptions() []grpc.CallOption {
	return []grpc.CallOption{grpc.ForceCodecV2(codec{}), grpc.MaxCallRecvMsgSize(math.MaxInt32)}
}

// call makes one call, and keeps its replies if kept is not nil.
func (t *target) call(ctx context.Context, conn *grpc.ClientConn, options []grpc.CallOption, kept *replies) (err error) {
	if len(t.metadata) > 0 {
		ctx = metadata.NewOutgoingContext(ctx, t.metadata)
	}
	if t.stream {
		err = t.receive(ctx, conn, options, kept)
	} else {
		err = conn.Invoke(ctx, t.path, t.request, kept, options...)
	}
	if err == nil {
		return nil
	}
	if deadline, is := ctx.Deadline(); is && !time.Now().Before(deadline) {
		return errTimeout
	}
	return &callError{err}
}

// errTimeout has one text, where grpc has several, by who sees first that the time is over.
var errTimeout = fmt.Errorf("%v: %w", codes.DeadlineExceeded, context.DeadlineExceeded)

// receive makes a call whose replies are a stream.
func (t *target) receive(ctx context.Context, conn *grpc.ClientConn, options []grpc.CallOption, kept *replies) error {
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, t.path, options...)
	if err != nil {
		return err
	}
	if err := stream.SendMsg(t.request); err == nil {
		stream.CloseSend() // returns no error
	} else if !errors.Is(err, io.EOF) { // which says that RecvMsg knows more
		return err
	}
	for err == nil {
		err = stream.RecvMsg(kept)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// judge decodes replies and has check judge them.
func (t *target) judge(kept replies, check func(string, proto.Message) error) error {
	for _, data := range kept {
		reply := dynamicpb.NewMessage(t.reply)
		if err := proto.Unmarshal(data, reply); err != nil {
			return fmt.Errorf("the reply is no %s: %s", t.reply.FullName(), plain(err))
		}
		if err := check(t.name, reply); err != nil {
			return err
		}
	}
	return nil
}

// callError is the error of a call. Its text begins with the name of the code, as in
// "Unavailable: connection refused", so that kinds of errors are told by it.
type callError struct{ err error }

func (e *callError) Error() string {
	s := status.Convert(e.err)
	return s.Code().String() + ": " + s.Message()
}

// Unwrap returns the error of grpc.
func (e *callError) Unwrap() error { return e.err }
