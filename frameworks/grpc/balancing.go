package grpc

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/balancer/leastrequest" // registers it
	_ "google.golang.org/grpc/balancer/ringhash"     // registers it
	"google.golang.org/grpc/metadata"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// balancing is a load balancing policy of gRPC's.
type balancing struct {
	name   string // ours
	about  string
	config string // of the policy, in the service config
	keyed  bool   // calls carry the key of a user
}

// roundRobin is the policy of several servers unless another is asked for: gRPC's own default,
// pick_first, has all calls go to one of them.
var roundRobin = balancing{name: "roundrobin", about: "round_robin", config: `{"round_robin": {}}`}

// policies are those that work without xDS. Without load reports of the servers (ORCA),
// weighted_round_robin is round_robin, and what a server that sleeps would report is up to
// its authors.
func (d dialer) policies() (list []framework.Policy) {
	for _, b := range []balancing{
		roundRobin,
		{name: "p2c", about: "least_request_experimental with its choiceCount of 2: the one with fewer calls in flight of two that are drawn, perhaps the same twice", config: `{"least_request_experimental": {}}`},
		{name: "leastload", about: "least_request_experimental with a choiceCount of 10, the most it takes", config: `{"least_request_experimental": {"choiceCount": 10}}`},
		{name: "consistenthash", about: "ring_hash_experimental by a header with one of 1,000 users in turn", config: `{"ring_hash_experimental": {"requestHashHeader": "` + userHeader + `"}}`, keyed: true},
	} {
		list = append(list, framework.Policy{Name: b.name, About: b.about, DialAll: func(addrs []string, o framework.DialOptions) (framework.Client, error) {
			return d.dialAll(addrs, b, o)
		}})
	}
	return list
}

func (b balancing) options() []grpc.DialOption {
	list := []grpc.DialOption{grpc.WithDefaultServiceConfig(fmt.Sprintf(`{"loadBalancingConfig": [%s]}`, b.config))}
	if b.keyed {
		list = append(list, grpc.WithChainUnaryInterceptor(withUser()))
	}
	return list
}

// users is how many users have calls of their own key.
const (
	users      = 1000
	userHeader = "user"
)

// withUser has each call carry the key of a user, of all in turn.
func withUser() grpc.UnaryClientInterceptor {
	var calls atomic.Uint64
	return func(ctx context.Context, method string, req, reply any, c *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
		user := strconv.FormatUint(calls.Add(1)%users, 10)
		return invoke(metadata.AppendToOutgoingContext(ctx, userHeader, user), method, req, reply, c, options...)
	}
}
