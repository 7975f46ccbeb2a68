package grpcload_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
)

// service answers with as many bytes, messages or failures as it is asked for.
type service struct {
	grpc_testing.UnimplementedTestServiceServer

	mu    sync.Mutex
	calls map[string]int // by what was said of a call: the key "said" of its metadata
}

func (s *service) UnaryCall(ctx context.Context, in *grpc_testing.SimpleRequest) (*grpc_testing.SimpleResponse, error) {
	s.count(ctx)
	if code := in.GetResponseStatus().GetCode(); code != 0 {
		return nil, status.Error(codes.Code(code), in.ResponseStatus.Message)
	}
	return &grpc_testing.SimpleResponse{Payload: &grpc_testing.Payload{Body: make([]byte, in.ResponseSize)}}, nil
}

func (s *service) StreamingOutputCall(in *grpc_testing.StreamingOutputCallRequest, stream grpc.ServerStreamingServer[grpc_testing.StreamingOutputCallResponse]) error {
	for _, p := range in.ResponseParameters {
		if err := stream.Send(&grpc_testing.StreamingOutputCallResponse{Payload: &grpc_testing.Payload{Body: make([]byte, p.Size)}}); err != nil {
			return err
		}
	}
	return nil
}

func (s *service) count(ctx context.Context) {
	md, _ := metadata.FromIncomingContext(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, said := range md["said"] {
		s.calls[said]++
	}
}

// serve serves with reflection.
func serve(t *testing.T, options ...grpc.ServerOption) (*service, string) {
	return serveWith(t, func(s *grpc.Server) { reflection.Register(s) }, options...)
}

// serveWith serves with what register adds.
func serveWith(t *testing.T, register func(*grpc.Server), options ...grpc.ServerOption) (*service, string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s, server := &service{calls: map[string]int{}}, grpc.NewServer(options...)
	grpc_testing.RegisterTestServiceServer(server, s)
	register(server)
	go server.Serve(listener) // returns when the server is stopped
	t.Cleanup(server.Stop)
	return s, listener.Addr().String()
}

// certified is the option of a server with TLS, and what its clients trust.
func certified(t *testing.T) (grpc.ServerOption, *tls.Config) {
	borrowed := httptest.NewTLSServer(nil)
	t.Cleanup(borrowed.Close)
	trusted := x509.NewCertPool()
	trusted.AddCert(borrowed.Certificate())
	return grpc.Creds(credentials.NewServerTLSFromCert(&borrowed.TLS.Certificates[0])), &tls.Config{RootCAs: trusted}
}
