//go:build !race

package trpc

const raced = false
