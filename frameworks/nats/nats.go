// Package nats adapts request and reply over NATS: a broker between a client and a service
// of nats.go's package micro. It is a module with its own benchmarks, because the broker,
// nats-server, has dependencies of its own.
package nats

import (
	"errors"

	"github.com/nats-io/nats.go"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// What the variant says about itself.
const (
	about = "each call passes through a broker: client, nats-server, the service, nats-server, client;" +
		" the broker is embedded in the server's process, and the service there is connected to it by one connection over loopback;" +
		" the service is of nats.go's package micro, whose handlers of one method run one after the other;" +
		" clients do not reconnect; max_payload is 64 MiB, and max_pending 1 GiB"
	announced = "both sides allocate a message when its length has arrived, the broker up to max_payload and the client without a limit"
)

// Variants lists the one variant.
func Variants() []framework.Variant {
	recommended := variant(layer.Stack{})
	recommended.Recommended = true
	return []framework.Variant{recommended}
}

func variant(s layer.Stack) framework.Variant {
	return framework.Variant{
		Keys:    framework.Keys{Framework: "nats", Transport: "tcp", Codec: "protobuf"},
		About:   about + "; " + announced,
		Modules: []string{"github.com/nats-io/nats-server/v2", "github.com/nats-io/nats.go", "google.golang.org/protobuf"},
		Limits:  framework.Limits{MaxMessage: MaxMessage, Announced: announced},
		Layers: &framework.Layers{
			Has: map[layer.Layer]string{
				layer.TLS13: "the broker's option TLSConfig, and `nats.Secure` of the client and of the service",
				layer.MTLS:  "as `tls13`, with the broker's option TLSVerify",
			},
			Metadata: carries(),
			With:     variant,
		},
		Unknown: func(err error) bool { return errors.Is(err, nats.ErrNoResponders) },
		Serve:   func(addr string) (framework.Server, error) { return serve(addr, s) },
		Dial:    func(addr string, o framework.DialOptions) (framework.Client, error) { return dial(addr, s, o) },
	}
}
