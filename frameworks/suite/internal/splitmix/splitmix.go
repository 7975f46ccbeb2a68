// Package splitmix has the output function of SplitMix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014).
package splitmix

// Golden is the step between the states of the generator.
const Golden = 0x9e3779b97f4a7c15

// Output returns the number of a state: it spreads the bits of states that are alike.
func Output(state uint64) uint64 {
	z := state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
