module github.com/rpcbench/rpcbench/codecs/suite

go 1.26.0

require (
	github.com/klauspost/compress v1.18.2
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.30.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
