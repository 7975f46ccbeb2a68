module github.com/rpcbench/rpcbench/loadgen/example

go 1.26.0

replace github.com/rpcbench/rpcbench/loadgen => ../

require github.com/rpcbench/rpcbench/loadgen v0.0.0

require golang.org/x/sys v0.48.0 // indirect
