// Package reflection proves that a test binary of gRPC with the tag reflection has servers
// that tell their services. It is apart, since that binary is measured and links no client of
// reflection.
package reflection
