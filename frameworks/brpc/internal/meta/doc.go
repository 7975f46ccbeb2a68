// Package meta holds the protobuf messages that brpc sends before the user's
// messages. It is generated from testdata/brpc.proto.
package meta
