//go:build race

package streams

const raceDetector = true
