package rpcbench_test

import (
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench"
	"github.com/rpcbench/rpcbench/frameworks/arpc"
	"github.com/rpcbench/rpcbench/frameworks/brpc"
	"github.com/rpcbench/rpcbench/frameworks/connect"
	"github.com/rpcbench/rpcbench/frameworks/drpc"
	"github.com/rpcbench/rpcbench/frameworks/gnet"
	"github.com/rpcbench/rpcbench/frameworks/grpc"
	"github.com/rpcbench/rpcbench/frameworks/http"
	"github.com/rpcbench/rpcbench/frameworks/jkrpc"
	"github.com/rpcbench/rpcbench/frameworks/jrpc2"
	"github.com/rpcbench/rpcbench/frameworks/kitex"
	"github.com/rpcbench/rpcbench/frameworks/message/large"
	"github.com/rpcbench/rpcbench/frameworks/nbio"
	"github.com/rpcbench/rpcbench/frameworks/netpoll"
	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/rpcx"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tars"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
	"github.com/rpcbench/rpcbench/frameworks/thrift"
	"github.com/rpcbench/rpcbench/frameworks/ttrpc"
	"github.com/rpcbench/rpcbench/frameworks/workloads"
	"github.com/rpcbench/rpcbench/frameworks/workloads/db"
)

// frameworks is the table of all that is measured: a new framework is one
// directory and one line here.
var frameworks = slices.Concat(
	grpc.Variants(),
	kitex.Variants(),
	rpcx.Variants(),
	arpc.Variants(),
	connect.Variants(),
	http.Variants(),
	drpc.Variants(),
	thrift.Variants(),
	ttrpc.Variants(),
	brpc.Variants(),
	tars.Variants(),
	netrpc.Variants(),
	jrpc2.Variants(),
	jkrpc.Variants(),
	tcp.Variants(),
	gnet.Variants(),
	netpoll.Variants(),
	nbio.Variants(),
)

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{
		Frameworks: frameworks, Workloads: append(workloads.All(), db.Workload()), GoMod: rpcbench.GoMod(),
		Others: []suite.Other{{Name: large.Name, Frameworks: sendingLarge}},
	})
}

// sendingLarge is the table of msg=large: the frameworks that send any message that protobuf-go
// has generated.
func sendingLarge() []framework.Variant {
	x := large.Exchange()
	return slices.Concat(
		grpc.Sending(x), kitex.Sending(x), rpcx.Sending(x), arpc.Sending(x), connect.Sending(x),
		http.Sending(x), drpc.Sending(x), ttrpc.Sending(x), netrpc.Sending(x), tcp.Sending(x),
	)
}

func BenchmarkEcho(b *testing.B)     { suite.Echo(b) }
func BenchmarkMessage(b *testing.B)  { suite.Message(b) }
func BenchmarkRate(b *testing.B)     { suite.Rate(b) }
func BenchmarkCapacity(b *testing.B) { suite.Capacity(b) }
func BenchmarkLoad(b *testing.B)     { suite.Load(b) }
func BenchmarkStall(b *testing.B)    { suite.Stall(b) }
func BenchmarkConn(b *testing.B)     { suite.Conn(b) }
func BenchmarkCluster(b *testing.B)  { suite.Cluster(b) }
func BenchmarkStream(b *testing.B)   { suite.Stream(b) }
func BenchmarkBulk(b *testing.B)     { suite.Bulk(b) }
func BenchmarkIdle(b *testing.B)     { suite.Idle(b) }
func BenchmarkDial(b *testing.B)     { suite.Dial(b) }
func BenchmarkMix(b *testing.B)      { suite.Mix(b) }
func BenchmarkWorkload(b *testing.B) { suite.Workload(b) }
func BenchmarkCount(b *testing.B)    { suite.Count(b) }
