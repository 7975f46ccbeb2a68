module github.com/rpcbench/rpcbench/loadgen/grpcload

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/jhump/protoreflect/v2 v2.0.0
	github.com/rpcbench/rpcbench/loadgen v0.1.0
	github.com/stretchr/testify v1.12.1
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // indirect
)
