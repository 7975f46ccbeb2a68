//go:build unix

// Package files tells how many files this process has open, and how many it may open.
package files

import "syscall"

// RaiseLimit lets this process, and the children that it starts from now on, open n
// files. It raises the hard limit where the user may. It returns the limit in force, which
// is lower if it could not be raised; 0 if it is not known.
func RaiseLimit(n int) int {
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &now) != nil || now.Cur > 1<<30 {
		return 0
	}
	if int(now.Cur) >= n {
		return int(now.Cur)
	}
	want := now
	want.Cur, want.Max = asLimit(n, want.Cur), max(want.Max, asLimit(n, want.Max))
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &want) != nil { // more than the hard limit takes a privilege
		want.Cur, want.Max = now.Max, now.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &want) // the limit stays as it is
	}
	return Limit()
}

// asLimit converts n to the type of a limit, which is signed on some systems.
func asLimit[T ~int64 | ~uint64](n int, _ T) T { return T(n) }

// Limit returns how many files this process and each of its children may open; 0
// if that is not known. Go has raised the limit to the hard limit.
func Limit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}
