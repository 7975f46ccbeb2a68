//go:build !unix

package terminal

import "os"

func foreground() *os.File { return nil }
