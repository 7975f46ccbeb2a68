module github.com/rpcbench/rpcbench/frameworks/kitex/frozen

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../../../loadgen

replace github.com/rpcbench/rpcbench/frameworks/suite => ../../suite

require (
	github.com/cloudwego/kitex v0.0.3
	github.com/cloudwego/netpoll v0.0.2
	github.com/rpcbench/rpcbench/frameworks/suite v0.1.0
	github.com/rpcbench/rpcbench/loadgen v0.1.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/apache/thrift v0.13.0 // indirect
	github.com/bytedance/gopkg v0.0.0-20210709064845-3c00f9323f09 // indirect
	github.com/cespare/xxhash v1.1.0 // indirect
	github.com/cloudwego/netpoll-http2 v0.0.4 // indirect
	github.com/cloudwego/thriftgo v0.0.2-0.20210726073420-0145861fcd04 // indirect
	github.com/golang/protobuf v1.5.2 // indirect
	github.com/json-iterator/go v1.1.11 // indirect
	github.com/modern-go/concurrent v0.0.0-20180228061459-e0a39a4cb421 // indirect
	github.com/modern-go/reflect2 v0.0.0-20180701023420-4b7aa43c6742 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.30.0 // indirect
	golang.org/x/net v0.39.0 // indirect
	golang.org/x/sync v0.13.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.24.0 // indirect
	golang.zx2c4.com/wintun v0.0.0-20230126152724-0fa3db229ce2 // indirect
	golang.zx2c4.com/wireguard v0.0.0-20260522210424-ecfc5a8d5446 // indirect
	google.golang.org/genproto v0.0.0-20210513213006-bf773b8c8384 // indirect
	gopkg.in/yaml.v3 v3.0.0-20210107192922-496545a6307b // indirect
)
