//go:build !race

package suite

const racing = false
