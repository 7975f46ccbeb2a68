package own

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/server"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/rpcbench/rpcbench/loadgen"
)

// overHTTP returns a call with the standard library's client, which keeps a connection for
// each call in flight.
func overHTTP(t tool.Target) (call loadgen.Call, stop func()) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = workers, workers
	client, url := &http.Client{Transport: transport}, "http://"+t.Address+"/"
	return func(ctx context.Context, _ int) error {
		r, err := request(ctx, url, t.Post)
		if err != nil {
			return err
		}
		reply, err := client.Do(r)
		if err != nil {
			return err
		}
		return check(reply)
	}, transport.CloseIdleConnections
}

func request(ctx context.Context, url string, post bool) (*http.Request, error) {
	if post {
		return http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("a call"))
	}
	return http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
}

// check reads a reply and returns an error unless it is the right one.
func check(reply *http.Response) error {
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", reply.Status)
	}
	if string(body) != server.Body {
		return fmt.Errorf("body %q instead of %q", body, server.Body)
	}
	return nil
}
