package loadgen_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// call stands for a call of a service.
func call(context.Context, int) error {
	time.Sleep(time.Millisecond)
	return nil
}

// How much do 8 callers get done?
func ExampleRun_closed() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.ClosedLoop,
		Calls:    1000,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "calls", res.Goodput() > 0)
	// Output: 1000 calls true
}

// How long do users wait at 500 calls a second?
func ExampleRun_open() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.Constant(500),
		Duration: 100 * time.Millisecond,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sent, "of", res.Due, "calls were sent")
	fmt.Println(res.Response.Quantile(.99) >= res.Service.Quantile(.5))
	// Output:
	// 50 of 50 calls were sent
	// true
}

// Independent users arrive at random. The same seed makes the same arrivals.
func ExamplePoisson() {
	arrivals := loadgen.Poisson(500, 1).Start()
	for range 3 {
		due, _ := arrivals.Next()
		fmt.Println(due.Round(time.Microsecond))
	}
	// Output:
	// 939µs
	// 2ms
	// 4.917ms
}

// A server that cannot keep up gets no more than 10 ms of backlog.
func ExampleConfig_overload() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  1,
		Schedule: loadgen.Constant(10_000),
		Duration: 100 * time.Millisecond,
		MaxLag:   10 * time.Millisecond,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Dropped > 0, res.Sent+res.Dropped == res.Due)
	// Output: true true
}

// A run ends as soon as the median is known to ±50 %, or after 20 s.
func ExampleConfig_until() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.Poisson(500, 1),
		Duration: time.Minute,
		Until:    loadgen.Precision{Quantile: .5, Within: .5},
		Interval: 10 * time.Millisecond, // 16 of them at least
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range res.Confidence { // empty if the last calls were much slower
		fmt.Fprintf(os.Stderr, "p%g is between %v and %v\n", 100*c.Quantile, c.Low, c.High)
	}
	fmt.Println("ended early:", res.Elapsed < time.Minute)
	// Output: ended early: true
}

// How long do the users of an HTTP service wait at 500 requests a second? A real
// service runs in a process of its own, so that it does not compete with the
// generator for one Go scheduler.
func Example_http() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "hello")
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}} // one for each worker
	get := func(ctx context.Context, _ int) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err == nil && string(body) != "hello" {
			err = fmt.Errorf("the service answered %q", body)
		}
		return err
	}
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  50,
		Schedule: loadgen.Poisson(500, 1),
		Duration: time.Second / 5,
		Timeout:  10 * time.Second,
	}, get)
	if err != nil {
		fmt.Println(err)
		return
	}
	// fmt.Println(res) prints percentiles of response, service and lag.
	fmt.Println(res.Sent, "requests,", res.Failed, "failed")
	// Output: 104 requests, 0 failed
}

// order is a call of an asynchronous API, and what to call when it is done.
type order struct {
	number int
	done   func(error)
}

// An asynchronous API returns at once and says later that a call is done. Workers
// bounds the calls under way.
func ExampleAsyncCall() {
	orders := make(chan order, 100) // the service: it answers each order after a millisecond
	defer close(orders)
	go func() {
		for o := range orders {
			time.AfterFunc(time.Millisecond, func() { o.done(nil) })
		}
	}()
	send := loadgen.AsyncCall(func(_ context.Context, worker int, done func(error)) { orders <- order{worker, done} })
	res, err := send.Run(context.Background(), loadgen.Config{
		Workers:  100,
		Schedule: loadgen.Constant(1000),
		Duration: time.Second / 10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.OK, "orders,", res.Service.Min() >= time.Millisecond)
	// Output: 100 orders, true
}

// A result prints as a report. Here a few calls had to wait before they were sent. A
// question mark says that no interval is known.
func ExampleResult_String() {
	res := &loadgen.Result{Elapsed: 2 * time.Second, Due: 1000, Sent: 1000, OK: 1000}
	res.Response.Record(3*time.Millisecond, 980)
	res.Response.Record(40*time.Millisecond, 20) // these waited 37 ms to be sent
	res.Service.Record(3*time.Millisecond, 1000)
	res.Lag.Record(2*time.Microsecond, 980)
	res.Lag.Record(37*time.Millisecond, 20)
	fmt.Println(res)
	// Output:
	// open loop, 2s: 1000 calls due, 1000 sent, 1000 ok, 0 failed, 0 dropped
	// offered 500 calls/s, goodput 500 calls/s
	//           response   service       lag  95 % of response
	// p50            3ms       3ms       2µs  ?
	// p90            3ms       3ms       2µs
	// p99           40ms       3ms      37ms  ?
	// max           40ms       3ms      37ms
}

// Three of four calls look something up, and one orders it. Each has results of its own.
func ExampleMix() {
	mix := loadgen.Mix{Calls: []loadgen.MixedCall{
		{Name: "look", Weight: 3, Call: call},
		{Name: "order", Weight: 1, Call: call},
	}}
	res, err := mix.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.ClosedLoop,
		Calls:    400,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range res.Parts {
		fmt.Println(p.Name, p.Result.Sent, p.Result.Response.Quantile(.5) >= time.Millisecond)
	}
	// Output:
	// look 299 true
	// order 101 true
}

// In a test, conditions that are not met are an error, which says what the figures were.
func ExampleResult_Require() {
	res, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  8,
		Schedule: loadgen.ClosedLoop,
		Calls:    200,
	}, call)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Require("p50<10s", "errors<0.1%"))
	fmt.Println(res.Require("p50<10s", "calls>=1000"))
	// Output:
	// <nil>
	// loadgen: 1 of 2 conditions not met: calls>=1000: 200 were made
}

// Two processes make the calls of one run, and their results are merged without loss. Package
// agent does this for processes on many machines.
func ExampleShare() {
	whole, sum := loadgen.Constant(1000), new(loadgen.Result)
	for rank := range 2 {
		res, err := loadgen.Run(context.Background(), loadgen.Config{
			Workers:  8,
			Schedule: loadgen.Share(whole, rank, 2),
			Duration: 50 * time.Millisecond,
		}, call)
		if err == nil {
			err = sum.Merge(res)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("rank", rank, "made", res.Sent)
	}
	fmt.Println("together", sum.Sent)
	// Output:
	// rank 0 made 25
	// rank 1 made 25
	// together 50
}

// Requests that were recorded are made again, each when it was made then. OnCall tells a worker
// which of them its call is.
func ExampleTrace() {
	recorded := []string{"/", "/login", "/cart"}
	at := []time.Duration{0, 2 * time.Millisecond, 2 * time.Millisecond}
	number := make([]int64, 2) // of the call of each worker
	made := make([]bool, len(recorded))
	_, err := loadgen.Run(context.Background(), loadgen.Config{
		Workers:  len(number),
		Schedule: loadgen.Trace(at),
		OnCall:   func(worker int, a loadgen.Arrival) { number[worker] = a.Number },
	}, func(_ context.Context, worker int) error {
		made[number[worker]] = true // a request of recorded[number[worker]]
		return nil
	})
	fmt.Println(made, err)
	// Output: [true true true] <nil>
}

// bursts is a Schedule of one's own: some calls are due at once, and as many again after each
// pause.
type bursts struct {
	calls, times int
	pause        time.Duration
}

// Start implements loadgen.Schedule.
func (b bursts) Start() loadgen.Arrivals { return &burst{bursts: b} }

// Validate is called before a run, and its error is that of the run.
func (b bursts) Validate() error {
	if b.calls < 1 || b.pause < 0 {
		return fmt.Errorf("bursts of %d calls every %v", b.calls, b.pause)
	}
	return nil
}

// Finite says that a Config needs neither Calls nor Duration.
func (b bursts) Finite() bool { return true }

// burst is a place in the sequence.
type burst struct {
	bursts
	next int
}

// Next implements loadgen.Arrivals.
func (b *burst) Next() (due time.Duration, ok bool) {
	due = time.Duration(b.next/b.calls) * b.pause
	b.next++
	return due, b.next <= b.calls*b.times
}

func ExampleSchedule() {
	for _, b := range []bursts{{10, 3, 5 * time.Millisecond}, {0, 3, 0}} {
		res, err := loadgen.Run(context.Background(), loadgen.Config{Workers: 10, Schedule: b}, call)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(res.Sent, "calls")
	}
	// Output:
	// 30 calls
	// bursts of 0 calls every 0s
}
