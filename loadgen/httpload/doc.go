// Package httpload sends HTTP requests under a load of package loadgen, without a client to be
// written: over HTTP/1.1 or HTTP/2, to one URL or to the targets of a file, with results of
// each endpoint, and checks of replies. It is for tests of a service, and for commands. It
// imports the standard library alone.
//
//	client, err := httpload.New(httpload.Config{Targets: targets})
//	...
//	result, err := client.Run(ctx, loadgen.Config{
//		Workers: 100, Schedule: loadgen.Poisson(500, 1), Duration: 20 * time.Second,
//	})
//	if err == nil {
//		err = result.Require("p99<200ms", "errors<0.1%")
//	}
//
// The client asks for what it was told and nothing else: it follows no redirection, keeps no
// cookies, uses no proxy of the environment, and asks for no compression. The transport of net/http
// makes a connection for each call in flight over HTTP/1.1, and keeps it. It sends a request
// again if the server closes a connection that was in use before without a reply to it, and if
// the method permits; ErrRepeated tells how often.
package httpload
