package nats

import (
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries describes headers. They are lines, and part of what max_payload limits, of which
// half is left for the message.
func carries() metadata.Means {
	return metadata.Means{By: "headers, by RequestMsgWithContext and micro.WithHeaders", Text: true, Most: maxPayload / 2, Added: 4}
}

// messageOf returns a request with the headers of entries.
func messageOf(subject string, body []byte, e metadata.Entries) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = body
	for name, value := range e.All() {
		m.Header.Set(name, value)
	}
	return m
}

// returned has a reply carry the metadata of a request.
func returned(r micro.Request) (options []micro.RespondOpt) {
	if own := metadata.OwnOf(r.Headers()); own != nil {
		options = append(options, micro.WithHeaders(own))
	}
	return options
}
