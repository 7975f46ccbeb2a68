module github.com/rpcbench/rpcbench/loadgen/example

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../

require github.com/rpcbench/rpcbench/loadgen v0.1.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
