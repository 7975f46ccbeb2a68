// Package hyperpb measures buf.build/go/hyperpb, which decodes what google.golang.org/protobuf
// encodes, into messages that are read by reflection. It encodes nothing, and runs on
// amd64 and arm64 alone.
package hyperpb
