module github.com/rpcbench/rpcbench/cmd

go 1.26.0
