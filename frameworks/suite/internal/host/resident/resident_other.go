//go:build !unix

package resident

// Own returns 0: the size is not known on these systems.
func Own() (now, peak int64) { return 0, 0 }

// Of returns 0: the memory of another process is not known on these systems.
func Of(int) (now, peak int64) { return 0, 0 }
