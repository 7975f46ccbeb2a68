// Package workloads has the work that servers do for the calls of BenchmarkWorkload,
// such as reading a file, asking a database or waiting.
package workloads

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// All lists the workloads, in the order of the output.
func All() []framework.Workload {
	return slices.Concat([]framework.Workload{nop(), cache(), file()}, databases(), []framework.Workload{sleep(), cpu()})
}

func nop() framework.Workload {
	return framework.Workload{
		Name: "nop", About: "nothing",
		Start: func(string) (framework.Work, error) {
			return framework.Work{Do: func() error { return nil }}, nil
		},
	}
}

// message is what the workloads cache, db and file look up.
type message struct {
	ID      int64  `json:"id"`
	FromUID int64  `json:"from_uid"`
	ToUID   int64  `json:"to_uid"`
	Content string `json:"content"`
}

// messageOf makes the message with an id.
func messageOf(id int64) message {
	return message{ID: id, FromUID: 1000 + id, ToUID: 2000 + id, Content: fmt.Sprintf("content of message %d", id)}
}

// errWrong is returned by a workload that found another message than it looked for.
var errWrong = errors.New("the work's result is wrong")
