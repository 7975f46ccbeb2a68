module github.com/rpcbench/rpcbench/codecs/suite/example

go 1.26.0

replace github.com/rpcbench/rpcbench/codecs/suite => ../

require github.com/rpcbench/rpcbench/codecs/suite v0.1.0

require (
	github.com/klauspost/compress v1.18.2 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.30.0 // indirect
)
