//go:build !race

package trpc

const tnetWorks = true
