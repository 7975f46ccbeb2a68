module github.com/rpcbench/rpcbench/frameworks/grpc/frozen

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../../../loadgen

replace github.com/rpcbench/rpcbench/frameworks/suite => ../../suite

require (
	github.com/rpcbench/rpcbench/frameworks/suite v0.1.0
	github.com/rpcbench/rpcbench/loadgen v0.1.0
	google.golang.org/grpc v1.39.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/golang/protobuf v1.5.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.30.0 // indirect
	golang.org/x/net v0.39.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.24.0 // indirect
	golang.zx2c4.com/wintun v0.0.0-20230126152724-0fa3db229ce2 // indirect
	golang.zx2c4.com/wireguard v0.0.0-20260522210424-ecfc5a8d5446 // indirect
	google.golang.org/genproto v0.0.0-20200526211855-cb27e3aa2013 // indirect
)
