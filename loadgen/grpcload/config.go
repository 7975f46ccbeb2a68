package grpcload

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// Config says which server is called, and with what. Address and Targets must be set; the
// zero value of every other field is a good choice.
type Config struct {
	// Address is the server's, as in "localhost:50051" or "[::1]:50051". If its host has
	// several addresses, all connections use the first that accepts one.
	Address string
	// TLS is used if it is not nil. The server's name, if it is empty, is the host of
	// Address.
	TLS *tls.Config
	// Schema says where methods and messages are described; the zero value asks the
	// server.
	Schema Schema
	// Targets are called in turn: the call of number k, see loadgen.Arrival, is of target k
	// modulo their number.
	Targets []Target
	// Conns is the number of connections, over which workers are spread; 0 stands for 1.
	// A server may bound the calls in flight of a connection, many to 100: further ones
	// wait, and their wait is part of their service.
	Conns int
	// Metadata goes with each call, those of reflection included. Keys are in lower case.
	Metadata metadata.MD
	// Check judges a reply, decoded, of the method that a target named; its error makes the
	// call a failed one. Each message of a stream is judged by itself, when the stream has
	// ended; until then all are kept. Check runs in many goroutines at once, after the end of
	// the call was taken. Without it replies are not decoded, and any is good.
	Check func(method string, reply proto.Message) error
}

// Schema says where methods are described: in Descriptors, or in Protos, or with neither by
// the server's reflection.
type Schema struct {
	// Descriptors is a file that protoc --include_imports -o wrote, or buf build.
	Descriptors string
	// Protos are .proto files, and Imports the directories of what they import; without
	// any, the directories of Protos. The files of google/protobuf need not be there.
	Protos, Imports []string
}

// Target is a method and what is sent to it.
type Target struct {
	// Method is one of a request and a reply, or of a request and a stream of replies,
	// which is read to its end. Its name is like "package.Service/Method".
	Method string
	// Request is the message in JSON, as Protocol Buffers define it. Empty stands for an
	// empty message.
	Request string
	// Metadata is sent beside that of Config.
	Metadata metadata.MD
	// Name tells the part of the results in which the calls of the target count; empty
	// stands for Method. Targets may share a name.
	Name string
	// Where tells the place where the target was read, as in "targets.json:3", for errors;
	// empty stands for the index of the target.
	Where string
}

// Names returns the names of the parts that Result.Parts has if they are several, in the
// order of Targets.
func (c Config) Names() (names []string) {
	known := map[string]bool{}
	for _, t := range c.Targets {
		if name := t.part(); !known[name] {
			known[name] = true
			names = append(names, name)
		}
	}
	return names
}

// part is the name of the part in which the calls of a target count.
func (t Target) part() string { return cmp.Or(t.Name, strings.TrimPrefix(t.Method, "/")) }

// maxParts is how many calls a loadgen.Mix may have.
const maxParts = 256

func (c Config) validate() error {
	host, port, err := net.SplitHostPort(c.Address)
	switch {
	case err != nil || host == "" || port == "" || strings.Contains(c.Address, "/"):
		return fmt.Errorf("the address %q is not of a host and a port: it looks like localhost:50051", c.Address)
	case len(c.Targets) == 0:
		return errors.New("there is no target: name a method to call")
	case len(c.Names()) > maxParts:
		return fmt.Errorf("the targets have %d names: at most %d have results of their own, so give some the same", len(c.Names()), maxParts)
	case c.Conns < 0:
		return fmt.Errorf("%d connections cannot be made: 0 stands for 1", c.Conns)
	case c.Schema.Descriptors != "" && len(c.Schema.Protos) > 0:
		return errors.New("the schema is a descriptor set and .proto files: give one of them")
	case len(c.Schema.Imports) > 0 && len(c.Schema.Protos) == 0:
		return errors.New("there are directories of imports, but no .proto file that imports")
	}
	return checkMetadata(c.Metadata)
}

// checkMetadata returns an error for what grpc refuses to send, or leaves out, in each call.
func checkMetadata(md metadata.MD) error {
	for key, values := range md {
		if key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
			return fmt.Errorf("the metadata key %q has other characters than a-z, 0-9, ., - and _", key)
		}
		if strings.HasPrefix(key, "grpc-") || key == "content-type" || key == "te" || key == "user-agent" {
			return fmt.Errorf("the metadata key %q is gRPC's own", key)
		}
		for _, value := range values {
			if !strings.HasSuffix(key, "-bin") && strings.ContainsFunc(value, unprintable) {
				return fmt.Errorf("the value %q of the metadata key %q is not printable ASCII: a key that ends in -bin may have any", value, key)
			}
		}
	}
	return nil
}

func unprintable(r rune) bool { return r < ' ' || r > '~' }
