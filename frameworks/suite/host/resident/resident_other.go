//go:build !unix

package resident

// Own returns 0: the size is not known on these systems.
func Own() (now, peak int64) { return 0, 0 }
