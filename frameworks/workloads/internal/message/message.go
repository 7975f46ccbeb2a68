// Package message has the messages that workloads look up.
package message

import (
	"errors"
	"fmt"
)

// Message is a row of a table, an entry of a cache or an element of a file.
type Message struct {
	ID      int64  `json:"id"`
	FromUID int64  `json:"from_uid"`
	ToUID   int64  `json:"to_uid"`
	Content string `json:"content"`
}

// Of makes the message with an id.
func Of(id int64) Message {
	return Message{ID: id, FromUID: 1000 + id, ToUID: 2000 + id, Content: fmt.Sprintf("content of message %d", id)}
}

// ErrWrong is returned by a workload that found another message than it looked for.
var ErrWrong = errors.New("the work's result is wrong")
