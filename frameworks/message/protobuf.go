// Package message makes exchanges of messages that protobuf-go has generated, which the
// adapters' functions Sending take.
package message

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Samples are messages of a user's own.
type Samples struct {
	// Name is the value of the key msg=, as in "Order".
	Name string
	// Requests and Replies are encoded messages, each after its length as a varint. Without
	// Replies the server sends the request back.
	Requests, Replies []byte
	// Field is the name of the field of a request that holds the Number of a call, and
	// ReplyField that of a reply; "" for none. A reply that is the request has the same
	// field. It is a number, a string or bytes, outside of lists, maps and oneofs. A
	// long string takes longest, since each call copies it.
	Field, ReplyField string
}

// Protobuf makes an exchange of the generated structs Q and R. If the samples are not right,
// its Fault says why.
func Protobuf[Q, R any](s Samples) message.Exchange[Q, R] {
	x := message.Exchange[Q, R]{
		Name:  s.Name,
		Clone: func(m *Q) *Q { return any(proto.Clone(protoOf(m))).(*Q) },
		Equal: func(got, want *R) bool { return proto.Equal(protoOf(got), protoOf(want)) },
	}
	if x.Fault = readBoth(&x, s); x.Fault == nil {
		x.Fault = findMarks(&x, s)
	}
	measure(&x)
	return x
}

// readBoth reads the samples.
func readBoth[Q, R any](x *message.Exchange[Q, R], s Samples) (err error) {
	if x.Requests, err = read[Q](s.Requests); err != nil {
		return fmt.Errorf("requests: %w", err)
	}
	if s.Replies == nil {
		replies, ok := any(x.Requests).([]*R)
		if !ok {
			return errors.New("there are no replies, and a request is not one")
		}
		x.Share = sharer(replies)
		return nil
	}
	if x.Replies, err = read[R](s.Replies); err != nil {
		return fmt.Errorf("replies: %w", err)
	}
	x.Replies = several(x.Replies)
	x.Share = sharer(x.Replies)
	return nil
}

// fewest is how many replies a server has at least. Its calls share the messages within them,
// in which an encoder notes sizes: CPUs that encode one at once would wait for each other.
const fewest = 64

// several are the messages of a list, over and over until there are enough.
func several[M any](list []*M) []*M {
	for i := 0; len(list) > 0 && len(list) < fewest; i++ {
		list = append(list, any(proto.Clone(protoOf(list[i]))).(*M))
	}
	return list
}

// measure notes the sizes of messages with the number of a call.
func measure[Q, R any](x *message.Exchange[Q, R]) {
	var largest int
	x.Size, x.Largest = sizes(x.Requests, x.Request)
	x.ReplySize = x.Size
	if x.Replies != nil {
		x.ReplySize, largest = sizes(x.Replies, x.Reply)
		x.Largest = max(x.Largest, largest)
	}
}

// sizes are the mean and the largest of encoded messages in bytes.
func sizes[M any](list []*M, mark message.Mark[M]) (mean, largest int) {
	sum := 0
	for _, m := range list {
		if mark.Set != nil {
			m = any(proto.Clone(protoOf(m))).(*M)
			mark.Set(m, message.Number(0, 1))
		}
		size := proto.Size(protoOf(m))
		sum, largest = sum+size, max(largest, size)
	}
	return sum / max(len(list), 1), largest
}

// findMarks finds the fields that hold numbers. Replies share memory with samples, and requests
// do not.
func findMarks[Q, R any](x *message.Exchange[Q, R], s Samples) (err error) {
	if s.Replies == nil {
		s.ReplyField = s.Field
	}
	if s.Field == "" || s.ReplyField == "" {
		return nil
	}
	if x.Request, err = markOf[Q](s.Field, true); err != nil {
		return err
	}
	x.Reply, err = markOf[R](s.ReplyField, false)
	return err
}

// protoOf is a generated struct as the library has it.
func protoOf[M any](m *M) proto.Message { return any(m).(proto.Message) }

// read reads encoded messages.
func read[M any](data []byte) (list []*M, err error) {
	for r := bytes.NewReader(data); ; {
		m := new(M)
		err := protodelim.UnmarshalOptions{MaxSize: -1}.UnmarshalFrom(r, protoOf(m))
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", len(list)+1, err)
		}
		list = append(list, m)
	}
}
