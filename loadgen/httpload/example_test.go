package httpload_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/httpload"
)

// shop stands for a service, which runs in a process of its own.
func shop() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "hello "+r.URL.Path)
	}))
}

// How long do users wait for a page at 500 requests a second?
func ExampleGet() {
	server := shop()
	defer server.Close()
	client, err := httpload.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	res, err := client.Run(context.Background(), loadgen.Config{
		Workers:  50,
		Schedule: loadgen.Constant(500),
		Duration: 100 * time.Millisecond,
	})
	if err == nil {
		err = res.Require("p50<30s", "errors=0")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "requests") // fmt.Println(res) prints percentiles and warnings
	// Output: 50 requests
}

// Two endpoints are requested in turn, and each has results of its own. Replies are judged.
func ExampleNew() {
	server := shop()
	defer server.Close()
	targets, err := httpload.List(
		httpload.Target{URL: server.URL + "/users/7"},
		httpload.Target{Method: http.MethodPost, URL: server.URL + "/users", Body: []byte(`{"name":"you"}`)},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := httpload.New(httpload.Config{
		Targets: targets,
		Check: func(r httpload.Reply) error {
			if want := "hello /users"; string(r.Body) != want {
				return fmt.Errorf("the reply is not %q", want)
			}
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	res, err := client.Run(context.Background(), loadgen.Config{Workers: 4, Schedule: loadgen.ClosedLoop, Calls: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range res.Parts {
		fmt.Println(p.Name, p.Result.OK, "ok,", p.Result.Failures())
	}
	// Output:
	// GET /users/* 0 ok, 10 × the reply is not "hello /users"
	// POST /users 10 ok,
}
