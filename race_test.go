//go:build race

package rpcbench_test

const raceDetector = true
