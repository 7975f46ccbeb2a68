module github.com/rpcbench/rpcbench/frameworks/suite

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../../loadgen

require (
	github.com/rpcbench/rpcbench/loadgen v0.1.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.30.0
	golang.org/x/sys v0.48.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
