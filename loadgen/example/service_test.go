// Package example shows how the author of a service measures it with loadgen,
// in tests and benchmarks of their own.
package example

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// service is what is measured. A real one runs in a process of its own, so
// that it does not compete with its load for one Go scheduler.
func service(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// call makes one request to the service and checks the reply.
func call(server *httptest.Server) loadgen.Call {
	server.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = 100
	return func(ctx context.Context, _ int) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			return err
		}
		response, err := server.Client().Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err == nil && string(body) != "hello" {
			err = errors.New("wrong reply")
		}
		return err
	}
}

// BenchmarkClosed asks how much 10 callers get done.
func BenchmarkClosed(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(service))
	defer server.Close()
	loadbench.Run(b, loadgen.Config{Workers: 10, Schedule: loadgen.ClosedLoop}, call(server))
}

// BenchmarkOpen asks how long users wait at 500 calls/s.
func BenchmarkOpen(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(service))
	defer server.Close()
	loadbench.Run(b, loadgen.Config{Workers: 100, Schedule: loadgen.Poisson(500, 1)}, call(server))
}

// TestHoldsItsRate is a load test: of 200 calls/s none fails, and users rarely wait for long.
// For a service over HTTP, package httpload has the calls. Give -count=1 where the server is no
// part of the test, or go test prints an earlier success again.
func TestHoldsItsRate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(service))
	defer server.Close()
	res, err := loadgen.Run(t.Context(), loadgen.Config{
		Workers: 100, Schedule: loadgen.Constant(200), Duration: time.Second, Timeout: 10 * time.Second,
	}, call(server))
	if err == nil {
		err = res.Require("p90<5s", "errors=0", "dropped=0")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Log(res)
}
