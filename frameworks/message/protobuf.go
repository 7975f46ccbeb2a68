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

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
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
	// field. It is a number, a string or bytes, outside of lists, maps and oneofs.
	Field, ReplyField string
}

// Protobuf makes an exchange of the generated structs Q and R. If the samples are not right,
// its Fault says why.
func Protobuf[Q, R any](s Samples) framework.Exchange[Q, R] {
	x := framework.Exchange[Q, R]{
		Name:  s.Name,
		Clone: func(m *Q) *Q { return any(proto.Clone(message(m))).(*Q) },
		Equal: func(got, want *R) bool { return proto.Equal(message(got), message(want)) },
	}
	if x.Fault = readBoth(&x, s); x.Fault == nil {
		x.Fault = findMarks(&x, s)
	}
	return x
}

// readBoth reads the samples.
func readBoth[Q, R any](x *framework.Exchange[Q, R], s Samples) (err error) {
	if x.Requests, x.Size, err = read[Q](s.Requests); err != nil {
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
	if x.Replies, _, err = read[R](s.Replies); err != nil {
		return fmt.Errorf("replies: %w", err)
	}
	x.Share = sharer(x.Replies)
	return nil
}

// findMarks finds the fields that hold numbers. Replies share memory with samples, and requests
// do not.
func findMarks[Q, R any](x *framework.Exchange[Q, R], s Samples) (err error) {
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

// message is a generated struct as the library has it.
func message[M any](m *M) proto.Message { return any(m).(proto.Message) }

// read reads encoded messages, and returns their mean size in bytes.
func read[M any](data []byte) (list []*M, size int, err error) {
	for r := bytes.NewReader(data); ; {
		m := new(M)
		err := protodelim.UnmarshalOptions{MaxSize: -1}.UnmarshalFrom(r, message(m))
		if errors.Is(err, io.EOF) {
			return list, size / max(len(list), 1), nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("sample %d: %w", len(list)+1, err)
		}
		list, size = append(list, m), size+proto.Size(message(m))
	}
}
