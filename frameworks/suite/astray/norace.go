//go:build !race

package astray

const raceDetector = false
