//go:build !race

package arpc

const raceDetector = false
