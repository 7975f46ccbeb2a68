// Package meta holds what brpc writes before its messages, generated from
// testdata/brpc.proto.
package meta
