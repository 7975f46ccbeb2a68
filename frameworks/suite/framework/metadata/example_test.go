package metadata_test

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Both sides of a framework whose metadata is a map of texts.
func Example() {
	set, err := metadata.Read("2:4B") // the Metadata of a layer.Stack
	if err != nil {
		panic(err)
	}
	calls := set.Calls() // of a client

	sent := calls.Next()
	request := sent.Map()
	request["trace"] = "the framework's own"

	reply := metadata.OwnOf(request) // the server's side
	fmt.Println(len(reply), "entries:", sent.Same(reply))

	delete(reply, "x-entry-0002")
	fmt.Println(sent.Same(reply))
	// Output:
	// 2 entries: <nil>
	// metadata: 1 of 2 entries came back
}
