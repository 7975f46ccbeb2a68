//go:build unix

package cell

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain has this binary be the command's children, and tools that go wrong.
func TestMain(m *testing.M) {
	if is, err := Child(context.Background(), os.Args[1:], os.Stdin, os.Stdout); is {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 2 {
		misbehave(os.Args[1])
	}
	os.Exit(m.Run())
}

// misbehave is a tool that goes wrong in some way.
func misbehave(how string) {
	switch how {
	case "fail":
		fmt.Fprintln(os.Stderr, "usage\nno such option: -rate")
		os.Exit(2)
	case "hang":
		time.Sleep(time.Minute)
	case "babble":
		fmt.Println("all is well")
		os.Exit(0)
	case "errors":
		fmt.Println(`{"P50": 5000000, "OK": 1, "Failed": 1}`)
		os.Exit(3)
	}
}
